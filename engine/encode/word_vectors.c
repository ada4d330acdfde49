#include "engine/encode/word_vectors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/embed/reduce.h"
#include "io/mem.h"

enum {
    DIMENSIONS = 64, // of a word's vector in the index
    SAMPLE = 4096,   // words that the basis is fitted to
};

void word_vectors_begin(struct word_vectors *v, int n_embd)
{
    *v = (struct word_vectors){.wide = n_embd, .dim = n_embd < DIMENSIONS ? n_embd : DIMENSIONS};
}

// Memory for a basis.
static int make_basis(struct word_vectors *v, struct err *e)
{
    v->basis = mem_new((size_t)v->dim * (size_t)v->wide, sizeof *v->basis, e);
    return v->basis ? 0 : ERR_NOMEM;
}

int word_vectors_go_on(struct word_vectors *v, const struct kvz_words *old, struct err *e)
{
    const size_t n = (size_t)old->n, n_sentences = (size_t)old->n_sentences;
    v->dim = (int)old->dim;
    int rc = make_basis(v, e);
    rc = rc ? rc : MEM_GROW(v->first, v->first_cap, n_sentences + 1, e);
    rc = rc ? rc : MEM_GROW(v->vector, v->cap, n * old->dim, e);
    if (rc)
        return rc;
    memcpy(v->basis, old->basis, (size_t)old->dim * old->wide * sizeof *v->basis);
    memcpy(v->first, old->first, (n_sentences + 1) * sizeof *v->first);
    memcpy(v->vector, old->vector, n * old->dim);
    v->n_sentences = n_sentences;
    v->n = n;
    return 0;
}

// Adds N words ROWS to the batch.
static int reduce(struct word_vectors *v, const float *rows, size_t n, struct err *e)
{
    float unit[KVZ_DIM_MAX];
    const size_t dim = (size_t)v->dim;
    int rc = MEM_GROW(v->batch, v->batch_cap, (v->n_batch + n) * dim, e);
    for (size_t i = 0; !rc && i < n; i++, rows += v->wide, v->n_batch++) {
        reduce_unit(v->basis, v->wide, v->dim, rows, unit);
        for (size_t d = 0; d < dim; d++)
            v->batch[v->n_batch * dim + d] = (int8_t)lrintf(unit[d] * KVZ_WORD_MOST);
    }
    return rc;
}

// Fits the basis to the sample, which then is a part of the batch like any other.
static int fit(struct word_vectors *v, struct err *e)
{
    int rc = make_basis(v, e);
    if (rc || (rc = reduce_fit(v->sample, v->n_sample, v->wide, v->dim, v->basis, e)))
        return rc;
    rc = reduce(v, v->sample, v->n_sample, e);
    free(v->sample);
    v->sample = NULL;
    v->n_sample = v->sample_cap = 0;
    return rc;
}

int word_vectors_take(void *arg, int text, const float *rows, int n, struct err *e)
{
    struct word_vectors *v = arg;
    const size_t some = (size_t)n, wide = (size_t)v->wide;
    int rc = MEM_GROW(v->text, v->text_cap, (size_t)text + 2, e);
    if (rc)
        return rc;
    v->text[0] = 0;
    v->text[text + 1] = v->text[text] + some;
    if (v->basis)
        return reduce(v, rows, some, e);
    if ((rc = MEM_GROW(v->sample, v->sample_cap, (v->n_sample + some) * wide, e)))
        return rc;
    memcpy(v->sample + v->n_sample * wide, rows, some * wide * sizeof *rows);
    v->n_sample += some;
    return v->n_sample >= SAMPLE ? fit(v, e) : 0;
}

int word_vectors_taken(struct word_vectors *v, struct err *e)
{
    return v->n_sample ? fit(v, e) : 0;
}

int word_vectors_add(struct word_vectors *v, int text, struct err *e)
{
    const size_t from = v->text[text], n = v->text[text + 1] - from, dim = (size_t)v->dim;
    int rc = MEM_GROW(v->first, v->first_cap, v->n_sentences + 2, e);
    rc = rc ? rc : MEM_GROW(v->vector, v->cap, (v->n + n) * dim, e);
    if (rc)
        return rc;
    memcpy(v->vector + v->n * dim, v->batch + from * dim, n * dim);
    v->first[0] = 0;
    v->first[++v->n_sentences] = v->n += n;
    return 0;
}

struct kvz_words word_vectors_all(const struct word_vectors *v)
{
    return (struct kvz_words){.n = v->n,
                              .n_sentences = v->n_sentences,
                              .dim = (uint32_t)v->dim,
                              .wide = (uint32_t)v->wide,
                              .basis = v->basis,
                              .first = v->first,
                              .vector = v->vector};
}

void word_vectors_done(struct word_vectors *v)
{
    free(v->basis);
    free(v->sample);
    free(v->batch);
    free(v->text);
    free(v->first);
    free(v->vector);
}
