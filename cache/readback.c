// Blocks that are read back while the index is still being written (retrieval while encoding).
#include <inttypes.h>
#include <sys/mman.h>

#include "cache/writer.h"
#include "io/file.h"
#include "io/hash.h"
#include "io/mem.h"

// Finds the places of the blocks in what was added to the spool since the last call.
static int place_blocks(struct kvz_writer *w, struct err *e)
{
    while (w->placed_to < w->at.spool_bytes) {
        struct spool_head h;
        struct disk_block b;
        int rc = file_pread(w->spool_fd, &h, sizeof h, w->placed_to, w->spool_path, e);
        if (rc)
            return rc;
        uint64_t at = w->placed_to + sizeof h;
        if (at > w->at.spool_bytes || h.bytes > w->at.spool_bytes - at ||
            (h.tag == SPOOL_BLOCK && h.bytes < sizeof b))
            return err_set(e, ERR_FORMAT, "%s: damaged", w->spool_path);
        if (h.tag == SPOOL_BLOCK) {
            if ((rc = MEM_GROW(w->placed, w->placed_cap, w->n_placed + 1, e)))
                return rc;
            if ((rc = file_pread(w->spool_fd, &b, sizeof b, at, w->spool_path, e)))
                return rc;
            if (b.check != hash64(&b, sizeof b - sizeof b.check))
                return err_set(e, ERR_FORMAT, "%s: damaged", w->spool_path);
            w->placed[w->n_placed++] = b;
        }
        w->placed_to = at + h.bytes;
    }
    return 0;
}

int kvz_writer_read_kv(struct kvz_writer *w, uint64_t block, uint32_t layer, float *k, float *v,
                       uint32_t stride, struct err *e)
{
    int rc = place_blocks(w, e);
    if (rc)
        return rc;
    if (block >= w->n_placed || layer >= w->meta.n_layers)
        return err_set(e, ERR_USAGE, "%s: block %" PRIu64 " layer %u: not written yet", w->path,
                       block, layer);
    const struct disk_block *b = &w->placed[block];
    if (b->off > w->at.data_bytes || b->bytes > w->at.data_bytes - b->off)
        return err_set(e, ERR_FORMAT, "%s: block %" PRIu64 " is not where it should be",
                       w->data_path, block);
    uint64_t from = b->off / DISK_PAGE * DISK_PAGE;
    size_t bytes = b->off - from + b->bytes;
    uint8_t *p = mmap(NULL, bytes, PROT_READ, MAP_SHARED, w->data_fd, (off_t)from);
    if (p == MAP_FAILED)
        return err_io(e, "%s: cannot map", w->data_path);
    struct record r;
    struct err why;
    rc = record_open(&r, p + (b->off - from), b, block, w->meta.n_layers, &why);
    if (!rc)
        rc = record_kv(&r, &w->meta, w->basis, layer, k, v, stride, &why);
    munmap(p, bytes);
    return rc ? err_set(e, rc, "%s: block %" PRIu64 " layer %u: %s", w->data_path, block, layer,
                        why.msg)
              : 0;
}
