// Attention of one token, or few: rows of scores, (query, query head) pairs that share a kv head, are so few that
// keys and values are read once and used at once. A task takes one kv head and PART keys of one piece and leaves its
// maximum, sum and output; these are then put together in the order of the keys, so the bits do not depend on
// the threads.
#ifndef LCTOOL_KERNELS_SIMD_ATTEND_FEW_H
#define LCTOOL_KERNELS_SIMD_ATTEND_FEW_H

#include "kernels/simd_attend.h"

enum {
    FEW_ATTEND = 8, // rows
    PART = 256,     // keys of one task
};

struct few_attention {
    const struct attend *a;
    size_t d, wide; // wide: d rounded up to whole vectors
    int group, rows, n_parts;
    float *q;       // [n_pieces][n_kv_heads][rows][wide], turned and scaled
    float *part;    // [n_kv_heads][n_parts][rows][2 + wide]: maximum, sum, output
    float *scratch; // per thread: [VW][d] keys, then [rows][PART + VW] scores, then [rows][d]
    size_t scratch_n;
};

static int part_count(const struct attend *a)
{
    int n = 0;
    for (int i = 0; i < a->n_pieces; i++)
        n += (a->pieces[i].n + PART - 1) / PART;
    return n;
}

static void few_queries(const struct few_attention *f)
{
    const struct attend *a = f->a;
    float *to = f->q;
    for (int piece = 0; piece < a->n_pieces; piece++)
        for (int kv = 0; kv < a->n_kv_heads; kv++)
            for (int r = 0; r < f->rows; r++, to += f->wide) {
                size_t i = (size_t)(r / f->group), head = (size_t)(kv * f->group + r % f->group);
                const float *rope = a->pieces[piece].q_rope;
                if (rope && a->pieces[piece].q_rope_step)
                    rope += i * (size_t)a->rope_dim;
                rotate(to, a->q + (i * (size_t)a->n_heads + head) * f->d, rope, a, a->scale);
            }
}

// Scores of all rows with the keys FIRST .. FIRST + N - 1 of a piece, N <= PART: score[row][PART + VW].
static void few_scores(const struct few_attention *f, int piece, int kv, int first, int n, float *keys,
                       float *score)
{
    const struct attend *a = f->a;
    const struct attend_piece *p = &a->pieces[piece];
    const float *q = f->q + ((size_t)(piece * a->n_kv_heads + kv) * (size_t)f->rows) * f->wide;
    int known = p->turned ? *p->n_turned : 0;
    for (int j = 0; j < n; j += VW) {
        int m = n - j < VW ? n - j : VW;
        size_t at = (size_t)(first + j), row = ((size_t)kv * (size_t)p->stride + at) * f->d;
        const float *k = p->k + row;
        if (p->k_rope) {
            float *to = p->turned ? p->turned + row : keys;
            for (int i = known > first + j ? known - first - j : 0; i < m; i++)
                rotate(to + (size_t)i * f->d, k + (size_t)i * f->d, p->k_rope + (at + (size_t)i) * (size_t)a->rope_dim,
                       a, 1);
            k = to;
        }
        if (m < VW && k != keys) {
            memcpy(keys, k, (size_t)m * f->d * sizeof *keys);
            k = keys;
        }
        for (int r = 0; r < f->rows; r++)
            v_store(score + r * (PART + VW) + j, scan_dots(k, q + (size_t)r * f->wide, a->head_dim));
    }
}

INLINE void few_values_m(int m, const float *prob, const float *v, size_t d, int n, float *sum)
{
    for (size_t at = 0; at < d; at += TILE_N) {
        int width = d - at < TILE_N ? (int)(d - at) : TILE_N;
        if (width == TILE_N)
            value_fma(m, 1, prob, PART + VW, v + at, d, n, sum + at, width);
        else
            value_fma(m, 0, prob, PART + VW, v + at, d, n, sum + at, width);
    }
}

// sum[rows][d] += prob[rows][n] v[n][d]
static void few_values(int rows, const float *prob, const float *v, size_t d, int n, float *sum)
{
    for (; rows > 4; rows -= 4, prob += 4 * (PART + VW), sum += 4 * d)
        few_values_m(4, prob, v, d, n, sum);
    switch (rows) {
    case 1:
        few_values_m(1, prob, v, d, n, sum);
        break;
    case 2:
        few_values_m(2, prob, v, d, n, sum);
        break;
    case 3:
        few_values_m(3, prob, v, d, n, sum);
        break;
    default:
        few_values_m(4, prob, v, d, n, sum);
        break;
    }
}

// The keys of the part that row R sees, counted from its first.
static void few_visible(const struct few_attention *f, int piece, int first, int n, int r, int *lo, int *hi)
{
    visible(&f->a->pieces[piece], f->a->n_q, r / f->group, lo, hi);
    *lo = *lo > first ? *lo - first : 0;
    *hi = *hi < first + n ? *hi - first : n;
    if (*hi < *lo)
        *hi = *lo = 0;
}

static void few_attend_task(void *ctx, int task, int thread)
{
    const struct few_attention *f = ctx;
    const struct attend *a = f->a;
    int kv = task / f->n_parts, part = task % f->n_parts, piece = 0, rows = f->rows;
    size_t one = 2 + f->wide;
    float *out = f->part + (size_t)task * (size_t)rows * one;
    for (int n; part >= (n = (a->pieces[piece].n + PART - 1) / PART); piece++)
        part -= n;
    const struct attend_piece *p = &a->pieces[piece];
    int first = part * PART, n = p->n - first < PART ? p->n - first : PART, lo, hi;
    float *keys = f->scratch + (size_t)thread * f->scratch_n;
    float *score = keys + (size_t)VW * f->d, *sum = score + rows * (PART + VW);
    few_scores(f, piece, kv, first, n, keys, score);
    for (int r = 0; r < rows; r++) {
        float *s = score + r * (PART + VW), *to = out + (size_t)r * one;
        few_visible(f, piece, first, n, r, &lo, &hi);
        to[0] = lo < hi ? row_max(s + lo, hi - lo, a->softcap, -INFINITY) : -INFINITY;
        to[1] = lo < hi ? row_exp(s + lo, hi - lo, to[0]) : 0;
        memset(s, 0, (size_t)lo * sizeof *s);
        memset(s + hi, 0, (size_t)(n - hi) * sizeof *s);
    }
    memset(sum, 0, (size_t)rows * f->d * sizeof *sum);
    few_values(rows, score, p->v + ((size_t)kv * (size_t)p->stride + (size_t)first) * f->d, f->d, n, sum);
    for (int r = 0; r < rows; r++)
        memcpy(out + (size_t)r * one + 2, sum + (size_t)r * f->d, f->d * sizeof *sum);
}

// One softmax of all parts of a row.
static void few_join(const struct few_attention *f, int kv, int r)
{
    const struct attend *a = f->a;
    size_t one = 2 + f->wide, step = (size_t)f->rows * one;
    const float *parts = f->part + (size_t)kv * (size_t)f->n_parts * step + (size_t)r * one;
    size_t i = (size_t)(r / f->group), head = (size_t)(kv * f->group + r % f->group);
    float *out = a->out + (i * (size_t)a->n_heads + head) * f->d, max = -INFINITY, sum = 0;
    for (int p = 0; p < f->n_parts; p++) {
        float top = parts[(size_t)p * step];
        max = top > max || isnan(top) ? top : max;
    }
    memset(out, 0, f->d * sizeof *out);
    for (int p = 0; p < f->n_parts; p++) {
        const float *from = parts + (size_t)p * step;
        float scale = from[1] == 0 ? 0 : expf(from[0] - max);
        sum += from[1] * scale;
        if (scale != 0)
            add_scaled(out, from + 2, scale, (int)f->d);
    }
    for (size_t k = 0; k < f->d; k++)
        out[k] = sum == 0 ? 0 : out[k] / sum;
}

// Whether this file does it: few rows, and nobody asks for masses.
static int few_attends(const struct attend *a)
{
    int masses = a->self_mass != NULL;
    for (int i = 0; i < a->n_pieces; i++)
        masses |= a->pieces[i].mass != NULL;
    return !masses && a->n_q * (a->n_heads / a->n_kv_heads) <= FEW_ATTEND;
}

static void few_attend(struct cpu *c, const struct attend *a)
{
    struct few_attention f = {.a = a, .d = (size_t)a->head_dim, .group = a->n_heads / a->n_kv_heads};
    f.rows = a->n_q * f.group;
    f.n_parts = part_count(a);
    f.wide = (f.d + VW - 1) / VW * VW;
    size_t q_n = (size_t)(a->n_pieces * a->n_kv_heads * f.rows) * f.wide;
    size_t part_n = round_up((size_t)(a->n_kv_heads * f.n_parts * f.rows) * (2 + f.wide));
    f.scratch_n = round_up((size_t)VW * f.d + (size_t)f.rows * (PART + VW + f.d));
    f.q = cpu_scratch(c, (round_up(q_n) + part_n + (size_t)pool_threads(c->pool) * f.scratch_n) * sizeof *f.q);
    if (!f.q)
        return;
    f.part = f.q + round_up(q_n);
    f.scratch = f.part + part_n;
    few_queries(&f);
    pool_run(c->pool, a->n_kv_heads * f.n_parts, few_attend_task, &f);
    for (int i = 0; i < a->n_pieces; i++)
        if (a->pieces[i].turned && a->pieces[i].k_rope)
            *a->pieces[i].n_turned = a->pieces[i].n;
    for (int kv = 0; kv < a->n_kv_heads; kv++)
        for (int r = 0; r < f.rows; r++)
            few_join(&f, kv, r);
}

// All of attention: the few here, the many as simd_attend.h does it.
static void simd_attend_any(struct cpu *c, const struct attend *a)
{
    if (a->n_q <= 0)
        return;
    if (few_attends(a))
        few_attend(c, a);
    else
        simd_attend(c, a);
}

#endif
