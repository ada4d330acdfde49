// Keys and values as attention of few queries keeps them: kernels.h, struct kept_rows. Numbers of
// 8 bits become floats in registers, where the rows of a kv head share them, and a key's block is
// scaled as a whole. A row's arithmetic is the same whatever runs beside it.
#ifndef LCTOOL_KERNELS_CPU_SIMD_ATTEND_KEPT_H
#define LCTOOL_KERNELS_CPU_SIMD_ATTEND_KEPT_H

#include <float.h>

#include "kernels/cpu/simd_attend.h"

enum {
    KEPT_ROWS = 4,  // rows that run together
    KEPT_AHEAD = 4, // panels that are asked for before their turn
};

// Added to a float of at most 2^21 it leaves the whole number next to it in the lowest bits.
static const float KEPT_ROUNDING = 0x1.8p23f;

// The keys FIRST .. FIRST + N - 1 of one kv head of a piece, FIRST a multiple of KEPT_PANEL, and
// the rows, query by query head, that see them.
struct kept_part {
    const struct attend *a;
    const struct attend_piece *p;
    int kv, first, n, rows;
    const float *q;  // [rows][q_ld], turned and scaled
    size_t q_ld, ld; // floats from one row of scores to the next: room for whole panels
};

// FROM [KEPT_BLOCK] to 8 bits, each STEP behind the one before; returns their scale. Where one of
// them is not finite all are NaN.
static float keep_block(const float *from, int8_t *to, size_t step)
{
    enum { LARGEST = 127, NOT_FINITE = 0x7f800000 };
    int32_t bits[KEPT_BLOCK], top = 0;
    float max, rounded[KEPT_BLOCK];
    memcpy(bits, from, sizeof bits);
    for (int i = 0; i < KEPT_BLOCK; i++) {
        const int32_t size = bits[i] & 0x7fffffff; // in the order of the numbers
        top = size > top ? size : top;
    }
    memcpy(&max, &top, sizeof max);
    const float scale = max / LARGEST, by = scale >= FLT_MIN ? 1 / scale : 0;
    for (int i = 0; i < KEPT_BLOCK; i++)
        rounded[i] = from[i] * by + KEPT_ROUNDING;
    memcpy(bits, rounded, sizeof bits);
    for (size_t i = 0; i < KEPT_BLOCK; i++)
        to[i * step] = (int8_t)bits[i];
    return top >= NOT_FINITE ? NAN : scale;
}

// Keeps row I of a part's kv head. ROW: [kept_width], zeros from head_dim on.
static void keep_row(const struct kept_part *x, int i, float *row)
{
    const struct attend *a = x->a;
    const struct attend_piece *p = x->p;
    const struct kept_rows *to = &p->kept;
    const size_t wide = kept_width(a->head_dim), n = wide / KEPT_BLOCK, d = (size_t)a->head_dim,
                 at = (size_t)x->kv * (size_t)to->cap + (size_t)i, panel = at / KEPT_PANEL,
                 lane = at % KEPT_PANEL, from = ((size_t)x->kv * (size_t)p->stride + (size_t)i) * d;
    rotate(row, p->k + from, p->k_rope ? p->k_rope + (size_t)i * (size_t)a->rope_dim : NULL, a, 1);
    for (size_t b = 0; b < n; b++)
        to->k_scale[(panel * n + b) * KEPT_PANEL + lane] =
            keep_block(row + b * KEPT_BLOCK,
                       to->k + (panel * wide + b * KEPT_BLOCK) * KEPT_PANEL + lane, KEPT_PANEL);
    memcpy(row, p->v + from, d * sizeof *row);
    for (size_t b = 0; b < n; b++)
        to->v_scale[at * n + b] =
            keep_block(row + b * KEPT_BLOCK, to->v + at * wide + b * KEPT_BLOCK, 1);
}

// The sums over the columns FROM .. TO - 1 of one block, for VW keys and M rows.
INLINE void kept_block(int m, const int8_t *k, const float *q, size_t ld, int from, int to, vf *sum)
{
    vf odd[KEPT_ROWS];
    int t = from;
#pragma GCC unroll 4
    for (int i = 0; i < m; i++)
        sum[i] = odd[i] = v_set1(0);
    for (; t + 1 < to; t += 2) {
        const vf k0 = v_of_bytes(k + t * KEPT_PANEL), k1 = v_of_bytes(k + (t + 1) * KEPT_PANEL);
#pragma GCC unroll 4
        for (int i = 0; i < m; i++) {
            sum[i] = v_fma(v_set1(q[(size_t)i * ld + (size_t)t]), k0, sum[i]);
            odd[i] = v_fma(v_set1(q[(size_t)i * ld + (size_t)t + 1]), k1, odd[i]);
        }
    }
    for (; t < to; t++) // head_dim may be odd
        for (int i = 0; i < m; i++)
            sum[i] = v_fma(v_set1(q[(size_t)i * ld + (size_t)t]), v_of_bytes(k + t * KEPT_PANEL),
                           sum[i]);
#pragma GCC unroll 4
    for (int i = 0; i < m; i++)
        sum[i] = sum[i] + odd[i];
}

// Scores of M rows of X with the KEPT_PANEL keys K [kept_width][KEPT_PANEL].
INLINE void kept_dots(int m, const struct kept_part *x, const int8_t *k, const float *scale,
                      const float *q, float *score)
{
    const int d = x->a->head_dim;
    for (int at = 0; at < KEPT_PANEL; at += VW) {
        vf total[KEPT_ROWS], sum[KEPT_ROWS];
#pragma GCC unroll 4
        for (int i = 0; i < m; i++)
            total[i] = v_set1(0);
        for (int b = 0; b < d; b += KEPT_BLOCK) {
            const vf by = v_load(scale + b / KEPT_BLOCK * KEPT_PANEL + at);
            kept_block(m, k + at, q, x->q_ld, b, d - b < KEPT_BLOCK ? d : b + KEPT_BLOCK, sum);
#pragma GCC unroll 4
            for (int i = 0; i < m; i++)
                total[i] = v_fma(sum[i], by, total[i]);
        }
#pragma GCC unroll 4
        for (int i = 0; i < m; i++)
            v_store(score + (size_t)i * x->ld + at, total[i]);
    }
}

// The same of all rows.
static void kept_panel(const struct kept_part *x, const int8_t *k, const float *scale, float *score)
{
    const float *q = x->q;
    int rows = x->rows;
    for (; rows > KEPT_ROWS;
         rows -= KEPT_ROWS, q += KEPT_ROWS * x->q_ld, score += KEPT_ROWS * x->ld)
        kept_dots(KEPT_ROWS, x, k, scale, q, score);
    WITH_ROWS(rows, kept_dots(M, x, k, scale, q, score));
}

// Asks for N bytes from P on.
INLINE void kept_ask(const void *p, size_t n)
{
    enum { LINE = 64 };
    for (size_t i = 0; i < n; i += LINE)
        __builtin_prefetch((const char *)p + i);
}

// score[rows][ld] = the part's keys by its queries. Rows that are not kept yet are kept now, with
// their values. ROW: [kept_width] working memory.
static void kept_scores(const struct kept_part *x, float *row, float *score)
{
    const struct kept_rows *is = &x->p->kept;
    const size_t wide = kept_width(x->a->head_dim), blocks = wide / KEPT_BLOCK,
                 all = wide * KEPT_PANEL;
    memset(row, 0, wide * sizeof *row);
    for (int i = *is->n > x->first ? *is->n : x->first; i < x->first + x->n; i++)
        keep_row(x, i, row);
    for (int j = 0; j < x->n; j += KEPT_PANEL) {
        const size_t at = (size_t)x->kv * (size_t)is->cap + (size_t)(x->first + j),
                     panel = at / KEPT_PANEL;
        kept_ask(is->k + (panel + KEPT_AHEAD) * all, all);
        kept_ask(is->v + at * wide, all); // whose turn is next
        kept_panel(x, is->k + panel * all, is->k_scale + panel * blocks * KEPT_PANEL, score + j);
    }
}

// SUM [m][head_dim] = PROB [m][ld] times the part's values, of which V is the first, from a column
// on; SCALE: that of this column's block, WIDTH: so many columns, TILE_N at most.
INLINE void kept_fma(int m, const struct kept_part *x, const float *prob, const int8_t *v,
                     const float *scale, float *sum, int width)
{
    const size_t wide = kept_width(x->a->head_dim), blocks = wide / KEPT_BLOCK;
    vf acc[KEPT_ROWS][2];
#pragma GCC unroll 4
    for (int i = 0; i < m; i++)
        acc[i][0] = acc[i][1] = v_set1(0);
    for (int j = 0; j < x->n; j++, v += wide, scale += blocks) {
        const vf by = v_set1(*scale), v0 = v_of_bytes(v) * by, v1 = v_of_bytes(v + VW) * by;
#pragma GCC unroll 4
        for (int i = 0; i < m; i++) {
            const vf p = v_set1(prob[(size_t)i * x->ld + (size_t)j]);
            acc[i][0] = v_fma(p, v0, acc[i][0]);
            acc[i][1] = v_fma(p, v1, acc[i][1]);
        }
    }
    for (int i = 0; i < m; i++, sum += x->a->head_dim) {
        store_upto(sum, acc[i][0], width);
        store_upto(sum + VW, acc[i][1], width - VW);
    }
}

INLINE void kept_values_m(int m, const struct kept_part *x, const float *prob, float *sum)
{
    const struct kept_rows *is = &x->p->kept;
    const int d = x->a->head_dim;
    const size_t wide = kept_width(d), at = (size_t)x->kv * (size_t)is->cap + (size_t)x->first;
    for (int c = 0; c < d; c += TILE_N)
        kept_fma(m, x, prob, is->v + at * wide + c,
                 is->v_scale + at * (wide / KEPT_BLOCK) + c / KEPT_BLOCK, sum + c,
                 d - c < TILE_N ? d - c : TILE_N);
}

// sum[rows][head_dim] = prob[rows][ld] times the part's values.
static void kept_values(const struct kept_part *x, const float *prob, float *sum)
{
    const size_t d = (size_t)x->a->head_dim;
    int rows = x->rows;
    for (; rows > KEPT_ROWS; rows -= KEPT_ROWS, prob += KEPT_ROWS * x->ld, sum += KEPT_ROWS * d)
        kept_values_m(KEPT_ROWS, x, prob, sum);
    WITH_ROWS(rows, kept_values_m(M, x, prob, sum));
}

#endif
