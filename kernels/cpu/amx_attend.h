// Attention of many queries on AMX tiles: as kernels/cpu/simd_attend.h, from which the cut into tasks, the masks and the
// masses come, but queries, keys, probabilities and values are rounded to bfloat16; scores, exponentials and all
// sums are float32. A strip of scores holds all the keys, so there is one maximum and no correction.
//
//   1. keys (turned) and values become tiles B, 32 keys at a time: once for each kv head;
//   2. a task takes a run of query tiles: scores by tiles, softmax in place and narrowed, values by tiles.
#ifndef LCTOOL_KERNELS_AMX_ATTEND_H
#define LCTOOL_KERNELS_AMX_ATTEND_H

#include "kernels/cpu/amx_matmul.h"
#include "kernels/cpu/simd_attend_few.h"

enum {
    AMX_STRIP_FLOATS = 256 << 10, // of scores of one query tile: with their narrow copy within the second-level cache
    AMX_TILE_ROWS = 64,           // rows of a query tile, if the strip allows
};

struct amx_attention {
    struct attention t;      // keys and scratch are not used; a panel is TILE_N = 32 keys
    size_t k_steps, n_steps; // tiles of a head's numbers, as rows of A and as columns of B
    uint16_t *keys;          // [n_kv][n_panels][2][k_steps] tiles B: 16 keys each
    uint16_t *values;        // [n_kv][n_panels][n_steps] tiles B: 16 columns each
    uint8_t *scratch;        // per thread
    size_t scratch_bytes;
    size_t rows;             // of a query tile, whole tiles
};

// Working memory of one thread.
struct amx_strip {
    float *score;     // [rows][ld]
    float *row;       // [max(TILE_N, rows)][d rounded up to whole tiles]: turned queries or keys
    float *sum;       // [rows][n_steps * 16] of the output
    float *scale;     // [rows] one over the sum of the exponentials
    uint16_t *prob;   // [rows][ld]
    uint16_t *packed; // [rows / 16][k_steps] tiles A: queries
};

static size_t amx_padded(const struct amx_attention *x)
{
    return x->k_steps * AMX_K;
}

static size_t amx_tall(const struct amx_attention *x)
{
    return x->rows > TILE_N ? x->rows : TILE_N;
}

static struct amx_strip amx_strip_of(const struct amx_attention *x, int thread)
{
    struct amx_strip s;
    s.score = (float *)(void *)(x->scratch + (size_t)thread * x->scratch_bytes);
    s.row = s.score + x->rows * x->t.ld;
    s.sum = s.row + amx_tall(x) * amx_padded(x);
    s.scale = s.sum + x->rows * x->n_steps * VW;
    s.prob = (uint16_t *)(void *)(s.scale + x->rows);
    s.packed = s.prob + x->rows * x->t.ld;
    return s;
}

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
                const float *src = rows + (half * AMX_ROWS + i) * wide + s * AMX_K;
                r[i] = amx_narrow(v_load(src), v_load(src + VW));
            }
            amx_store_b(to, r);
        }
    const float *v = p->v + from * t->d;
    to = x->values + ((size_t)kv * t->n_panels + panel) * x->n_steps * AMX_TILE;
    for (size_t s = 0; s < x->n_steps; s++, to += AMX_TILE)
        for (size_t pair = 0; pair < AMX_ROWS; pair++) {
            int m = (int)(t->d - s * VW);
            vf first_v = 2 * pair < n ? load_upto(v + 2 * pair * t->d + s * VW, m) : v_set1(0);
            vf second_v = 2 * pair + 1 < n ? load_upto(v + (2 * pair + 1) * t->d + s * VW, m) : v_set1(0);
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

// ---- 2. Scores, softmax, values

static void amx_pack_queries(const struct amx_attention *x, const struct amx_strip *s,
                             const struct attend_piece *p, int q0, int n_q, int kv)
{
    const struct attention *t = &x->t;
    const struct attend *a = t->a;
    size_t wide = amx_padded(x), rows = (size_t)(n_q * t->group);
    memset(s->row, 0, x->rows * wide * sizeof *s->row);
    for (size_t r = 0; r < rows; r++) {
        size_t i = (size_t)q0 + r / (size_t)t->group;
        size_t head = (size_t)((t->kv0 + kv) * t->group) + r % (size_t)t->group;
        const float *rope = p->q_rope;
        if (rope && p->q_rope_step)
            rope += i * (size_t)a->rope_dim;
        rotate(s->row + r * wide, a->q + (i * (size_t)a->n_heads + head) * t->d, rope, a, a->scale);
    }
    for (size_t r = 0; r < x->rows; r++)
        for (size_t k = 0; k < x->k_steps; k++) {
            const float *src = s->row + r * wide + k * AMX_K;
            uint16_t *tile = s->packed + (r / AMX_ROWS * x->k_steps + k) * AMX_TILE;
            _mm512_storeu_si512(tile + r % AMX_ROWS * AMX_K, amx_narrow(v_load(src), v_load(src + VW)));
        }
}

// Scores of all rows with the 32 keys of one panel.
static void amx_score_panel(const struct amx_attention *x, const struct amx_strip *s, int kv, size_t panel,
                            size_t rows)
{
    size_t one = x->k_steps * AMX_TILE, ld = x->t.ld;
    const uint16_t *keys = x->keys + ((size_t)kv * x->t.n_panels + panel) * 2 * one;
    for (size_t r = 0; r < rows; r += 2 * AMX_ROWS) {
        float *to = s->score + r * ld + panel * TILE_N;
        int one_a = r + AMX_ROWS >= rows;
        _tile_zero(0);
        _tile_zero(1);
        _tile_zero(2);
        _tile_zero(3);
        amx_products(s->packed + r / AMX_ROWS * one, one, keys, one, x->k_steps, one_a, 0);
        _tile_stored(0, to, ld * sizeof *to);
        _tile_stored(1, to + VW, ld * sizeof *to);
        if (one_a)
            continue;
        _tile_stored(2, to + AMX_ROWS * ld, ld * sizeof *to);
        _tile_stored(3, to + AMX_ROWS * ld + VW, ld * sizeof *to);
    }
}

static void amx_score_tile(const struct amx_attention *x, const struct amx_strip *s, int q0, int n_q, int kv)
{
    const struct attention *t = &x->t;
    const struct attend *a = t->a;
    const struct attend_piece *turned = NULL; // whose rotation the packed queries have
    for (int piece = 0; piece < a->n_pieces; piece++) {
        const struct attend_piece *p = &a->pieces[piece];
        int lo, hi;
        tile_keys(t, p, q0, n_q, &lo, &hi);
        if (hi <= lo)
            continue;
        if (!turned || turned->q_rope != p->q_rope || turned->q_rope_step != p->q_rope_step)
            amx_pack_queries(x, s, p, q0, n_q, kv);
        turned = p;
        for (int panel = lo / TILE_N; panel * TILE_N < hi; panel++)
            amx_score_panel(x, s, kv, t->first_panel[piece] + (size_t)panel, (size_t)(n_q * t->group));
    }
}

// e^x to 8e-5, which is little beside the rounding to bfloat16 that follows; below -87 it stays.
INLINE vf amx_exp_short(vf x)
{
    vf t = _mm512_max_ps(v_set1(-126), x * v_set1(1.44269504f)); // a NaN comes through
    vf r = _mm512_reduce_ps(t, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC); // 0 <= r < 1
    vf y = v_set1(0.0780245215f);
    y = v_fma(y, r, v_set1(0.226067156f));
    y = v_fma(y, r, v_set1(0.695833564f));
    y = v_fma(y, r, v_set1(0.999925196f));
    return _mm512_scalef_ps(y, t); // y * 2^floor(t)
}

// The lanes of the vector at J that lie between LO and HI.
INLINE __mmask16 amx_between(int j, int lo, int hi)
{
    int from = lo > j ? lo - j : 0, to = hi - j < VW ? hi - j : VW;
    return from < to ? (__mmask16)((1u << to) - (1u << from)) : 0;
}

// The keys LO .. HI - 1 of a row, of which all panels from FIRST to END are read: exponentials, zero around them,
// narrowed and, with KEEP, in place too. Returns their sum.
INLINE float amx_row_exp(int keep, float *score, uint16_t *prob, int first, int lo, int hi, int end, float max)
{
    vf sum = v_set1(0), other = sum, top = v_set1(max);
    for (int j = first; j < end; j += TILE_N) {
        vf a = v_set1(0), b = a;
        if (j >= lo && j + TILE_N <= hi) {
            a = amx_exp_short(v_load(score + j) - top);
            b = amx_exp_short(v_load(score + j + VW) - top);
        } else if (j + TILE_N > lo && j < hi) {
            a = _mm512_maskz_mov_ps(amx_between(j, lo, hi), amx_exp_short(v_load(score + j) - top));
            b = _mm512_maskz_mov_ps(amx_between(j + VW, lo, hi), amx_exp_short(v_load(score + j + VW) - top));
        }
        sum = sum + a;
        other = other + b;
        if (keep) {
            v_store(score + j, a);
            v_store(score + j + VW, b);
        }
        _mm512_storeu_si512(prob + j, amx_narrow(a, b));
    }
    return v_sum(sum + other);
}

// The panels' columns of piece P that the tile's rows may see: whole panels.
static void amx_columns(const struct attention *t, int piece, int q0, int n_q, int *first, int *end)
{
    int lo, hi;
    tile_keys(t, &t->a->pieces[piece], q0, n_q, &lo, &hi);
    *first = lo / TILE_N * TILE_N;
    *end = hi > lo ? (hi + TILE_N - 1) / TILE_N * TILE_N : *first;
}

static void amx_softmax_row(const struct attention *t, float *score, uint16_t *prob, int q0, int n_q, int i,
                            float *scale)
{
    const struct attend *a = t->a;
    float max = -INFINITY, sum = 0;
    int lo, hi, first, end;
    for (int piece = 0; piece < a->n_pieces; piece++) {
        visible(&a->pieces[piece], a->n_q, i, &lo, &hi);
        if (lo < hi)
            max = row_max(score + t->first_panel[piece] * TILE_N + lo, hi - lo, a->softcap, max);
    }
    for (int piece = 0; piece < a->n_pieces; piece++) {
        size_t at = t->first_panel[piece] * TILE_N;
        visible(&a->pieces[piece], a->n_q, i, &lo, &hi);
        amx_columns(t, piece, q0, n_q, &first, &end);
        if (t->mass || t->self_mass)
            sum += amx_row_exp(1, score + at, prob + at, first, lo, hi, end, max);
        else
            sum += amx_row_exp(0, score + at, prob + at, first, lo, hi, end, max);
    }
    *scale = sum == 0 ? 0 : 1 / sum;
}

// Sums of 16 rows from R on, N columns' tiles (at most 4) from tile C on, over all visible panels.
INLINE void amx_value_tiles(const struct amx_attention *x, const struct amx_strip *s, int q0, int n_q, int kv,
                            size_t r, size_t c, int n)
{
    const struct attention *t = &x->t;
    float *sum = s->sum + r * x->n_steps * VW + c * VW;
    size_t row = x->n_steps * VW * sizeof *sum;
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
    for (int piece = 0; piece < t->a->n_pieces; piece++) {
        int first, end;
        amx_columns(t, piece, q0, n_q, &first, &end);
        for (int j = first; j < end; j += TILE_N) {
            size_t panel = t->first_panel[piece] + (size_t)(j / TILE_N);
            const uint16_t *v = x->values + (((size_t)kv * t->n_panels + panel) * x->n_steps + c) * AMX_TILE;
            _tile_loadd(4, s->prob + r * t->ld + panel * TILE_N, t->ld * sizeof *s->prob);
            _tile_loadd(5, v, 64);
            _tile_dpbf16ps(0, 4, 5);
            if (n > 1) {
                _tile_loadd(6, v + AMX_TILE, 64);
                _tile_dpbf16ps(1, 4, 6);
            }
            if (n > 2) {
                _tile_loadd(7, v + 2 * AMX_TILE, 64);
                _tile_dpbf16ps(2, 4, 7);
            }
            if (n > 3) {
                _tile_loadd(5, v + 3 * AMX_TILE, 64);
                _tile_dpbf16ps(3, 4, 5);
            }
        }
    }
    _tile_stored(0, sum, row);
    if (n > 1)
        _tile_stored(1, sum + VW, row);
    if (n > 2)
        _tile_stored(2, sum + 2 * VW, row);
    if (n > 3)
        _tile_stored(3, sum + 3 * VW, row);
}

static void amx_values(const struct amx_attention *x, const struct amx_strip *s, int q0, int n_q, int kv)
{
    const struct attention *t = &x->t;
    const struct attend *a = t->a;
    size_t rows = (size_t)(n_q * t->group), d = t->d;
    for (size_t r = 0; r < rows; r += AMX_ROWS)
        for (size_t c = 0; c < x->n_steps; c += 4) {
            if (x->n_steps - c >= 4)
                amx_value_tiles(x, s, q0, n_q, kv, r, c, 4);
            else if (x->n_steps - c == 3)
                amx_value_tiles(x, s, q0, n_q, kv, r, c, 3);
            else if (x->n_steps - c == 2)
                amx_value_tiles(x, s, q0, n_q, kv, r, c, 2);
            else
                amx_value_tiles(x, s, q0, n_q, kv, r, c, 1);
        }
    for (size_t r = 0; r < rows; r++) {
        size_t i = (size_t)q0 + r / (size_t)t->group;
        size_t head = (size_t)((t->kv0 + kv) * t->group) + r % (size_t)t->group;
        float *out = a->out + (i * (size_t)a->n_heads + head) * d;
        const float *sum = s->sum + r * x->n_steps * VW;
        for (size_t k = 0; k < d; k += VW)
            store_upto(out + k, v_load(sum + k) * v_set1(s->scale[r]), (int)(d - k));
    }
}

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
    if (t->mass)
        memset(t->mass + (size_t)task * mass_n, 0, mass_n * sizeof *t->mass);
    amx_begin();
    for (int tile = first; tile < end; tile++) {
        int q0 = tile * t->tile_q, n_q = a->n_q - q0 < t->tile_q ? a->n_q - q0 : t->tile_q;
        int rows = n_q * t->group;
        if (t->self_mass)
            memset(t->self_mass + ((size_t)kv * (size_t)a->n_q + (size_t)q0) * (size_t)a->self_block, 0,
                   (size_t)n_q * (size_t)a->self_block * sizeof *t->self_mass);
        amx_score_tile(x, &s, q0, n_q, kv);
        for (int r = 0; r < rows; r++) {
            float *score = s.score + (size_t)r * t->ld;
            int i = q0 + r / t->group;
            amx_softmax_row(t, score, s.prob + (size_t)r * t->ld, q0, n_q, i, &s.scale[r]);
            if (t->mass || t->self_mass)
                row_masses(t, score, s.scale[r], i, r % t->group, kv, run);
        }
        amx_values(x, &s, q0, n_q, kv);
    }
    amx_end();
}

// Lays the working memory out; 0 when there is none.
static int amx_plan_memory(struct cpu *c, struct amx_attention *x)
{
    struct attention *t = &x->t;
    const struct attend *a = t->a;
    size_t per_kv = t->n_panels * (2 * x->k_steps + x->n_steps) * AMX_TILE, n_kv = KEYS_BYTES / 2 / (per_kv + 1);
    int any_mass = 0;
    for (int i = 0; i < a->n_pieces; i++)
        any_mass |= a->pieces[i].mass != NULL;
    t->n_kv = n_kv < 1 ? 1 : n_kv < (size_t)a->n_kv_heads ? (int)n_kv : a->n_kv_heads;
    size_t n = (size_t)t->n_kv, threads = (size_t)pool_threads(c->pool);
    size_t pieces_n = round_up(((size_t)a->n_pieces + 1) * sizeof(size_t) / sizeof(float));
    size_t mass_n = any_mass ? n * (size_t)t->n_runs * (size_t)t->group * t->n_panels * TILE_N : 0;
    size_t self_n = a->self_mass ? round_up(n * (size_t)a->n_q * (size_t)a->self_block) : 0;
    size_t floats = round_up(x->rows * t->ld + amx_tall(x) * amx_padded(x) + x->rows * (x->n_steps * VW + 1));
    size_t halves = 2 * round_up(x->rows * t->ld + x->rows * amx_padded(x));
    x->scratch_bytes = floats * sizeof(float) + halves * sizeof *x->keys;
    uint8_t *at = cpu_scratch(c, (pieces_n + mass_n + self_n) * sizeof(float) + per_kv * n * sizeof *x->keys +
                                     x->scratch_bytes * threads);
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
    struct amx_attention x = {.t = {.a = a, .d = (size_t)a->head_dim, .group = a->n_heads / a->n_kv_heads}};
    struct attention *t = &x.t;
    if (c->exact || few_attends(a)) {
        simd_attend_any(c, a);
        return;
    }
    for (int i = 0; i < a->n_pieces; i++)
        t->n_panels += ((size_t)a->pieces[i].n + TILE_N - 1) / TILE_N;
    t->ld = t->n_panels * TILE_N + 32; // rows must not all start in the same set of the cache
    x.k_steps = (t->d + AMX_K - 1) / AMX_K;
    x.n_steps = (t->d + VW - 1) / VW;
    size_t rows = AMX_STRIP_FLOATS / t->ld < AMX_TILE_ROWS ? AMX_STRIP_FLOATS / t->ld : AMX_TILE_ROWS;
    t->tile_q = rows / (size_t)t->group > 1 ? (int)(rows / (size_t)t->group) : 1;
    if (t->tile_q > a->n_q)
        t->tile_q = a->n_q;
    x.rows = ((size_t)(t->tile_q * t->group) + AMX_ROWS - 1) / AMX_ROWS * AMX_ROWS;
    t->n_tiles = (a->n_q + t->tile_q - 1) / t->tile_q;
    t->n_runs = t->n_tiles < RUNS ? t->n_tiles : RUNS;
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
