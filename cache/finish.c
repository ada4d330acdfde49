// Makes the index from OUT.part/: the spool is read once, from front to back, and distributed over
// the sections.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cache/format.h"
#include "cache/kvz.h"
#include "cache/meta.h"
#include "cache/reader.h"
#include "cache/writer.h"
#include "io/cursor.h"
#include "io/file.h"
#include "io/hash.h"
#include "io/mem.h"

// A part of the file that is written from its start, piece by piece, while others are too.
struct array {
    struct hash *hash;
    uint8_t *buf;
    size_t used;
    uint64_t off, end; // where the next piece goes; where the array must end
};

enum {
    RUN_START,
    RUN_SCALE,
    RUN_TOKEN,
    RUN_VECTOR,
    RUN_ARRAYS, // arrays of a channel
    OF_DIR = 0,
    OF_DOCS,
    OF_NAMES,
    OF_TEXT,
    OF_ALL, // arrays of the file; those of channels follow
    BUFFERS_BYTES = 8 << 20,
    BUFFER_LEAST = 1 << 10,
    BUFFER_MOST = 1 << 16,
};

struct finish {
    struct kvz_writer *w;
    struct array *arrays;
    size_t n_arrays, buf_bytes;
    uint8_t *buf;
    struct disk_section sections[N_SECTIONS]; // tag 0: absent
    struct disk_channel *channels;
    uint64_t *next_vector; // [n_channels] vectors written so far
    uint64_t n_blocks, n_documents;
};

static int flush(struct finish *f, struct array *a, struct err *e)
{
    if (a->used > a->end - a->off)
        return err_set(e, ERR_FORMAT, "%s: does not hold what was put there", f->w->spool_path);
    int rc = file_pwrite(f->w->data_fd, a->buf, a->used, a->off, f->w->data_path, e);
    if (rc)
        return rc;
    hash_update(a->hash, a->buf, a->used);
    a->off += a->used;
    a->used = 0;
    return 0;
}

static int put(struct finish *f, struct array *a, const void *data, size_t bytes, struct err *e)
{
    const uint8_t *p = data;
    while (bytes) {
        if (a->used == f->buf_bytes) {
            int rc = flush(f, a, e);
            if (rc)
                return rc;
        }
        size_t n = f->buf_bytes - a->used < bytes ? f->buf_bytes - a->used : bytes;
        memcpy(a->buf + a->used, p, n);
        a->used += n;
        p += n;
        bytes -= n;
    }
    return 0;
}

static struct array *run_array(struct finish *f, uint32_t channel, int which)
{
    return &f->arrays[OF_ALL + (size_t)channel * RUN_ARRAYS + (size_t)which];
}

static int begin_arrays(struct finish *f, struct err *e)
{
    struct kvz_writer *w = f->w;
    f->n_arrays = OF_ALL + (size_t)w->meta.n_channels * RUN_ARRAYS;
    f->buf_bytes = BUFFERS_BYTES / f->n_arrays;
    f->buf_bytes = f->buf_bytes < BUFFER_LEAST  ? BUFFER_LEAST
                   : f->buf_bytes > BUFFER_MOST ? BUFFER_MOST
                                                : f->buf_bytes;
    f->arrays = mem_new(f->n_arrays, sizeof *f->arrays, e);
    f->buf = mem_new(f->n_arrays, f->buf_bytes, e);
    f->channels = mem_new(w->meta.n_channels, sizeof *f->channels, e);
    f->next_vector = mem_new(w->meta.n_channels, sizeof *f->next_vector, e);
    if (!f->arrays || !f->buf || !f->channels || !f->next_vector)
        return ERR_NOMEM;
    for (size_t i = 0; i < f->n_arrays; i++) {
        f->arrays[i].buf = f->buf + i * f->buf_bytes;
        int rc = hash_new(&f->arrays[i].hash, e);
        if (rc)
            return rc;
    }
    return 0;
}

static void lay(struct array *a, uint64_t off, uint64_t bytes)
{
    a->off = off;
    a->end = off + bytes;
}

// Places the runs of all channels in VECT from OFF on; returns where they end, or 0.
static uint64_t place_runs(struct finish *f, uint64_t off)
{
    const struct kvz_writer *w = f->w;
    for (uint32_t i = 0; i < w->meta.n_channels; i++) {
        const struct kvz_channel *c = &w->channels[i];
        struct disk_run r;
        const int narrow = writer_is_narrow(w, i);
        if (disk_run_layout(&r, w->at.n_blocks, w->n_vectors[i], c->dim, narrow))
            return 0;
        f->channels[i] = (struct disk_channel){.layer = c->layer,
                                               .head = c->head,
                                               .kind = c->kind + (narrow ? DISK_NARROW : 0),
                                               .dim = c->dim,
                                               .n = w->n_vectors[i],
                                               .off = off,
                                               .bytes = r.bytes};
        lay(run_array(f, i, RUN_START), off + r.start, r.start_bytes);
        lay(run_array(f, i, RUN_SCALE), off + r.scale, r.scale_bytes);
        lay(run_array(f, i, RUN_TOKEN), off + r.token, r.token_bytes);
        lay(run_array(f, i, RUN_VECTOR), off + r.vector, r.vector_bytes);
        off = disk_align(off + r.bytes, DISK_ALIGN);
    }
    return off;
}

// What the writer has of section I in one piece, or NULL: it has none, or the section is made here.
static const struct bytes *held(const struct kvz_writer *w, size_t i)
{
    const struct bytes *of[N_SECTIONS] = {[S_BASE] = w->basis ? &w->base : NULL,
                                          [S_SUMMARY] = &w->summary,
                                          [S_SENTENCES] = &w->sentences,
                                          [S_WORDS] = &w->words};
    return of[i] && of[i]->n ? of[i] : NULL;
}

// Places the sections in the order of the file, as far as is known before the spool is read.
static int place_sections(struct finish *f, struct err *e)
{
    const struct writer_counts *at = &f->w->at;
    const struct {
        uint32_t tag, flags;
        uint64_t bytes; // 0: computed here, or the writer's
    } rows[] = {
        {TAG_BLOCKS, SECTION_REQUIRED | SECTION_SELF, at->data_bytes - DISK_PAGE},
        {TAG_DIR, SECTION_REQUIRED, at->n_blocks * sizeof(struct disk_block)},
        {TAG_VECTORS, SECTION_REQUIRED | SECTION_SELF, 0},
        {TAG_CHANNELS, SECTION_REQUIRED, f->w->meta.n_channels * sizeof(struct disk_channel)},
        {TAG_DOCS, SECTION_REQUIRED, at->n_documents * sizeof(struct disk_document)},
        {TAG_NAMES, SECTION_REQUIRED, at->names_bytes},
        {TAG_META, SECTION_REQUIRED, sizeof(struct disk_meta)},
        {TAG_TEXT, 0, at->text_bytes},
        {TAG_BASE, SECTION_REQUIRED, 0},
        {TAG_SUMMARY, 0, 0},
        {TAG_SENTENCES, 0, 0},
        {TAG_WORDS, 0, 0},
    };
    uint64_t off = DISK_PAGE;
    for (size_t i = 0; i < N_SECTIONS; i++) {
        struct disk_section *s = &f->sections[i];
        const struct bytes *whole = held(f->w, i);
        if (i >= S_BASE && !whole) // from there on all are the writer's
            continue;
        *s = (struct disk_section){rows[i].tag, rows[i].flags, off,
                                   whole ? whole->n : rows[i].bytes, 0};
        if (s->tag == TAG_VECTORS) {
            uint64_t end = place_runs(f, off);
            if (!end)
                return err_set(e, ERR_UNSUPPORTED, "%s: too many index vectors", f->w->path);
            s->bytes = end - off;
        }
        off = disk_align(off + s->bytes, DISK_PAGE);
    }
    lay(&f->arrays[OF_DIR], f->sections[S_DIR].off, f->sections[S_DIR].bytes);
    lay(&f->arrays[OF_DOCS], f->sections[S_DOCS].off, f->sections[S_DOCS].bytes);
    lay(&f->arrays[OF_NAMES], f->sections[S_NAMES].off, f->sections[S_NAMES].bytes);
    lay(&f->arrays[OF_TEXT], f->sections[S_TEXT].off, f->sections[S_TEXT].bytes);
    return 0;
}

static int deal_block(struct finish *f, struct cursor *c, struct err *e)
{
    const uint8_t *d = cursor_bytes(c, sizeof(struct disk_block));
    struct disk_block block;
    if (!d)
        return ERR_FORMAT;
    memcpy(&block, d, sizeof block);
    int rc = put(f, &f->arrays[OF_DIR], d, sizeof(struct disk_block), e);
    for (uint32_t i = 0; i < f->w->meta.n_channels && !rc; i++) {
        uint32_t n = cursor_u32(c);
        struct disk_run one;
        disk_run_layout(&one, 1, n, f->w->channels[i].dim, writer_is_narrow(f->w, i));
        const uint8_t *scale = cursor_bytes(c, one.scale_bytes);
        const uint8_t *token = cursor_bytes(c, one.token_bytes);
        const uint8_t *vector = cursor_bytes(c, one.vector_bytes);
        if (c->bad)
            return ERR_FORMAT;
        rc = put(f, run_array(f, i, RUN_START), &f->next_vector[i], 8, e);
        f->next_vector[i] += n;
        if (!rc)
            rc = put(f, run_array(f, i, RUN_SCALE), scale, one.scale_bytes, e);
        if (!rc)
            rc = put(f, run_array(f, i, RUN_TOKEN), token, one.token_bytes, e);
        if (!rc)
            rc = put(f, run_array(f, i, RUN_VECTOR), vector, one.vector_bytes, e);
    }
    const uint8_t *text = cursor_bytes(c, block.end - block.start);
    f->n_blocks++;
    return rc     ? rc
           : text ? put(f, &f->arrays[OF_TEXT], text, block.end - block.start, e)
                  : ERR_FORMAT;
}

static int deal_document(struct finish *f, struct cursor *c, struct err *e)
{
    const uint8_t *d = cursor_bytes(c, sizeof(struct disk_document));
    if (!d)
        return ERR_FORMAT;
    int rc = put(f, &f->arrays[OF_DOCS], d, sizeof(struct disk_document), e);
    if (!rc)
        rc = put(f, &f->arrays[OF_NAMES], c->p, c->left, e);
    c->left = 0;
    f->n_documents++;
    return rc;
}

static int deal_spool(struct finish *f, struct err *e)
{
    struct kvz_writer *w = f->w;
    uint64_t at = 0;
    int rc = 0;
    while (at < w->at.spool_bytes && !rc) {
        uint32_t tag;
        if ((rc = spool_next(w, &at, &tag, e)))
            return rc;
        struct cursor c = {w->entry.p, w->entry.n, 0};
        struct err why = {0};
        rc = tag == SPOOL_BLOCK ? deal_block(f, &c, &why) : deal_document(f, &c, &why);
        if (rc && why.code)
            rc = err_set(e, rc, "%s", why.msg);
        else if (rc || c.left)
            rc = err_set(e, ERR_FORMAT, "%s: is damaged", w->spool_path);
    }
    return rc;
}

// Writes the rest of every array, and the checksums that are known only now.
static int end_arrays(struct finish *f, struct err *e)
{
    struct kvz_writer *w = f->w;
    int rc = 0;
    for (uint32_t i = 0; i < w->meta.n_channels && !rc; i++)
        rc = put(f, run_array(f, i, RUN_START), &f->next_vector[i], 8, e);
    for (size_t i = 0; i < f->n_arrays && !rc; i++) {
        rc = flush(f, &f->arrays[i], e);
        if (!rc && f->arrays[i].off != f->arrays[i].end)
            rc = err_set(e, ERR_FORMAT, "%s: does not hold what was put there", w->spool_path);
    }
    if (rc)
        return rc;
    for (uint32_t i = 0; i < w->meta.n_channels; i++) {
        f->channels[i].start_check = hash_value(run_array(f, i, RUN_START)->hash);
        f->channels[i].scale_check = hash_value(run_array(f, i, RUN_SCALE)->hash);
        f->channels[i].token_check = hash_value(run_array(f, i, RUN_TOKEN)->hash);
        f->channels[i].vector_check = hash_value(run_array(f, i, RUN_VECTOR)->hash);
    }
    f->sections[S_DIR].check = hash_value(f->arrays[OF_DIR].hash);
    f->sections[S_DOCS].check = hash_value(f->arrays[OF_DOCS].hash);
    f->sections[S_NAMES].check = hash_value(f->arrays[OF_NAMES].hash);
    f->sections[S_TEXT].check = hash_value(f->arrays[OF_TEXT].hash);
    return 0;
}

static int write_section(struct finish *f, int i, const void *data, struct err *e)
{
    struct disk_section *s = &f->sections[i];
    s->check = hash64(data, s->bytes);
    return file_pwrite(f->w->data_fd, data, s->bytes, s->off, f->w->data_path, e);
}

static int write_header(struct finish *f, uint64_t *file_bytes, struct err *e)
{
    struct kvz_writer *w = f->w;
    struct disk_section table[N_SECTIONS];
    uint32_t n = 0;
    for (size_t i = 0; i < N_SECTIONS; i++)
        if (f->sections[i].tag)
            table[n++] = f->sections[i];
    const struct disk_section *last = &table[n - 1];
    const size_t table_bytes = n * sizeof *table;
    struct disk_header h = {.version = DISK_VERSION,
                            .n_sections = n,
                            .table_off = disk_align(last->off + last->bytes, DISK_PAGE),
                            .table_check = hash64(table, table_bytes),
                            .n_documents = w->at.n_documents,
                            .n_blocks = w->at.n_blocks,
                            .n_tokens = w->at.n_tokens};
    memcpy(h.magic, disk_magic, sizeof h.magic);
    h.file_bytes = h.table_off + table_bytes;
    h.check = hash64(&h, sizeof h - sizeof h.check);
    int rc = file_pwrite(w->data_fd, table, table_bytes, h.table_off, w->data_path, e);
    if (!rc)
        rc = file_pwrite(w->data_fd, &h, sizeof h, 0, w->data_path, e);
    *file_bytes = h.file_bytes;
    return rc;
}

static int write_sections(struct finish *f, uint64_t *file_bytes, struct err *e)
{
    struct kvz_writer *w = f->w;
    struct disk_meta meta;
    meta_to_disk(&meta, &w->meta);
    // After the cut, all gaps between sections read as zeros.
    if (ftruncate(w->data_fd, (off_t)w->at.data_bytes))
        return err_io(e, "%s: cannot cut", w->data_path);
    int rc = begin_arrays(f, e);
    if (!rc)
        rc = place_sections(f, e);
    if (!rc)
        rc = deal_spool(f, e);
    if (!rc)
        rc = end_arrays(f, e);
    if (!rc && (f->n_blocks != w->at.n_blocks || f->n_documents != w->at.n_documents))
        rc = err_set(e, ERR_FORMAT, "%s: does not hold what was put there", w->spool_path);
    if (!rc)
        rc = write_section(f, S_CHANNELS, f->channels, e);
    if (!rc)
        rc = write_section(f, S_META, &meta, e);
    for (size_t i = 0; i < N_SECTIONS && !rc; i++)
        if (held(w, i))
            rc = write_section(f, (int)i, held(w, i)->p, e);
    if (!rc)
        rc = write_header(f, file_bytes, e);
    return rc;
}

int kvz_finish(struct kvz_writer *w, uint64_t *file_bytes, struct err *e)
{
    if (w->at.in_document)
        return err_set(e, ERR_USAGE, "%s: '%s' has not ended", w->path, w->name);
    if (kvz_wants_sample(w))
        return err_set(e, ERR_USAGE, "%s: no sample has been seen", w->path);
    if (w->summary.n && w->summary_layers < w->meta.n_layers)
        return err_set(e, ERR_USAGE, "%s: %u layers of a summary state", w->path,
                       w->summary_layers);
    struct finish f = {.w = w};
    uint64_t bytes = 0;
    int rc = write_sections(&f, &bytes, e);
    for (size_t i = 0; f.arrays && i < f.n_arrays; i++)
        hash_free(f.arrays[i].hash);
    free(f.arrays);
    free(f.buf);
    free(f.channels);
    free(f.next_vector);
    if (!rc)
        file_keep_mode(w->data_fd, w->path);
    if (!rc && fsync(w->data_fd))
        rc = err_io(e, "%s: cannot sync", w->data_path);
    if (!rc)
        rc = file_as_seen(&w->was, w->path, e);
    if (!rc && rename(w->data_path, w->path))
        rc = err_io(e, "%s: cannot rename to %s", w->data_path, w->path);
    if (!rc)
        rc = file_sync_dir(w->path, e);
    if (rc)
        return rc;
    if (file_bytes)
        *file_bytes = bytes;
    // Closing the descriptor releases the lock; kvz_part_remove takes its own.
    close(w->dir_fd);
    w->dir_fd = -1;
    kvz_part_remove(w->path, &w->stays); // the index is whole, whatever else is in the directory
    return 0;
}

const char *kvz_writer_stays(const struct kvz_writer *w)
{
    return w->stays.code ? w->stays.msg : NULL;
}
