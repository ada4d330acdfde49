// Section WORD: the vectors of the words of the sentences that section SENT has.
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "cache/format.h"
#include "cache/reader.h"
#include "cache/record.h"
#include "cache/writer.h"

// Where the arrays of the section are, from its start.
struct layout {
    uint64_t basis, first, vectors, bytes;
};

// R32: whether there can be what D says, laid out as *Y.
static int lay_out(struct layout *y, const struct disk_words *d)
{
    const uint64_t most = UINT64_C(1) << 40;
    if (d->n < 1 || d->n > most || d->n_sentences < 1 || d->n_sentences > most || d->dim < 1 ||
        d->dim > d->wide || d->wide > DISK_DIM_MAX)
        return 0;
    y->basis = disk_align(sizeof *d, DISK_ALIGN);
    y->first = disk_align(y->basis + (uint64_t)d->dim * d->wide * sizeof(int16_t), DISK_ALIGN);
    y->vectors = disk_align(y->first + (d->n_sentences + 1) * sizeof(uint64_t), DISK_ALIGN);
    y->bytes = y->vectors + d->n * d->dim;
    return 1;
}

// R33
static int are_dealt(const struct kvz_words *v)
{
    int ok = !v->first[0] && v->first[v->n_sentences] == v->n;
    for (uint64_t i = 0; i < v->n_sentences; i++)
        ok &= v->first[i] <= v->first[i + 1];
    return ok;
}

int kvz_put_words(struct kvz_writer *w, const struct kvz_words *v, struct err *e)
{
    const struct disk_words d = {v->n, v->n_sentences, v->dim, v->wide};
    struct disk_sentences s = {0};
    struct layout y;
    struct bytes to = {0};
    if (w->sentences.n)
        memcpy(&s, w->sentences.p, sizeof s);
    if (s.n != d.n_sentences || s.dim != d.wide || !lay_out(&y, &d) || !are_dealt(v))
        return err_set(e, ERR_USAGE, "%s: vectors of words that make no sense", w->path);
    if (!bytes_add(&to, y.bytes, e))
        return ERR_NOMEM;
    memcpy(to.p, &d, sizeof d);
    memcpy(to.p + y.basis, v->basis, (size_t)d.dim * d.wide * sizeof *v->basis);
    memcpy(to.p + y.first, v->first, (d.n_sentences + 1) * sizeof *v->first);
    memcpy(to.p + y.vectors, v->vector, d.n * d.dim);
    free(w->words.p);
    w->words = to;
    return 0;
}

// R1
static int padding_ok(const uint8_t *p, const struct disk_words *d, const struct layout *y)
{
    const uint64_t head = sizeof *d,
                   basis = y->basis + (uint64_t)d->dim * d->wide * sizeof(int16_t),
                   first = y->first + (d->n_sentences + 1) * sizeof(uint64_t);
    return record_zeros(p + head, y->basis - head) && record_zeros(p + basis, y->first - basis) &&
           record_zeros(p + first, y->vectors - first);
}

// The section T, of sentences S, as *V. WHOLE: it has been checked before. 0: it breaks a rule.
static int take(const struct kvz *k, const struct disk_section *t, const struct kvz_sentences *s,
                int whole, struct kvz_words *v)
{
    const uint8_t *p = k->map.data + t->off;
    struct disk_words d = {0};
    struct layout y;
    if (t->bytes >= sizeof d)
        memcpy(&d, p, sizeof d);
    if (!lay_out(&y, &d) || y.bytes != t->bytes || d.n_sentences != s->n || d.wide != s->dim)
        return 0;
    *v = (struct kvz_words){.n = d.n,
                            .n_sentences = d.n_sentences,
                            .dim = d.dim,
                            .wide = d.wide,
                            .basis = (const int16_t *)(const void *)(p + y.basis),
                            .first = (const uint64_t *)(const void *)(p + y.first),
                            .vector = (const int8_t *)(p + y.vectors)};
    return whole || (padding_ok(p, &d, &y) && are_dealt(v));
}

int kvz_words(const struct kvz *k, struct kvz_words *v, struct err *e)
{
    const struct disk_section *t = &k->of[S_WORDS];
    struct kvz_sentences s;
    *v = (struct kvz_words){0};
    if (!t->tag)
        return 0;
    const int whole = atomic_load(&k->checked->words);
    int rc = kvz_sentences(k, &s, e);
    if (!rc && !whole)
        rc = reader_section(k, t, e);
    if (rc)
        return rc;
    if (!take(k, t, &s, whole, v)) {
        *v = (struct kvz_words){0};
        return err_set(e, ERR_FORMAT, "%s: section WORD is wrong", k->path);
    }
    atomic_store(&k->checked->words, 1);
    return 0;
}
