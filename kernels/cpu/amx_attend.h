// Attention of many queries on AMX tiles: as kernels/cpu/simd_attend.h and cut like it, but
// queries, keys, probabilities and values are rounded to bfloat16; scores and all sums are float32.
//
//   1. keys (turned) and values become tiles, 32 keys at a time: once for each kv head;
//   2. a task takes a run of query tiles (kernels/cpu/amx_attend_tile.h).
#ifndef LCTOOL_KERNELS_CPU_AMX_ATTEND_H
#define LCTOOL_KERNELS_CPU_AMX_ATTEND_H

#include "kernels/cpu/amx_attend_tile.h"
#include "kernels/cpu/simd_attend_few.h"

enum {
    AMX_STRIP = 512 << 10, // probabilities of one query tile, if masses want them: within the
                           // second-level cache
    AMX_TILE_ROWS = 64,    // rows of a query tile, if the strip allows
};

// ---- 1. Keys and values

static void amx_key_panel(const struct amx_attention *x, int kv, size_t panel, float *rows)
{
    const struct attention *t = &x->t;
    const struct attend *a = t->a;
    int piece = piece_of(t, panel);
    const struct attend_piece *p = &a->pieces[piece];
    size_t first = (panel - t->first_panel[piece]) * TILE_N, wide = amx_padded(x);
    size_t n = (size_t)p->n - first < TILE_N ? (size_t)p->n - first : TILE_N;
    size_t from = (size_t)(t->kv0 + kv) * (size_t)p->stride + first;
    memset(rows, 0, TILE_N * wide * sizeof *rows);
    for (size_t i = 0; i < n; i++)
        rotate(rows + i * wide, p->k + (from + i) * t->d,
               p->k_rope ? p->k_rope + (first + i) * (size_t)a->rope_dim : NULL, a, 1);
    uint16_t *to = x->keys + ((size_t)kv * t->n_panels + panel) * 2 * x->k_steps * AMX_TILE;
    for (size_t half = 0; half < 2; half++)
        for (size_t s = 0; s < x->k_steps; s++, to += AMX_TILE) {
            __m512i r[AMX_ROWS];
            for (size_t i = 0; i < AMX_ROWS; i++) {
                const float *src = rows + (i / 4 * 8 + half * 4 + i % 4) * wide + s * AMX_K;
                r[i] = amx_narrow(v_load(src), v_load(src + VW));
            }
            amx_store_b(to, r);
        }
    const float *v = p->v + from * t->d;
    to = x->values + ((size_t)kv * 2 * x->k_steps * t->n_panels + panel) * AMX_TILE;
    for (size_t s = 0; s < 2 * x->k_steps; s++, to += t->n_panels * AMX_TILE)
        for (size_t pair = 0; pair < AMX_ROWS; pair++) {
            int m = (int)t->d - (int)(s * VW);
            vf first_v = 2 * pair < n ? load_upto(v + 2 * pair * t->d + s * VW, m) : v_set1(0);
            vf second_v =
                2 * pair + 1 < n ? load_upto(v + (2 * pair + 1) * t->d + s * VW, m) : v_set1(0);
            _mm512_storeu_si512(to + pair * AMX_K, amx_pairs(first_v, second_v));
        }
}

static void amx_keys_task(void *ctx, int task, int thread)
{
    const struct amx_attention *x = ctx;
    struct amx_strip s = amx_strip_of(x, thread);
    size_t per_head = (x->t.n_panels + KEY_PANELS - 1) / KEY_PANELS;
    size_t first = (size_t)task % per_head * KEY_PANELS;
    for (size_t p = first; p < first + KEY_PANELS && p < x->t.n_panels; p++)
        amx_key_panel(x, (int)((size_t)task / per_head), p, s.row);
}

// ---- 2. Tiles of queries

static void amx_run_task(void *ctx, int task, int thread)
{
    const struct amx_attention *x = ctx;
    amx_begin();
    run_tiles(&x->t, x, amx_attend_tile, task, thread);
    amx_end();
}

// The cut into tiles of queries, tasks and memory, by the sizes alone.
static void amx_plan_tiles(struct amx_attention *x)
{
    struct attention *t = &x->t;
    for (int i = 0; i < t->a->n_pieces; i++)
        x->masses |= t->a->pieces[i].mass || t->a->self_mass;
    x->k_steps = (t->d + AMX_K - 1) / AMX_K;
    x->kept = x->masses ? t->n_panels : AMX_BLOCK;
    size_t most = AMX_STRIP / (x->kept * TILE_N + 1);
    cut_queries(t, most < AMX_TILE_ROWS ? most : AMX_TILE_ROWS);
    x->rows = ((size_t)(t->tile_q * t->group) + AMX_PAIR - 1) / AMX_PAIR * AMX_PAIR;
}

// Lays the working memory out; 0 when there is none.
static int amx_plan_memory(struct cpu *c, struct amx_attention *x)
{
    struct attention *t = &x->t;
    size_t per_kv = t->n_panels * 4 * x->k_steps * AMX_TILE,
           threads = (size_t)pool_threads(c->pool);
    cut_heads(t, per_kv / 2);
    size_t n = (size_t)t->n_kv;
    x->scratch_bytes = amx_strip_floats(x) * sizeof(float) + amx_strip_halves(x) * sizeof *x->keys;
    float *at = cpu_scratch(c, shared_floats(t) * sizeof(float) + per_kv * n * sizeof *x->keys +
                                   x->scratch_bytes * threads);
    if (!at)
        return 0;
    x->keys = (uint16_t *)(void *)lay_shared(t, at);
    x->values = x->keys + n * t->n_panels * 2 * x->k_steps * AMX_TILE;
    x->scratch = (uint8_t *)(x->keys + per_kv * n);
    return 1;
}

static void amx_attend(struct cpu *c, const struct attend *a)
{
    struct amx_attention x = {.t = attention_of(a, 1)};
    if (c->exact || few_attends(a)) {
        simd_attend_any(c, a);
        return;
    }
    amx_plan_tiles(&x);
    if (amx_plan_memory(c, &x))
        attend_heads(c, &x.t,
                     &(struct steps){amx_keys_task, amx_run_task, key_tasks_of(&x.t), NULL}, &x);
}

#endif
