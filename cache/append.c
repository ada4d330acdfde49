// An index that grows: its blocks are copied to OUT.part/, and the spool gets the entries that it
// had before the index was finished.
#define _GNU_SOURCE
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cache/codec.h"
#include "cache/format.h"
#include "cache/kvz.h"
#include "cache/meta.h"
#include "cache/narrow.h"
#include "cache/reader.h"
#include "cache/writer.h"
#include "io/file.h"
#include "io/mem.h"

// Copies BYTES of FROM at OFF to the same place in TO; the kernel shares them if it can.
static int copy_range(int from, const char *from_path, int to, const char *to_path, uint64_t off,
                      uint64_t bytes, struct err *e)
{
    enum { PIECE = 1 << 20 };
    off_t in = (off_t)off, at = (off_t)off;
    while (bytes) {
        ssize_t n =
            copy_file_range(from, &in, to, &at, bytes < PIECE << 10 ? bytes : PIECE << 10, 0);
        if (n <= 0)
            break;
        bytes -= (uint64_t)n;
    }
    char *buf = bytes ? mem_new(PIECE, 1, e) : NULL;
    int rc = bytes && !buf ? ERR_NOMEM : 0;
    while (bytes && !rc) {
        size_t n = bytes < PIECE ? bytes : PIECE;
        rc = file_pread(from, buf, n, (uint64_t)in, from_path, e);
        if (!rc)
            rc = file_pwrite(to, buf, n, (uint64_t)at, to_path, e);
        in += (off_t)n;
        at += (off_t)n;
        bytes -= n;
    }
    free(buf);
    return rc;
}

// Makes vectors of four bits from those of an index that has eight.
static int make_narrow(struct kvz_writer *w, const struct kvz_run *r, uint64_t first, uint32_t n,
                       float *scale, uint8_t *bounds, uint8_t *symbols, struct err *e)
{
    const uint32_t dim = r->channel.dim;
    float *x = mem_new((size_t)n + 1, dim * sizeof *x, e);
    for (size_t i = 0; x && i < (size_t)n * dim; i++)
        x[i] = r->scale[first + i / dim] * (float)r->vectors[first * dim + i];
    int rc = x ? narrow_make(x, n, dim, scale, bounds, symbols) : ERR_NOMEM;
    free(x);
    return rc == -1 ? err_set(e, ERR_FORMAT, "%s: an index vector is too large", w->path) : rc;
}

// Adds the vectors of a block along one channel to its entry in the spool.
static int spool_channel(struct kvz_writer *w, const struct kvz *k, uint32_t channel,
                         uint64_t block, struct err *e)
{
    struct kvz_run r;
    struct run_arrays from;
    struct disk_run at;
    int rc = kvz_run(k, channel, &r, e);
    if (!rc)
        rc = reader_run_arrays(k, channel, &from, e);
    if (rc)
        return rc;
    const uint64_t first = r.start[block], n64 = r.start[block + 1] - first;
    const uint32_t n = (uint32_t)n64, dim = r.channel.dim;
    if (n64 > 255)
        return err_set(e, ERR_FORMAT, "%s: block %" PRIu64 " has too many index vectors", w->path,
                       block);
    uint8_t *scale = spool_vectors(w, channel, n, &at, e);
    if (!scale)
        return ERR_NOMEM;
    uint8_t *token = scale + at.scale_bytes, *vectors = token + at.token_bytes;
    w->n_vectors[channel] += n;
    if (!from.narrow && writer_is_narrow(w, channel)) {
        float one = 0;
        rc = make_narrow(w, &r, first, n, &one, token, vectors, e);
        memcpy(scale, &one, sizeof one);
        return rc;
    }
    memcpy(scale, from.scale + (from.narrow ? block : first), at.scale_bytes);
    memcpy(token, from.token + (from.narrow ? block * 2 * dim : first), at.token_bytes);
    memcpy(vectors, from.vectors + first * (from.narrow ? dim / 2 : dim), at.vector_bytes);
    return 0;
}

// Makes the entry of a block as it was in the spool before the index was finished.
static int spool_block(struct kvz_writer *w, const struct kvz *k, uint64_t block, struct err *e)
{
    struct disk_block d;
    struct err why;
    int rc = reader_entry(k, block, &d, &why);
    if (rc)
        return err_set(e, rc, "%s: block %" PRIu64 ": %s", w->path, block, why.msg);
    rc = spool_begin(w, &d, sizeof d, e);
    for (uint32_t i = 0; i < w->meta.n_channels && !rc; i++) {
        rc = spool_channel(w, k, i, block, e);
    }
    uint8_t *text = rc ? NULL : bytes_add(&w->entry, d.end - d.start, e);
    if (!rc)
        rc = text ? kvz_read_text(k, block, (char *)text, e) : ERR_NOMEM;
    if (!rc)
        rc = spool_put(w, SPOOL_BLOCK, e);
    w->at.text_bytes += d.end - d.start;
    w->at.n_blocks++;
    w->at.n_tokens += d.n_tokens;
    return rc;
}

static int spool_index(struct kvz_writer *w, const struct kvz *k, struct err *e)
{
    int rc = 0;
    for (uint64_t i = 0; i < kvz_n_documents(k) && !rc; i++) {
        struct kvz_document d;
        rc = kvz_document(k, i, &d, e);
        if (!rc)
            rc = kvz_begin_document(w, d.name, d.format, e);
        for (uint64_t b = 0; !rc && b < d.n_blocks; b++)
            rc = spool_block(w, k, d.first_block + b, e);
        if (!rc)
            rc = kvz_end_document(w, d.bytes, d.digest, e);
    }
    return rc;
}

static int append(struct kvz_writer *w, const struct kvz *k, const struct kvz_channel *channels,
                  struct err *e)
{
    const struct kvz_meta *m = kvz_meta(k);
    struct kvz_channel *was = mem_new(m->n_channels, sizeof *was, e);
    if (!was)
        return ERR_NOMEM;
    for (uint32_t i = 0; i < m->n_channels; i++)
        was[i] = reader_channel(k, i);
    int rc = meta_same(w->path, m, was, &w->meta, channels, e);
    free(was);
    if (rc)
        return rc;
    const struct disk_section *blocks = &k->of[S_BLOCKS];
    if (blocks->off != DISK_PAGE) // a reader takes any place, but records keep theirs
        return err_set(e, ERR_UNSUPPORTED,
                       "%s: its blocks do not come first, as in what lctool writes; make another "
                       "index",
                       w->path);
    w->meta = *m;
    int from = open(w->path, O_RDONLY | O_CLOEXEC);
    if (from < 0)
        return err_io(e, "%s", w->path);
    rc = copy_range(from, w->path, w->data_fd, w->data_path, blocks->off, blocks->bytes, e);
    close(from);
    w->at.data_bytes = blocks->off + blocks->bytes;
    if (!rc && codec_is_fitted(k->meta.recipe.codec))
        rc = part_take_base(w, k->map.data + k->of[S_BASE].off, k->of[S_BASE].bytes, e);
    return rc ? rc : spool_index(w, k, e);
}

int kvz_append(struct kvz_writer **out, const char *path, const struct kvz_meta *m,
               const struct kvz_channel *channels, struct err *e)
{
    struct kvz_writer *w;
    struct kvz *k = NULL;
    int rc = writer_new(&w, path, m, channels, e);
    if (rc)
        return rc;
    // The lock comes first: no other writer puts an index in the place of the one that is read.
    rc = part_open(w, 1, e);
    if (!rc)
        rc = kvz_open(&k, path, e);
    if (!rc)
        rc = append(w, k, channels, e);
    kvz_close(k);
    if (rc)
        part_give_up(w);
    else
        *out = w;
    return rc;
}
