// What a run that goes on finds in OUT.part/ is checked before anything is added to it: damage
// there would end in an index that says that it is whole. Reading it again takes seconds, encoding
// hours.
#include <inttypes.h>
#include <string.h>

#include "cache/writer.h"
#include "io/file.h"

static int check_parts(const struct record *r, uint32_t n_layers, struct err *e)
{
    int rc = record_tokens(r, NULL, NULL, NULL, e);
    if (!rc)
        rc = record_mass(r, NULL, e);
    for (uint32_t l = 0; l < n_layers && !rc; l++) {
        const uint8_t *data;
        uint64_t bytes;
        rc = record_chunk_data(r, l, &data, &bytes, e);
    }
    return rc;
}

static int check_block(struct kvz_writer *w, uint64_t block, struct err *e)
{
    struct disk_block d;
    struct record r;
    struct err why;
    if (w->entry.n < sizeof d)
        return err_set(e, ERR_FORMAT, "%s: is damaged", w->spool_path);
    memcpy(&d, w->entry.p, sizeof d);
    if (d.off > w->at.data_bytes || d.bytes > w->at.data_bytes - d.off)
        return err_set(e, ERR_FORMAT, "%s: block %" PRIu64 " is not where it should be",
                       w->data_path, block);
    w->record.n = 0;
    uint8_t *p = bytes_add(&w->record, d.bytes, e);
    int rc = p ? file_pread(w->data_fd, p, d.bytes, d.off, w->data_path, e) : ERR_NOMEM;
    if (rc)
        return rc;
    if ((rc = record_open(&r, p, &d, block, w->meta.n_layers, &why)) ||
        (rc = check_parts(&r, w->meta.n_layers, &why)))
        return err_set(e, rc, "%s: block %" PRIu64 ": %s", w->data_path, block, why.msg);
    return 0;
}

int part_check(struct kvz_writer *w, struct err *e)
{
    uint64_t at = 0, block = 0;
    int rc = 0;
    while (at < w->at.spool_bytes && !rc) {
        uint32_t tag;
        rc = spool_next(w, &at, &tag, e);
        if (!rc && tag == SPOOL_BLOCK)
            rc = check_block(w, block++, e);
    }
    return rc;
}
