// The register tile of kernels/cpu/int_matmul.h for the instruction that multiplies two rows of
// eight bytes by two others: x as [n / INT_M][blocks][EIGHTS][pairs][2][8] and a panel's u as
// [blocks][EIGHTS][TILE_N / 2][2][8].
//
// A vector of sums is (x0 w0, x0 w1, x1 w0, x1 w1), and so scales are kept twice: those of x as
// (e0, e0, e1, e1), those of weights as (d0, d1, d0, d1).
#ifndef LCTOOL_KERNELS_CPU_NEON_MMLA_H
#define LCTOOL_KERNELS_CPU_NEON_MMLA_H

#define INT_M    8 // rows of x in a register tile
#define INT_STEP 2

#include "kernels/cpu/int_matmul.h"
#include "kernels/cpu/neon_bytes.h"

enum {
    EIGHTS = BLOCK / 8,
    PAIRS_ONCE = 2, // of rows of x, whose sums are in registers together
};

static void round_rows(const float *const *row, size_t at, size_t m, int32_t *x, float *e,
                       float *sum)
{
    for (size_t i = 0; i < m; i++) {
        int8_t q[BLOCK], *to = (int8_t *)x + i * 8;
        round_block(row[i] + at, q, &e[2 * i], &sum[2 * i]);
        e[2 * i + 1] = e[2 * i];
        sum[2 * i + 1] = sum[2 * i];
        for (size_t g = 0; g < EIGHTS; g++)
            memcpy(to + g * m * 8, q + 8 * g, 8);
    }
}

INLINE void put_rows(const struct panel *panel, size_t b, size_t at, int8x16_t (*u)[2], vf d, vf m)
{
    size_t scales = (b * TILE_N + at) * INT_STEP;
    v_store(panel->d + scales, vcombine_f32(vget_low_f32(d), vget_low_f32(d)));
    v_store(panel->d + scales + VW, vcombine_f32(vget_high_f32(d), vget_high_f32(d)));
    v_store(panel->m + scales, vcombine_f32(vget_low_f32(m), vget_low_f32(m)));
    v_store(panel->m + scales + VW, vcombine_f32(vget_high_f32(m), vget_high_f32(m)));
#pragma GCC unroll 4
    for (size_t i = 0; i < VW; i += 2)
#pragma GCC unroll 2
        for (size_t half = 0; half < 2; half++) {
            int64x2_t first = vreinterpretq_s64_s8(u[i][half]);
            int64x2_t second = vreinterpretq_s64_s8(u[i + 1][half]);
            int8_t *to = (int8_t *)panel->u + ((b * EIGHTS + 2 * half) * TILE_N + at + i) * 8;
            vst1q_s8(to, vreinterpretq_s8_s64(vzip1q_s64(first, second)));
            vst1q_s8(to + TILE_N * 8, vreinterpretq_s8_s64(vzip2q_s64(first, second)));
        }
}

// N pairs of rows of x, of a tile of PAIRS, by a block of weights, to TOTAL; FLAT: all of MIN is 0.
// N, PAIRS and FLAT constants after inlining.
INLINE void mmla_block(int n, int pairs, int flat, const int8_t *x, const float *e,
                       const float *sum, const uint8_t *u, const float *d, const float *min,
                       vf (*total)[TILE_N / 2])
{
    int32x4_t s[PAIRS_ONCE][TILE_N / 2];
#pragma GCC unroll 2
    for (int i = 0; i < n; i++)
#pragma GCC unroll 4
        for (int j = 0; j < TILE_N / 2; j++)
            s[i][j] = vdupq_n_s32(0);
#pragma GCC unroll 4
    for (int g = 0; g < EIGHTS; g++, x += pairs * 16, u += TILE_N * 8) {
        int8x16_t w[TILE_N / 2];
#pragma GCC unroll 4
        for (int j = 0; j < TILE_N / 2; j++)
            w[j] = vld1q_s8((const int8_t *)u + j * 16);
#pragma GCC unroll 2
        for (int i = 0; i < n; i++) {
            int8x16_t q = vld1q_s8(x + i * 16);
#pragma GCC unroll 4
            for (int j = 0; j < TILE_N / 2; j++)
                s[i][j] = vmmlaq_s32(s[i][j], q, w[j]);
        }
    }
#pragma GCC unroll 2
    for (int i = 0; i < n; i++) {
        vf ei = v_load(e + i * VW), si = v_load(sum + i * VW);
#pragma GCC unroll 4
        for (int j = 0; j < TILE_N / 2; j++) {
            if (!flat)
                total[i][j] = v_fma(v_load(min + j * VW), si, total[i][j]);
            total[i][j] = v_fma(vcvtq_f32_s32(s[i][j]), v_load(d + j * VW) * ei, total[i][j]);
        }
    }
}

// acc[2 * pairs][2] for as many rows of x and TILE_N weight rows, PAIRS and FLAT constants after
// inlining.
INLINE void mmla_tile(int pairs, int flat, const struct int_product *p, const struct panel *panel,
                      size_t at, vf (*acc)[2])
{
    const int8_t *x = (const int8_t *)p->x + at * p->blocks * BLOCK;
    const float *e = p->x_scale + at * p->blocks * INT_STEP;
    const float *sum = p->x_sum + at * p->blocks * INT_STEP;
    const uint8_t *u = panel->u;
    const float *d = panel->d, *m = panel->m;
    vf total[INT_M / 2][TILE_N / 2];
#pragma GCC unroll 4
    for (int i = 0; i < pairs; i++)
#pragma GCC unroll 4
        for (int j = 0; j < TILE_N / 2; j++)
            total[i][j] = v_set1(0);
    for (size_t b = p->blocks; b--;) {
#pragma GCC unroll 2
        for (int i = 0; i < pairs; i += PAIRS_ONCE) {
            // Or gcc 12 keeps weights in registers for the next rows, and moves sums to memory.
            if (i)
                __asm__ volatile("" ::: "memory");
            mmla_block(pairs - i < PAIRS_ONCE ? pairs - i : PAIRS_ONCE, pairs, flat, x + i * 16,
                       e + i * VW, sum + i * VW, u, d, m, total + i);
        }
        x += pairs * 2 * BLOCK;
        e += pairs * VW;
        sum += pairs * VW;
        u += BLOCK * TILE_N;
        d += TILE_N * INT_STEP;
        m += TILE_N * INT_STEP;
    }
#pragma GCC unroll 4
    for (int i = 0; i < pairs; i++)
#pragma GCC unroll 2
        for (int v = 0; v < 2; v++) {
            float64x2_t low = vreinterpretq_f64_f32(total[i][2 * v]);
            float64x2_t high = vreinterpretq_f64_f32(total[i][2 * v + 1]);
            acc[2 * i][v] = vreinterpretq_f32_f64(vzip1q_f64(low, high));
            acc[2 * i + 1][v] = vreinterpretq_f32_f64(vzip2q_f64(low, high));
        }
}

INLINE void mmla_tile_of(int m, int flat, const struct int_product *p, const struct panel *panel,
                         size_t at, vf (*acc)[2])
{
    WITH_ROWS((m + 1) / 2, mmla_tile(M, flat, p, panel, at, acc));
}

static void int_tile_m(int m, const struct int_product *p, const struct panel *panel, size_t at,
                       vf (*acc)[2])
{
    if (all_flat(p))
        mmla_tile_of(m, 1, p, panel, at, acc);
    else
        mmla_tile_of(m, 0, p, panel, at, acc);
}

#endif
