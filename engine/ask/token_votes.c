#include "engine/ask/token_votes.h"

#include <math.h>
#include <stdlib.h>

#include "engine/method/probe.h"
#include "engine/method/score.h"
#include "io/mem.h"

// The keys of some tokens of a block, by which voters score these: the index's where it keeps them
// apart, else the block's stored ones.
struct block_keys {
    const struct kvz *k_of; // N tokens of its BLOCK, from token SKIP on
    uint64_t block;
    uint32_t skip, n;
    uint64_t end[2]; // where these keys begin and end, as those of one block
    float *k, *v;    // [n_kv_heads][skip + n][head_dim]
    int8_t *vectors; // [n][head_dim]
    float *scale;    // [n]
    uint8_t *token;  // [n] zeros: all of them count
    int kept;
};

// Room for N tokens of block GLOBAL from token SKIP on.
static int block_keys_new(struct block_keys *y, const struct ballot *b, int64_t global,
                          uint32_t skip, uint32_t n, struct err *e)
{
    const size_t dim = (size_t)b->m->info.head_dim,
                 kv = (size_t)b->m->info.n_kv_heads * (skip + n) * dim;
    int index;
    *y = (struct block_keys){.skip = skip, .n = n, .end = {0, n}};
    ballot_locate(b, global, &index, &y->block);
    y->k_of = b->indexes[index];
    y->kept = b->parts.represent == REPRESENT_KEYS && b->parts.voters == b->parts.kept;
    if (!(y->token = mem_new(n, 1, e)))
        return ERR_NOMEM;
    if (y->kept)
        return 0;
    if (!(y->k = mem_new(kv, sizeof *y->k, e)) || !(y->v = mem_new(kv, sizeof *y->v, e)) ||
        !(y->vectors = mem_new(n * dim, sizeof *y->vectors, e)) ||
        !(y->scale = mem_new(n, sizeof *y->scale, e)))
        return ERR_NOMEM;
    return 0;
}

static void block_keys_done(struct block_keys *y)
{
    free(y->k);
    free(y->v);
    free(y->vectors);
    free(y->scale);
    free(y->token);
}

// OUT: the keys that voter V scores.
static int block_keys_of(struct block_keys *y, const struct ballot *b, const struct voter *v,
                         struct score_keys *out, struct err *e)
{
    const struct model_info *f = &b->m->info;
    const size_t dim = (size_t)f->head_dim;
    *out = (struct score_keys){.start = y->end, .token = y->token, .n_blocks = 1};
    if (y->kept) {
        struct kvz_run run;
        int rc = ballot_run(b, y->k_of, v->layer, v->head, &run, e);
        if (rc)
            return rc;
        const uint64_t from = run.start[y->block] + y->skip;
        if (run.start[y->block + 1] < from + y->n)
            return err_set(e, ERR_FORMAT,
                           "%s: block %llu has fewer vectors in the index of layer %d head %d than "
                           "tokens",
                           kvz_path(y->k_of), (unsigned long long)y->block, v->layer, v->head);
        out->vectors = run.vectors + from * dim;
        out->scale = run.scale + from;
        return 0;
    }
    const uint32_t all = y->skip + y->n;
    int rc = kvz_read_kv(y->k_of, y->block, (uint32_t)v->layer, y->k, y->v, all, e);
    if (rc)
        return rc;
    const size_t kv_head = (size_t)(v->head / (f->n_heads / f->n_kv_heads));
    const float *own = y->k + (kv_head * all + y->skip) * dim;
    for (uint32_t t = 0; t < y->n; t++)
        score_bytes(own + t * dim, dim, y->vectors + t * dim, y->scale + t);
    out->vectors = y->vectors;
    out->scale = y->scale;
    return 0;
}

// SUM [n]: the weighted mean over all voters of the z-scores of the N tokens of block GLOBAL from
// SKIP on.
static int sum_votes(const struct ballot *b, int64_t global, float *const *queries, int n_q,
                     uint32_t skip, uint32_t n, double *sum, struct err *e)
{
    size_t dim = (size_t)b->m->info.head_dim;
    struct block_keys y = {0};
    float *q = mem_new(PROBE_ROOM(n_q, dim), sizeof *q, e), *row = mem_new(n, sizeof *row, e);
    double weights = 0;
    int rc = q && row ? block_keys_new(&y, b, global, skip, n, e) : ERR_NOMEM;
    for (int i = 0; !rc && i < b->n_voters; i++) {
        const struct voter *v = &b->voters[i];
        struct score_keys keys;
        if ((rc = block_keys_of(&y, b, v, &keys, e)))
            break;
        int n_v = ballot_probe(b, v, queries[v->layer], n_q, q);
        rc = score_vectors(b->m, &keys, q, n_v, row, e);
        score_standardize(row, n);
        for (uint32_t t = 0; !rc && t < n; t++)
            sum[t] += (double)(v->weight * row[t]);
        weights += (double)v->weight;
    }
    for (uint32_t t = 0; t < n && weights > 0; t++)
        sum[t] /= weights;
    block_keys_done(&y);
    free(q);
    free(row);
    return rc;
}

int token_votes(const struct ballot *b, int64_t global, float *const *queries, int n_q,
                double **votes, uint32_t *n, struct err *e)
{
    uint64_t block;
    int index;
    struct kvz_block info;
    *votes = NULL;
    *n = 0;
    if (!b->n_voters || b->voters[0].head < 0 ||
        (b->parts.voters != VOTERS_PROFILE && b->parts.kept != VOTERS_ALL))
        return 0;
    ballot_locate(b, global, &index, &block);
    int rc = kvz_block(b->indexes[index], block, &info, e);
    const uint32_t skip = block ? 0 : b->skip[index];
    if (rc || skip >= info.n_tokens)
        return rc;
    if (!(*votes = mem_new(info.n_tokens, sizeof **votes, e)))
        return ERR_NOMEM;
    *n = info.n_tokens;
    for (uint32_t t = 0; t < skip; t++)
        (*votes)[t] = -INFINITY;
    return sum_votes(b, global, queries, n_q, skip, *n - skip, *votes + skip, e);
}

int token_votes_best(const struct ballot *b, int64_t global, float *const *queries, int n_q,
                     int *found, uint32_t *token, struct err *e)
{
    double *votes;
    uint32_t n;
    int rc = token_votes(b, global, queries, n_q, &votes, &n, e);
    *found = 0;
    for (uint32_t t = 0; !rc && t < n; t++)
        if (!*found || votes[t] > votes[*token]) {
            *token = t;
            *found = 1;
        }
    free(votes);
    return rc;
}
