// Attention of many queries on AMX tiles: as kernels/cpu/simd_attend.h, from which the cut into
// tasks, the masks and the masses come, but queries, keys, probabilities and values are rounded to
// bfloat16; scores and all sums are float32.
//
//   1. keys (turned) and values become tiles, 32 keys at a time: once for each kv head;
//   2. a task takes a run of query tiles (kernels/cpu/amx_attend_tile.h).
#ifndef LCTOOL_KERNELS_AMX_ATTEND_H
#define LCTOOL_KERNELS_AMX_ATTEND_H

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
    int piece = 0;
    while (panel >= t->first_panel[piece + 1])
        piece++;
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
    const struct attention *t = &x->t;
    const struct attend *a = t->a;
    struct amx_strip s = amx_strip_of(x, thread);
    int kv = task / t->n_runs, run = task % t->n_runs;
    int first = (int)((int64_t)t->n_tiles * run / t->n_runs);
    int end = (int)((int64_t)t->n_tiles * (run + 1) / t->n_runs);
    size_t mass_n = (size_t)t->group * t->n_panels * TILE_N;
    float *mass = t->mass ? t->mass + (size_t)task * mass_n : NULL;
    if (mass)
        memset(mass, 0, mass_n * sizeof *mass);
    amx_begin();
    for (int tile = first; tile < end; tile++) {
        int q0 = tile * t->tile_q, n_q = a->n_q - q0 < t->tile_q ? a->n_q - q0 : t->tile_q;
        struct amx_queries q = {q0, n_q, kv, (size_t)(n_q * t->group), NULL};
        if (t->self_mass)
            memset(t->self_mass +
                       ((size_t)kv * (size_t)a->n_q + (size_t)q0) * (size_t)a->self_block,
                   0, (size_t)n_q * (size_t)a->self_block * sizeof *t->self_mass);
        amx_attend_tile(x, &s, &q, mass);
    }
    amx_end();
}

// The cut into tiles of queries, tasks and memory, by the sizes alone.
static void amx_plan_tiles(struct amx_attention *x)
{
    struct attention *t = &x->t;
    const struct attend *a = t->a;
    for (int i = 0; i < a->n_pieces; i++) {
        t->n_panels += ((size_t)a->pieces[i].n + TILE_N - 1) / TILE_N;
        x->masses |= a->pieces[i].mass || a->self_mass;
    }
    x->k_steps = (t->d + AMX_K - 1) / AMX_K;
    x->kept = x->masses ? t->n_panels : AMX_BLOCK;
    size_t most = AMX_STRIP / (x->kept * TILE_N + 1),
           rows = most < AMX_TILE_ROWS ? most : AMX_TILE_ROWS;
    t->tile_q = rows / (size_t)t->group > 1 ? (int)(rows / (size_t)t->group) : 1;
    if (t->tile_q > a->n_q)
        t->tile_q = a->n_q;
    x->rows = ((size_t)(t->tile_q * t->group) + AMX_PAIR - 1) / AMX_PAIR * AMX_PAIR;
    t->n_tiles = (a->n_q + t->tile_q - 1) / t->tile_q;
    t->n_runs = t->n_tiles < RUNS ? t->n_tiles : RUNS;
}

// Lays the working memory out; 0 when there is none.
static int amx_plan_memory(struct cpu *c, struct amx_attention *x)
{
    struct attention *t = &x->t;
    const struct attend *a = t->a;
    size_t per_kv = t->n_panels * 4 * x->k_steps * AMX_TILE, n_kv = KEYS_BYTES / 2 / (per_kv + 1);
    t->n_kv = n_kv < 1 ? 1 : n_kv < (size_t)a->n_kv_heads ? (int)n_kv : a->n_kv_heads;
    size_t n = (size_t)t->n_kv, threads = (size_t)pool_threads(c->pool);
    size_t pieces_n = round_up(((size_t)a->n_pieces + 1) * sizeof(size_t) / sizeof(float));
    int any_mass = asks_for_masses(a);
    size_t mass_n = any_mass ? n * (size_t)t->n_runs * (size_t)t->group * t->n_panels * TILE_N : 0;
    size_t self_n = a->self_mass ? round_up(n * (size_t)a->n_q * (size_t)a->self_block) : 0;
    x->scratch_bytes = amx_strip_floats(x) * sizeof(float) + amx_strip_halves(x) * sizeof *x->keys;
    uint8_t *at = cpu_scratch(c, (pieces_n + mass_n + self_n) * sizeof(float) +
                                     per_kv * n * sizeof *x->keys + x->scratch_bytes * threads);
    if (!at)
        return 0;
    float *f = (float *)(void *)at;
    t->first_panel = (size_t *)(void *)at;
    t->mass = any_mass ? f + pieces_n : NULL;
    t->self_mass = a->self_mass ? f + pieces_n + mass_n : NULL;
    x->keys = (uint16_t *)(void *)(f + pieces_n + mass_n + self_n);
    x->values = x->keys + n * t->n_panels * 2 * x->k_steps * AMX_TILE;
    x->scratch = (uint8_t *)(x->keys + per_kv * n);
    return 1;
}

static void amx_attend(struct cpu *c, const struct attend *a)
{
    struct amx_attention x = {
        .t = {.a = a, .d = (size_t)a->head_dim, .group = a->n_heads / a->n_kv_heads}};
    struct attention *t = &x.t;
    if (c->exact || few_attends(a)) {
        simd_attend_any(c, a);
        return;
    }
    amx_plan_tiles(&x);
    if (!amx_plan_memory(c, &x))
        return;
    t->first_panel[0] = 0;
    for (int i = 0; i < a->n_pieces; i++)
        t->first_panel[i + 1] = t->first_panel[i] + ((size_t)a->pieces[i].n + TILE_N - 1) / TILE_N;
    int step = t->n_kv, key_tasks = (int)((t->n_panels + KEY_PANELS - 1) / KEY_PANELS);
    for (t->kv0 = 0; t->kv0 < a->n_kv_heads; t->kv0 += step) {
        t->n_kv = a->n_kv_heads - t->kv0 < step ? a->n_kv_heads - t->kv0 : step;
        pool_run(c->pool, t->n_kv * key_tasks, amx_keys_task, &x);
        pool_run(c->pool, t->n_kv * t->n_runs, amx_run_task, &x);
        if (t->mass)
            pool_run(c->pool, t->n_kv * t->group, mass_task, t);
        if (t->self_mass)
            add_self_mass(t);
    }
}

#endif
