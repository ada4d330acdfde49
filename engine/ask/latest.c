#include "engine/ask/latest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/mem.h"

enum {
    BELOW = 4
}; // by which such blocks' scores, means of z-scores, are below the least other one

// Marks in IS [blocks of K] those of such documents; returns how many these are, or an error.
static int64_t mark(unsigned char *is, struct kvz *k, struct err *e)
{
    int64_t blocks = 0;
    for (uint64_t i = 0; i < kvz_n_documents(k); i++) {
        struct kvz_document d;
        const int superseded = kvz_is_superseded(k, i, e),
                  rc = superseded > 0 ? kvz_document(k, i, &d, e) : superseded;
        if (rc)
            return rc;
        if (!superseded)
            continue;
        memset(is + d.first_block, 1, (size_t)d.n_blocks);
        blocks += (int64_t)d.n_blocks;
    }
    return blocks;
}

// Puts the blocks that IS marks behind all others, with lower scores.
static int put_last(struct ballot *b, const unsigned char *is, struct err *e)
{
    const int64_t n = ballot_put_last(b, is, e);
    double least = 0;
    for (int64_t i = 0; i < n; i++)
        least = fmin(least, b->score[b->order[i]]);
    for (int64_t i = n; n >= 0 && i < b->n_blocks; i++)
        b->score[b->order[i]] = fmin(b->score[b->order[i]], least) - BELOW;
    return n < 0 ? (int)n : 0;
}

int latest_first(struct ballot *b, struct err *e)
{
    int rc = 0, several = 0;
    for (int i = 0; i < b->n_indexes; i++)
        several |= kvz_n_documents(b->indexes[i]) > 1;
    if (!several || !b->n_blocks)
        return 0;
    unsigned char *is = mem_new((size_t)b->n_blocks, 1, e);
    int64_t blocks = 0;
    if (!is)
        return ERR_NOMEM;
    for (int i = 0; i < b->n_indexes && !rc; i++) {
        const int64_t n = mark(is + b->base[i], b->indexes[i], e);
        rc = n < 0 ? (int)n : 0;
        blocks += n;
    }
    if (!rc && blocks && blocks < b->n_blocks)
        rc = put_last(b, is, e);
    free(is);
    return rc;
}
