// The second vote: the same heads over the keys of every token of the best blocks. An index of few
// vectors a block finds the best few hundred of them; this puts those in the right order.
#include "engine/method/select_impl.h"

#include <stdlib.h>
#include <string.h>

#include "engine/method/probe.h"
#include "engine/method/score.h"
#include "io/mem.h"

// Keys of one layer for the blocks that are voted on, as 8-bit vectors for each kv head.
struct again {
    struct ballot *b;
    int64_t n;       // blocks, in document order
    int64_t *blocks; // [n]
    uint64_t *start; // [n + 1]
    uint32_t *skip;  // [n] tokens at the front of each that do not count
    uint8_t *token;  // [start[n]]
    int8_t *vectors; // [n_kv_heads][start[n]][head_dim]
    float *scale;    // [n_kv_heads][start[n]]
    float *k, *v;    // one block: [n_kv_heads][most][head_dim]
    uint32_t most;
    float *q, *rows, *z;
};

static int by_number(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

static int layout(struct again *g, struct err *e)
{
    struct ballot *b = g->b;
    if (!(g->blocks = mem_new((size_t)g->n, sizeof *g->blocks, e)) ||
        !(g->start = mem_new((size_t)g->n + 1, sizeof *g->start, e)) ||
        !(g->skip = mem_new((size_t)g->n, sizeof *g->skip, e)))
        return ERR_NOMEM;
    memcpy(g->blocks, b->order, (size_t)g->n * sizeof *g->blocks);
    qsort(g->blocks, (size_t)g->n, sizeof *g->blocks, by_number);
    for (int64_t i = 0; i < g->n; i++) {
        struct kvz_block info;
        uint64_t block;
        int index;
        ballot_locate(b, g->blocks[i], &index, &block);
        int rc = kvz_block(b->indexes[index], block, &info, e);
        if (rc)
            return rc;
        g->skip[i] = block ? 0 : b->skip[index];
        g->start[i + 1] = g->start[i] + info.n_tokens - g->skip[i];
        g->most = info.n_tokens > g->most ? info.n_tokens : g->most;
    }
    return 0;
}

static int buffers(struct again *g, int n_q, struct err *e)
{
    size_t n = g->start[g->n], kv = (size_t)g->b->m->info.n_kv_heads;
    size_t dim = (size_t)g->b->m->info.head_dim;
    if (!(g->token = mem_new(n, 1, e)) || !(g->vectors = mem_new(kv * n, dim, e)) ||
        !(g->scale = mem_new(kv * n, sizeof *g->scale, e)) ||
        !(g->k = mem_new(kv * g->most * dim, sizeof *g->k, e)) ||
        !(g->v = mem_new(kv * g->most * dim, sizeof *g->v, e)) ||
        !(g->q = mem_new(PROBE_ROOM(n_q, dim), sizeof *g->q, e)) ||
        !(g->rows = mem_new((size_t)g->n * (size_t)n_q, sizeof *g->rows, e)) ||
        !(g->z = mem_new((size_t)g->n, sizeof *g->z, e)))
        return ERR_NOMEM;
    return 0;
}

static int read_layer(struct again *g, int layer, struct err *e)
{
    const struct model_info *f = &g->b->m->info;
    size_t dim = (size_t)f->head_dim, n = g->start[g->n];
    for (int64_t i = 0; i < g->n; i++) {
        uint64_t block, tokens = g->start[i + 1] - g->start[i], from = g->skip[i];
        int index;
        ballot_locate(g->b, g->blocks[i], &index, &block);
        int rc = kvz_read_kv(g->b->indexes[index], block, (uint32_t)layer, g->k, g->v, g->most, e);
        if (rc)
            return rc;
        for (size_t h = 0; h < (size_t)f->n_kv_heads; h++)
            for (uint64_t t = 0; t < tokens; t++) {
                size_t at = h * n + g->start[i] + t;
                g->token[g->start[i] + t] = (uint8_t)t;
                score_bytes(g->k + (h * g->most + from + t) * dim, dim, g->vectors + at * dim,
                            g->scale + at);
            }
    }
    return 0;
}

static int vote(struct again *g, struct voter *v, const float *queries, int n_q, struct err *e)
{
    const struct model_info *f = &g->b->m->info;
    size_t at = (size_t)(v->head / (f->n_heads / f->n_kv_heads)) * g->start[g->n];
    struct score_keys keys = {
        g->vectors + at * (size_t)f->head_dim, g->scale + at, g->start, g->token, g->n, 0, 0};
    int n = ballot_probe(g->b, v, queries, n_q, g->q);
    enum reduce reduce = g->b->parts.reduce;
    int rc = reduce == REDUCE_POOL
                 ? score_pool(g->b->m, &keys, g->q, n, g->z, e)
                 : score_blocks(g->b->m, &keys, 0, reduce, g->q, n, g->rows, g->n, e);
    if (rc)
        return rc;
    if (reduce != REDUCE_POOL)
        score_reduce(reduce, g->rows, n, g->n, g->z);
    v->entropy = score_entropy(g->z, g->n);
    score_standardize(g->z, g->n);
    float low = 0;
    for (int64_t i = 0; i < g->n; i++)
        low = g->z[i] < low ? g->z[i] : low;
    for (int64_t i = 0; i < g->b->n_blocks; i++)
        v->z[i] = low;
    for (int64_t i = 0; i < g->n; i++)
        v->z[g->blocks[i]] = g->z[i];
    return 0;
}

int ballot_again(struct ballot *b, int layer, int64_t n, float *const *queries, int n_q,
                 struct err *e)
{
    struct again g = {.b = b, .n = n};
    int rc = layout(&g, e);
    if (!rc)
        rc = buffers(&g, n_q, e);
    for (int l = 0; !rc && l < b->m->info.n_layers; l++) {
        int ready = 0;
        for (int i = 0; !rc && i < b->n_voters; i++) {
            if (b->voters[i].layer != l || (layer >= 0 && l != layer))
                continue;
            rc = ready ? 0 : read_layer(&g, l, e);
            ready = 1;
            if (!rc)
                rc = vote(&g, &b->voters[i], queries[l], n_q, e);
        }
    }
    ballot_count(b);
    if (!rc)
        rc = ballot_sort(b->order, b->score, n, e);
    free(g.blocks);
    free(g.start);
    free(g.skip);
    free(g.token);
    free(g.vectors);
    free(g.scale);
    free(g.k);
    free(g.v);
    free(g.q);
    free(g.rows);
    free(g.z);
    return rc;
}
