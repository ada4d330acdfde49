// Keys and values as attention of few queries keeps them: kernels.h, struct kept_rows. Numbers of
// 8 bits become floats in registers, where the rows of a kv head share them, and a key's block is
// scaled as a whole. A row's arithmetic is the same whatever runs beside it.
#ifndef LCTOOL_KERNELS_SIMD_ATTEND_KEPT_H
#define LCTOOL_KERNELS_SIMD_ATTEND_KEPT_H

#include <float.h>

#include "kernels/cpu/simd_attend_few.h"

enum {
    KEPT_ROWS = 4,  // rows that run together
    KEPT_AHEAD = 4, // panels that are asked for before their turn
};

// Added to a float of at most 2^21 it leaves the whole number next to it in the lowest bits.
static const float KEPT_ROUNDING = 0x1.8p23f;

static int few_keeps(const struct few_attention *f, const struct attend_piece *p)
{
    return f->keeps && p->kept.k && !p->art;
}

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

// Keeps row I of kv head KV of piece P. ROW: [kept_width], zeros from head_dim on.
static void keep_row(const struct few_attention *f, const struct attend_piece *p, int kv, int i,
                     float *row)
{
    const struct attend *a = f->a;
    const struct kept_rows *to = &p->kept;
    const size_t wide = kept_width(a->head_dim), n = wide / KEPT_BLOCK,
                 at = (size_t)kv * (size_t)to->cap + (size_t)i, panel = at / KEPT_PANEL,
                 lane = at % KEPT_PANEL, from = ((size_t)kv * (size_t)p->stride + (size_t)i) * f->d;
    rotate(row, p->k + from, p->k_rope ? p->k_rope + (size_t)i * (size_t)a->rope_dim : NULL, a, 1);
    for (size_t b = 0; b < n; b++)
        to->k_scale[(panel * n + b) * KEPT_PANEL + lane] =
            keep_block(row + b * KEPT_BLOCK,
                       to->k + (panel * wide + b * KEPT_BLOCK) * KEPT_PANEL + lane, KEPT_PANEL);
    memcpy(row, p->v + from, f->d * sizeof *row);
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

// Scores of the KEPT_PANEL keys K [kept_width][KEPT_PANEL] with the M queries Q [m][ld].
INLINE void kept_dots(int m, const int8_t *k, const float *scale, const float *q, size_t ld, int d,
                      float *score)
{
    for (int at = 0; at < KEPT_PANEL; at += VW) {
        vf total[KEPT_ROWS], sum[KEPT_ROWS];
#pragma GCC unroll 4
        for (int i = 0; i < m; i++)
            total[i] = v_set1(0);
        for (int b = 0; b < d; b += KEPT_BLOCK) {
            const vf by = v_load(scale + b / KEPT_BLOCK * KEPT_PANEL + at);
            kept_block(m, k + at, q, ld, b, d - b < KEPT_BLOCK ? d : b + KEPT_BLOCK, sum);
#pragma GCC unroll 4
            for (int i = 0; i < m; i++)
                total[i] = v_fma(sum[i], by, total[i]);
        }
#pragma GCC unroll 4
        for (int i = 0; i < m; i++)
            v_store(score + i * (PART + VW) + at, total[i]);
    }
}

static void kept_panel(int rows, const int8_t *k, const float *scale, const float *q, size_t ld,
                       int d, float *score)
{
    for (; rows > KEPT_ROWS;
         rows -= KEPT_ROWS, q += KEPT_ROWS * ld, score += KEPT_ROWS * (PART + VW))
        kept_dots(KEPT_ROWS, k, scale, q, ld, d, score);
    switch (rows) {
    case 1:
        kept_dots(1, k, scale, q, ld, d, score);
        break;
    case 2:
        kept_dots(2, k, scale, q, ld, d, score);
        break;
    case 3:
        kept_dots(3, k, scale, q, ld, d, score);
        break;
    default:
        kept_dots(KEPT_ROWS, k, scale, q, ld, d, score);
        break;
    }
}

// Asks for N bytes from P on.
INLINE void kept_ask(const void *p, size_t n)
{
    enum { LINE = 64 };
    for (size_t i = 0; i < n; i += LINE)
        __builtin_prefetch((const char *)p + i);
}

// few_scores by kept keys; those that are not there yet are kept now, with their values. ROW:
// [kept_width] working memory.
static void few_kept_scores(const struct few_attention *f, int piece, int kv, int first, int n,
                            float *row, float *score)
{
    const struct attend_piece *p = &f->a->pieces[piece];
    const size_t wide = kept_width(f->a->head_dim), blocks = wide / KEPT_BLOCK;
    const float *q = f->q + ((size_t)(piece * f->a->n_kv_heads + kv) * (size_t)f->rows) * f->wide;
    memset(row, 0, wide * sizeof *row);
    for (int i = *p->kept.n > first ? *p->kept.n : first; i < first + n; i++)
        keep_row(f, p, kv, i, row);
    for (int j = 0; j < n; j += KEPT_PANEL) {
        const size_t at = (size_t)kv * (size_t)p->kept.cap + (size_t)(first + j),
                     panel = at / KEPT_PANEL, all = wide * KEPT_PANEL;
        kept_ask(p->kept.k + (panel + KEPT_AHEAD) * all, all);
        kept_ask(p->kept.v + at * wide, all); // whose turn is next
        kept_panel(f->rows, p->kept.k + panel * wide * KEPT_PANEL,
                   p->kept.k_scale + panel * blocks * KEPT_PANEL, q, f->wide, f->a->head_dim,
                   score + j);
    }
}

// SUM [m][d] = PROB [m][n] times the columns from V on, WIDTH <= TILE_N, of kept values; SCALE:
// that of these columns' block.
INLINE void kept_fma(int m, const float *prob, const int8_t *v, const float *scale, int d, int n,
                     float *sum, int width)
{
    const size_t wide = kept_width(d), blocks = wide / KEPT_BLOCK;
    vf acc[KEPT_ROWS][2];
#pragma GCC unroll 4
    for (int i = 0; i < m; i++)
        acc[i][0] = acc[i][1] = v_set1(0);
    for (int j = 0; j < n; j++, v += wide, scale += blocks) {
        const vf by = v_set1(*scale), v0 = v_of_bytes(v) * by, v1 = v_of_bytes(v + VW) * by;
#pragma GCC unroll 4
        for (int i = 0; i < m; i++) {
            const vf p = v_set1(prob[i * (PART + VW) + j]);
            acc[i][0] = v_fma(p, v0, acc[i][0]);
            acc[i][1] = v_fma(p, v1, acc[i][1]);
        }
    }
    for (int i = 0; i < m; i++, sum += d) {
        store_upto(sum, acc[i][0], width);
        store_upto(sum + VW, acc[i][1], width - VW);
    }
}

INLINE void kept_values_m(int m, const float *prob, const int8_t *v, const float *scale, int d,
                          int n, float *sum)
{
    for (int at = 0; at < d; at += TILE_N)
        kept_fma(m, prob, v + at, scale + at / KEPT_BLOCK, d, n, sum + at,
                 d - at < TILE_N ? d - at : TILE_N);
}

// sum[rows][d] = prob[rows][n] times the kept values FIRST .. FIRST + N - 1 of piece P.
static void few_kept_values(const struct few_attention *f, const struct attend_piece *p, int kv,
                            int first, int n, const float *prob, float *sum)
{
    const int d = f->a->head_dim;
    const size_t wide = kept_width(d), at = (size_t)kv * (size_t)p->kept.cap + (size_t)first;
    const int8_t *v = p->kept.v + at * wide;
    const float *scale = p->kept.v_scale + at * (wide / KEPT_BLOCK);
    int rows = f->rows;
    for (; rows > KEPT_ROWS; rows -= KEPT_ROWS, prob += KEPT_ROWS * (PART + VW))
        kept_values_m(KEPT_ROWS, prob, v, scale, d, n, sum + (size_t)(f->rows - rows) * f->d);
    sum += (size_t)(f->rows - rows) * f->d;
    switch (rows) {
    case 1:
        kept_values_m(1, prob, v, scale, d, n, sum);
        break;
    case 2:
        kept_values_m(2, prob, v, scale, d, n, sum);
        break;
    case 3:
        kept_values_m(3, prob, v, scale, d, n, sum);
        break;
    default:
        kept_values_m(KEPT_ROWS, prob, v, scale, d, n, sum);
        break;
    }
}

#endif
