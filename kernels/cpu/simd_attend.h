// Attention over the vectors of kernels/cpu/vec_*.h, in three steps for as many kv heads as fit
// into KEYS_BYTES of working memory:
//
//   1. keys are rotated once and laid out as panels [head_dim][TILE_N];
//   2. a task takes one kv head and a run of query tiles. The rows of a tile are pairs of a query
//      and a query head that share the kv head. Their scores lie in one strip [row][key], so the
//      softmax is exact and probabilities are at hand for the masses; the tile is made small enough
//      to keep the strip in cache;
//   3. the masses of the tasks are added up in a fixed order.
#ifndef LCTOOL_KERNELS_CPU_SIMD_ATTEND_H
#define LCTOOL_KERNELS_CPU_SIMD_ATTEND_H

#include "kernels/cpu/simd_attend_cut.h"

enum {
    STRIP_FLOATS = 128 << 10, // of scores of one query tile
    TILE_ROWS = 48,           // rows of a query tile, if the strip allows
    VALUE_KEYS = 128,         // keys whose values are used by all rows before the next ones
};

// Working memory of one thread.
struct strip {
    float *score;  // [rows][ld]
    float *rows;   // [rows or TILE_N][d] rotated, before packing
    float *packed; // [rows / TILE_M][d][TILE_M]
    float *sum;    // [rows][d] of the output
    float *scale;  // [rows] one over the sum of the exponentials
};

static struct strip strip_of(const struct attention *t, int thread)
{
    size_t rows = (size_t)(t->tile_q * t->group), tall = rows > TILE_N ? rows : TILE_N;
    struct strip s;
    s.score = t->scratch + (size_t)thread * t->scratch_n;
    s.rows = s.score + rows * t->ld;
    s.packed = s.rows + tall * t->d;
    s.sum = s.packed + rows * t->d;
    s.scale = s.sum + rows * t->d;
    return s;
}

// ---- 1. Keys

static void key_panel(const struct attention *t, int kv, size_t panel, float *rows)
{
    const struct attend *a = t->a;
    int piece = piece_of(t, panel);
    const struct attend_piece *p = &a->pieces[piece];
    size_t first = (panel - t->first_panel[piece]) * TILE_N;
    for (size_t i = 0; i < TILE_N; i++) {
        size_t j = first + i;
        if (j < (size_t)p->n)
            rotate(rows + i * t->d, p->k + ((size_t)(t->kv0 + kv) * (size_t)p->stride + j) * t->d,
                   p->k_rope ? p->k_rope + j * (size_t)a->rope_dim : NULL, a, 1);
        else
            memset(rows + i * t->d, 0, t->d * sizeof *rows);
    }
    float *dst = t->keys + ((size_t)kv * t->n_panels + panel) * t->d * TILE_N;
    for (int at = 0; at < TILE_N; at += VW)
        pack_panel(dst, at, rows + (size_t)at * t->d, t->d, t->d);
}

static void keys_task(void *ctx, int task, int thread)
{
    const struct attention *t = ctx;
    struct strip s = strip_of(t, thread);
    size_t per_head = (t->n_panels + KEY_PANELS - 1) / KEY_PANELS;
    size_t first = (size_t)task % per_head * KEY_PANELS;
    for (size_t p = first; p < first + KEY_PANELS && p < t->n_panels; p++)
        key_panel(t, (int)((size_t)task / per_head), p, s.rows);
}

// ---- 2. Scores, softmax, values

static void pack_queries(const struct attention *t, const struct strip *s,
                         const struct query_tile *q, const struct attend_piece *p)
{
    int rows = (int)q->rows;
    turn_queries(t, q, p, s->rows, t->d);
    for (int r = 0; r < rows; r += TILE_M)
        pack_rows(s->packed + (size_t)r * t->d, s->rows + (size_t)r * t->d, t->d,
                  rows - r < TILE_M ? rows - r : TILE_M, t->d);
}

static void score_tile(const struct attention *t, const struct strip *s, struct query_tile *q)
{
    const struct attend *a = t->a;
    int rows = (int)q->rows;
    for (int piece = 0; piece < a->n_pieces; piece++) {
        const struct attend_piece *p = &a->pieces[piece];
        int lo, hi;
        tile_keys(t, p, q->q0, q->n, &lo, &hi);
        if (hi <= lo)
            continue;
        if (must_turn(q, p))
            pack_queries(t, s, q, p);
        for (int panel = lo / TILE_N; panel * TILE_N < hi; panel++) {
            size_t at = t->first_panel[piece] + (size_t)panel;
            const float *keys = t->keys + ((size_t)q->kv * t->n_panels + at) * t->d * TILE_N;
            for (int r = 0; r < rows; r += TILE_M) {
                vf acc[TILE_M][2];
                int m = rows - r < TILE_M ? rows - r : TILE_M;
                for (int i = 0; i < m; i++)
                    acc[i][0] = acc[i][1] = v_set1(0);
                tile_sum(m, t->d, s->packed + (size_t)r * t->d, keys, acc);
                for (int i = 0; i < m; i++) {
                    float *dst = s->score + (size_t)(r + i) * t->ld + at * TILE_N;
                    v_store(dst, acc[i][0]);
                    v_store(dst + VW, acc[i][1]);
                }
            }
        }
    }
}

static float row_max(float *score, int n, float softcap, float max)
{
    vf top = v_set1(max), other = top, cap = v_set1(softcap);
    int i = 0;
    for (; softcap == 0 && i + 2 * VW <= n; i += 2 * VW) {
        top = v_max(top, v_load(score + i));
        other = v_max(other, v_load(score + i + VW));
    }
    top = v_max(top, other);
    for (; i < n; i += VW) {
        int m = n - i;
        vf v = load_upto(score + i, m);
        if (softcap != 0) {
            v = cap * v_tanh(v / cap);
            store_upto(score + i, v, m);
        }
        if (m >= VW) {
            top = v_max(top, v);
        } else {
            float rest[VW];
            v_store(rest, v);
            for (int j = 0; j < m; j++)
                max = rest[j] > max ? rest[j] : max;
        }
    }
    float most = v_hmax(top);
    return most > max ? most : max;
}

// score = exp(score - max); returns their sum.
static float row_exp(float *score, int n, float max)
{
    vf sum = v_set1(0), top = v_set1(max);
    int i = 0;
    for (; i + VW <= n; i += VW) {
        vf v = v_exp(v_load(score + i) - top);
        v_store(score + i, v);
        sum = sum + v;
    }
    float total = v_sum(sum);
    if (i < n) {
        float rest[VW];
        v_store(rest, v_exp(v_load_part(score + i, n - i) - top));
        for (int j = 0; i < n; i++, j++) {
            score[i] = rest[j];
            total += rest[j];
        }
    }
    return total;
}

// Row (query I, head HEAD of the group): its probabilities, up to the factor *scale.
static void softmax_row(const struct attention *t, float *score, int q0, int n_q, int i,
                        float *scale)
{
    const struct attend *a = t->a;
    float max = -INFINITY, sum = 0;
    int lo, hi;
    for (int piece = 0; piece < a->n_pieces; piece++) {
        visible(&a->pieces[piece], a->n_q, i, &lo, &hi);
        if (lo < hi)
            max = row_max(score + t->first_panel[piece] * TILE_N + lo, hi - lo, a->softcap, max);
    }
    for (int piece = 0; piece < a->n_pieces; piece++) {
        float *s = score + t->first_panel[piece] * TILE_N;
        int all_lo, all_hi;
        visible(&a->pieces[piece], a->n_q, i, &lo, &hi);
        tile_keys(t, &a->pieces[piece], q0, n_q, &all_lo, &all_hi);
        if (lo < hi)
            sum += row_exp(s + lo, hi - lo, max);
        else
            lo = hi = all_lo;
        for (int j = all_lo; j < lo; j++) // what the other rows of the tile see
            s[j] = 0;
        for (int j = hi; j < all_hi; j++)
            s[j] = 0;
    }
    *scale = sum == 0 ? 0 : 1 / sum;
}

static void row_masses(const struct attention *t, const float *score, float scale, int i, int head,
                       int kv, float *mass)
{
    const struct attend *a = t->a;
    for (int piece = 0; piece < a->n_pieces; piece++) {
        const struct attend_piece *p = &a->pieces[piece];
        size_t at = t->first_panel[piece] * TILE_N;
        int lo, hi;
        visible(p, a->n_q, i, &lo, &hi);
        if (lo >= hi)
            continue;
        if (p->mass)
            add_scaled(mass + (size_t)head * t->n_panels * TILE_N + at + (size_t)lo,
                       score + at + lo, scale, hi - lo);
        int block = a->self_block, first = t->self_mass ? i / block * block : 0;
        if (!t->self_mass || !p->causal || first + block > a->n_q)
            continue;
        float *row = t->self_mass + ((size_t)kv * (size_t)a->n_q + (size_t)i) * (size_t)block;
        int key = p->n - a->n_q + first, from = key > lo ? key : lo,
            end = key + block < hi ? key + block : hi;
        if (from < end)
            add_scaled(row + from - key, score + at + from, scale, end - from);
    }
}

// sum[m][width] += prob[m][n] * v[n][width] for the columns AT .. of the values, WIDTH <= TILE_N.
INLINE void value_fma(int m, int full, const float *prob, size_t ld, const float *v, size_t d,
                      int n, float *sum, int width)
{
    vf acc[TILE_M][2];
#pragma GCC unroll 16
    for (int i = 0; i < m; i++) {
        acc[i][0] = full ? v_load(sum + (size_t)i * d) : load_upto(sum + (size_t)i * d, width);
        acc[i][1] = full ? v_load(sum + (size_t)i * d + VW)
                         : load_upto(sum + (size_t)i * d + VW, width - VW);
    }
    for (int j = 0; j < n; j++, v += d) {
        vf v0 = full ? v_load(v) : load_upto(v, width);
        vf v1 = full ? v_load(v + VW) : load_upto(v + VW, width - VW);
#pragma GCC unroll 16
        for (int i = 0; i < m; i++) {
            vf p = v_set1(prob[(size_t)i * ld + (size_t)j]);
            acc[i][0] = v_fma(p, v0, acc[i][0]);
            acc[i][1] = v_fma(p, v1, acc[i][1]);
        }
    }
#pragma GCC unroll 16
    for (int i = 0; i < m; i++) {
        if (full) {
            v_store(sum + (size_t)i * d, acc[i][0]);
            v_store(sum + (size_t)i * d + VW, acc[i][1]);
        } else {
            store_upto(sum + (size_t)i * d, acc[i][0], width);
            store_upto(sum + (size_t)i * d + VW, acc[i][1], width - VW);
        }
    }
}

static void value_tile(int m, const float *prob, size_t ld, const float *v, size_t d, int n,
                       float *sum)
{
    for (size_t at = 0; at < d; at += TILE_N) {
        int width = d - at < TILE_N ? (int)(d - at) : TILE_N, i = 0;
        for (; i + TILE_M <= m; i += TILE_M) {
            if (width == TILE_N)
                value_fma(TILE_M, 1, prob + (size_t)i * ld, ld, v + at, d, n,
                          sum + (size_t)i * d + at, width);
            else
                value_fma(TILE_M, 0, prob + (size_t)i * ld, ld, v + at, d, n,
                          sum + (size_t)i * d + at, width);
        }
        for (; i < m; i++)
            value_fma(1, 0, prob + (size_t)i * ld, ld, v + at, d, n, sum + (size_t)i * d + at,
                      width);
    }
}

static void values(const struct attention *t, const struct strip *s, const struct query_tile *q)
{
    const struct attend *a = t->a;
    memset(s->sum, 0, q->rows * t->d * sizeof *s->sum);
    for (int piece = 0; piece < a->n_pieces; piece++) {
        const struct attend_piece *p = &a->pieces[piece];
        int lo, hi;
        tile_keys(t, p, q->q0, q->n, &lo, &hi);
        for (int j = lo; j < hi; j += VALUE_KEYS)
            value_tile((int)q->rows, s->score + t->first_panel[piece] * TILE_N + j, t->ld,
                       p->v + ((size_t)(t->kv0 + q->kv) * (size_t)p->stride + (size_t)j) * t->d,
                       t->d, hi - j < VALUE_KEYS ? hi - j : VALUE_KEYS, s->sum);
    }
    for (size_t r = 0; r < q->rows; r++)
        write_row(t, q, r, s->sum + r * t->d, s->scale[r]);
}

static void attend_tile(const void *ctx, struct query_tile *q, int thread, float *mass)
{
    const struct attention *t = ctx;
    struct strip s = strip_of(t, thread);
    score_tile(t, &s, q);
    for (size_t r = 0; r < q->rows; r++) {
        float *score = s.score + r * t->ld;
        int i = query_of(t, q, r);
        softmax_row(t, score, q->q0, q->n, i, &s.scale[r]);
        if (mass || t->self_mass)
            row_masses(t, score, s.scale[r], i, (int)r % t->group, q->kv, mass);
    }
    values(t, &s, q);
}

static void run_task(void *ctx, int task, int thread)
{
    run_tiles(ctx, ctx, attend_tile, task, thread);
}

// Lays the working memory out; 0 when there is none.
static int plan_memory(struct cpu *c, struct attention *t)
{
    size_t rows = (size_t)(t->tile_q * t->group), tall = rows > TILE_N ? rows : TILE_N;
    size_t kv_n = t->n_panels * t->d * TILE_N;
    cut_heads(t, kv_n);
    t->scratch_n = round_up(rows * t->ld + tall * t->d + 2 * rows * t->d + rows);
    size_t keys_n = kv_n * (size_t)t->n_kv, threads = (size_t)pool_threads(c->pool);
    float *at = cpu_scratch(c, (shared_floats(t) + keys_n + t->scratch_n * threads) * sizeof *at);
    if (!at)
        return 0;
    t->keys = lay_shared(t, at);
    t->scratch = t->keys + keys_n;
    return 1;
}

static int key_tasks_of(const struct attention *t)
{
    return (int)((t->n_panels + KEY_PANELS - 1) / KEY_PANELS);
}

// Of the kv heads from KV0 on.
static void simd_attend(struct cpu *c, const struct attend *a, int kv0)
{
    if (a->n_q <= 0)
        return;
    struct attention t = attention_of(a, 1);
    t.kv0 = kv0;
    t.ld = t.n_panels * TILE_N + 16; // rows must not all start in the same set of the cache
    cut_queries(&t, STRIP_FLOATS / t.ld < TILE_ROWS ? STRIP_FLOATS / t.ld : TILE_ROWS);
    if (plan_memory(c, &t))
        attend_heads(c, &t, &(struct steps){keys_task, run_task, key_tasks_of(&t), NULL}, &t);
}

#endif
