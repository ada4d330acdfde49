// The keys and values of a summary state: its own or, if it has none, those in the blocks of its
// tokens.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cache/reader.h"
#include "io/mem.h"

// Rows of a layer's state that are collected from the blocks.
struct picked {
    const uint32_t *token; // [n_kv_heads][n]
    uint32_t n, *at;       // at: [n_kv_heads] tokens found so far
    float *k, *v;          // [n_kv_heads][n][head_dim]; NULL: only looks for them
    float *kv;             // of a block: [2][n_kv_heads][tokens][head_dim]
};

// The first token that is still missing; UINT64_MAX: none is.
static uint64_t next_token(const struct picked *r, uint32_t heads)
{
    uint64_t next = UINT64_MAX;
    for (uint32_t h = 0; h < heads; h++)
        if (r->at[h] < r->n && r->token[h * (size_t)r->n + r->at[h]] < next)
            next = r->token[h * (size_t)r->n + r->at[h]];
    return next;
}

// Takes the rows that BLOCK has.
static int take_rows(const struct kvz *k, uint64_t block, const struct kvz_block *b, uint32_t layer,
                     struct picked *r, struct err *e)
{
    const size_t heads = k->meta.n_kv_heads, dim = k->meta.head_dim,
                 of_v = heads * b->n_tokens * dim;
    int rc = r->k ? kvz_read_kv(k, block, layer, r->kv, r->kv + of_v, b->n_tokens, e) : 0;
    for (size_t h = 0; h < heads && !rc; h++)
        for (; r->at[h] < r->n; r->at[h]++) {
            size_t to = h * r->n + r->at[h];
            uint64_t t = r->token[to] - b->token;
            if (t >= b->n_tokens)
                break;
            if (!r->k)
                continue;
            memcpy(r->k + to * dim, r->kv + (h * b->n_tokens + t) * dim, dim * sizeof(float));
            memcpy(r->v + to * dim, r->kv + of_v + (h * b->n_tokens + t) * dim,
                   dim * sizeof(float));
        }
    return rc;
}

int reader_summary_kv(const struct kvz *k, const struct kvz_summary *s, uint32_t layer, float *kk,
                      float *vv, struct err *e)
{
    const struct kvz_meta *m = &k->meta;
    const size_t heads = m->n_kv_heads, lanes = m->n_layers * heads;
    uint32_t *token = mem_new(lanes * s->n, sizeof *token, e);
    struct picked r = {.token = token + layer * heads * s->n, .n = s->n, .k = kk, .v = vv};
    r.at = mem_new(heads, sizeof *r.at, e);
    r.kv = mem_new(2 * heads * m->block, m->head_dim * sizeof *r.kv, e);
    int rc = token && r.at && r.kv ? kvz_read_summary(k, token, NULL, e) : ERR_NOMEM;
    uint64_t t = rc ? UINT64_MAX : next_token(&r, m->n_kv_heads);
    for (uint64_t i = 0; t != UINT64_MAX && !rc; i++) {
        struct kvz_block b = {0};
        if (i == k->head.n_blocks) // R27
            rc = err_set(e, ERR_FORMAT, "%s: no block has token %" PRIu64 " of the summary state",
                         k->path, t);
        else
            rc = kvz_block(k, i, &b, e);
        if (rc || t < b.token || t - b.token >= b.n_tokens)
            continue;
        if (!(rc = take_rows(k, i, &b, layer, &r, e)))
            t = next_token(&r, m->n_kv_heads);
    }
    free(token);
    free(r.at);
    free(r.kv);
    return rc;
}

int kvz_read_summary_kv(const struct kvz *k, uint32_t layer, float *kk, float *vv, struct err *e)
{
    struct kvz_summary s;
    int rc = kvz_summary(k, &s, e);
    if (rc)
        return rc;
    if (!s.n || layer >= k->meta.n_layers)
        return err_set(e, ERR_USAGE, "%s: has no summary state of layer %u", k->path, layer);
    return s.own_kv ? reader_summary_own(k, &s, layer, kk, vv, e)
                    : reader_summary_kv(k, &s, layer, kk, vv, e);
}
