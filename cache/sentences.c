// Section SENT: the vectors that an embedder made of the documents' sentences.
#define _GNU_SOURCE
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cache/format.h"
#include "cache/reader.h"
#include "cache/record.h"
#include "cache/writer.h"

// Where the arrays of the section are, from its start.
struct layout {
    uint64_t entries, scales, vectors, bytes;
};

// R29: whether there can be N vectors of DIM dimensions, laid out as *Y.
static int lay_out(struct layout *y, uint64_t n, uint32_t dim)
{
    if (n < 1 || n > UINT64_C(1) << 40 || dim < 1 || dim > DISK_DIM_MAX)
        return 0;
    y->entries = disk_align(sizeof(struct disk_sentences), DISK_ALIGN);
    y->scales = disk_align(y->entries + n * sizeof(struct kvz_sentence), DISK_ALIGN);
    y->vectors = disk_align(y->scales + n * sizeof(float), DISK_ALIGN);
    y->bytes = y->vectors + n * dim;
    return 1;
}

// R30, but for where documents end.
static int are_in_order(const struct kvz_sentences *s)
{
    int ok = 1;
    for (uint64_t i = 0; i < s->n; i++) {
        const struct kvz_sentence *a = s->v + i - (i > 0), *b = s->v + i;
        ok &= b->bytes > 0 &&
              (a->document < b->document || (a->document == b->document && a->start <= b->start));
    }
    return ok;
}

static int is_within(const struct kvz_sentence *s, uint64_t document_bytes)
{
    return s->start <= document_bytes && s->bytes <= document_bytes - s->start;
}

// R31
static int scales_ok(const struct kvz_sentences *s)
{
    int ok = 1;
    for (uint64_t i = 0; i < s->n; i++)
        ok &= s->scale[i] >= 0 && s->scale[i] < INFINITY;
    return ok;
}

// R30, for the documents of a writer.
static int are_written(struct kvz_writer *w, const struct kvz_sentences *s, struct err *e)
{
    uint64_t bytes = 0;
    int rc = 0;
    for (uint64_t i = 0; i < s->n && !rc; i++) {
        if (!i || s->v[i].document != s->v[i - 1].document)
            rc = kvz_writer_text_bytes(w, s->v[i].document, &bytes, e);
        if (!rc && !is_within(&s->v[i], bytes))
            rc = err_set(e, ERR_USAGE, "%s: a sentence of text that is not written yet", w->path);
    }
    return rc;
}

int kvz_put_sentences(struct kvz_writer *w, const struct kvz_sentences *s, struct err *e)
{
    struct layout y;
    struct bytes to = {0};
    if (!s->n) {
        w->sentences.n = w->words.n = 0;
        return 0;
    }
    if (!lay_out(&y, s->n, s->dim) || strlen(s->name) >= KVZ_NAME_MAX || !are_in_order(s) ||
        !scales_ok(s))
        return err_set(e, ERR_USAGE, "%s: vectors of sentences that make no sense", w->path);
    int rc = are_written(w, s, e);
    if (rc)
        return rc;
    if (!bytes_add(&to, y.bytes, e))
        return ERR_NOMEM;
    struct disk_sentences d = {.n = s->n, .dim = s->dim, .digest = s->digest};
    memcpy(d.name, s->name, strlen(s->name));
    memcpy(to.p, &d, sizeof d);
    memcpy(to.p + y.entries, s->v, s->n * sizeof *s->v);
    memcpy(to.p + y.scales, s->scale, s->n * sizeof *s->scale);
    memcpy(to.p + y.vectors, s->vector, s->n * s->dim);
    free(w->sentences.p);
    w->sentences = to;
    w->words.n = 0;
    return 0;
}

// R30, for the documents of an index; where they are damaged they are not looked at.
static int are_there(const struct kvz *k, const struct kvz_sentences *s)
{
    struct disk_document d = {0};
    int ok = 1;
    for (uint64_t i = 0; k->docs_ok && ok && i < s->n; i++) {
        ok = s->v[i].document < k->head.n_documents;
        if (ok && (!i || s->v[i].document != s->v[i - 1].document))
            d = reader_document(k, s->v[i].document);
        ok = ok && is_within(&s->v[i], d.bytes);
    }
    return ok;
}

// R1
static int padding_ok(const uint8_t *p, const struct disk_sentences *d, const struct layout *y)
{
    const size_t name = strnlen(d->name, sizeof d->name), head = sizeof *d;
    const uint64_t entries = y->entries + d->n * sizeof(struct kvz_sentence),
                   scales = y->scales + d->n * sizeof(float);
    return !d->zero && name < sizeof d->name &&
           record_zeros((const uint8_t *)d->name + name, sizeof d->name - name) &&
           record_zeros(p + head, y->entries - head) &&
           record_zeros(p + entries, y->scales - entries) &&
           record_zeros(p + scales, y->vectors - scales);
}

// The section T as *S. WHOLE: it has been checked before. 0: it breaks a rule.
static int take(const struct kvz *k, const struct disk_section *t, int whole,
                struct kvz_sentences *s)
{
    const uint8_t *p = k->map.data + t->off;
    struct disk_sentences d = {0};
    struct layout y;
    if (t->bytes >= sizeof d)
        memcpy(&d, p, sizeof d);
    if (!lay_out(&y, d.n, d.dim) || y.bytes != t->bytes)
        return 0;
    *s = (struct kvz_sentences){.n = d.n,
                                .dim = d.dim,
                                .digest = d.digest,
                                .name = (const char *)p + offsetof(struct disk_sentences, name),
                                .v = (const struct kvz_sentence *)(const void *)(p + y.entries),
                                .scale = (const float *)(const void *)(p + y.scales),
                                .vector = (const int8_t *)(p + y.vectors)};
    return whole || (padding_ok(p, &d, &y) && are_in_order(s) && are_there(k, s) && scales_ok(s));
}

int kvz_sentences(const struct kvz *k, struct kvz_sentences *s, struct err *e)
{
    const struct disk_section *t = &k->of[S_SENTENCES];
    *s = (struct kvz_sentences){0};
    if (!t->tag)
        return 0;
    const int whole = atomic_load(&k->checked->sentences);
    int rc = whole ? 0 : reader_section(k, t, e);
    if (rc)
        return rc;
    if (!take(k, t, whole, s)) {
        *s = (struct kvz_sentences){0};
        return err_set(e, ERR_FORMAT, "%s: section SENT is wrong", k->path);
    }
    atomic_store(&k->checked->sentences, 1);
    return 0;
}
