// What is read back while the index is still being written: keys and values of blocks, for
// retrieval while encoding, and the text of documents.
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>

#include "cache/writer.h"
#include "io/file.h"
#include "io/hash.h"
#include "io/mem.h"

// What an entry of the spool begins with.
struct entry {
    struct spool_head h;
    union {
        struct disk_block block;
        struct disk_document document;
    };
};

static int damaged(const struct kvz_writer *w, struct err *e)
{
    return err_set(e, ERR_FORMAT, "%s: is damaged", w->spool_path);
}

static int look_at(const struct kvz_writer *w, uint64_t at, struct entry *n, struct err *e)
{
    const uint64_t left = w->at.spool_bytes - at;
    if (left < sizeof *n)
        return damaged(w, e);
    int rc = file_pread(w->spool_fd, n, sizeof *n, at, w->spool_path, e);
    if (rc)
        return rc;
    const struct disk_block *b = &n->block;
    if (n->h.bytes < sizeof *b || n->h.bytes > left - sizeof n->h ||
        (n->h.tag == SPOOL_BLOCK &&
         (b->check != hash64(b, sizeof *b - sizeof b->check) || b->start > b->end ||
          b->end - b->start > n->h.bytes - sizeof *b)))
        return damaged(w, e);
    return 0;
}

static uint64_t behind(uint64_t at, const struct entry *n)
{
    return at + sizeof n->h + n->h.bytes;
}

// Finds the places of the blocks in what was added to the spool since the last call.
static int place_blocks(struct kvz_writer *w, struct err *e)
{
    while (w->placed_to < w->at.spool_bytes) {
        struct entry n;
        int rc = look_at(w, w->placed_to, &n, e);
        if (!rc && n.h.tag == SPOOL_BLOCK)
            rc = MEM_GROW(w->placed, w->placed_cap, w->n_placed + 1, e);
        if (rc)
            return rc;
        if (n.h.tag == SPOOL_BLOCK)
            w->placed[w->n_placed++] = n.block;
        w->placed_to = behind(w->placed_to, &n);
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

// Finds where documents begin, and how long they are, in what was added to the spool since the last
// call.
static int place_documents(struct kvz_writer *w, struct err *e)
{
    struct placed_texts *t = &w->texts;
    while (t->to < w->at.spool_bytes) {
        struct entry n;
        int rc = look_at(w, t->to, &n, e);
        if (!rc)
            rc = MEM_GROW(t->v, t->cap, t->n_ended + 1, e);
        if (rc)
            return rc;
        struct placed_text *d = &t->v[t->n_ended];
        if (t->n == t->n_ended) {
            *d = (struct placed_text){.at = t->to};
            t->n++;
        }
        if (n.h.tag != SPOOL_BLOCK)
            t->n_ended++;
        else if (n.block.start == d->bytes)
            d->bytes = n.block.end;
        else
            return damaged(w, e);
        t->to = behind(t->to, &n);
    }
    return 0;
}

int kvz_writer_text_bytes(struct kvz_writer *w, uint64_t document, uint64_t *bytes, struct err *e)
{
    *bytes = 0;
    if (document >= w->at.n_documents + w->at.in_document)
        return err_set(e, ERR_USAGE, "%s: document %" PRIu64 ": not written yet", w->path,
                       document);
    int rc = place_documents(w, e);
    if (!rc && document < w->texts.n)
        *bytes = w->texts.v[document].bytes;
    return rc;
}

// Copies what the block at AT of the spool, N, has of the bytes FROM .. TO of its document.
static int copy_text(struct kvz_writer *w, uint64_t at, const struct entry *n, uint64_t from,
                     uint64_t to, char *out, struct err *e)
{
    const struct disk_block *b = &n->block;
    uint32_t tag;
    int rc = spool_next(w, &at, &tag, e);
    if (rc)
        return rc;
    if (w->entry.n != n->h.bytes || b->start > from)
        return damaged(w, e);
    const uint8_t *text = w->entry.p + w->entry.n - (b->end - b->start);
    memcpy(out, text + (from - b->start), (to < b->end ? to : b->end) - from);
    return 0;
}

int kvz_writer_read_text(struct kvz_writer *w, uint64_t document, uint64_t from, size_t n, char *to,
                         struct err *e)
{
    uint64_t bytes;
    int rc = kvz_writer_text_bytes(w, document, &bytes, e);
    if (!rc && (from > bytes || n > bytes - from))
        rc = err_set(e, ERR_USAGE, "%s: document %" PRIu64 " has %" PRIu64 " bytes so far", w->path,
                     document, bytes);
    if (rc || !n)
        return rc;
    struct placed_texts *t = &w->texts;
    if (t->document != document || t->block_start > from) {
        t->document = document;
        t->block_at = t->v[document].at;
        t->block_start = 0;
    }
    for (const uint64_t end = from + n; from < end;) {
        struct entry b;
        if ((rc = look_at(w, t->block_at, &b, e)))
            return rc;
        if (b.h.tag != SPOOL_BLOCK)
            return damaged(w, e);
        if (b.block.end > from) {
            if ((rc = copy_text(w, t->block_at, &b, from, end, to, e)))
                return rc;
            const uint64_t copied = (end < b.block.end ? end : b.block.end) - from;
            from += copied;
            to += copied;
        }
        if (from < end) {
            t->block_at = behind(t->block_at, &b);
            t->block_start = b.block.end;
        }
    }
    return 0;
}
