// The register tile of kernels/cpu/int_matmul.h for instructions that multiply bytes and add them
// up in fours: INT_M rows of x by two vectors of weight rows. Included after what that asks for,
// and
//
//     vi                                   // VW groups of four bytes, or what adds up VW sums
//     vi_load(p)
//     vq, vq_at(x, i)                      // x[i], four bytes, for each of the VW
//     first_products(&s, u, q)             // s = u q
//     add_products(&s, u, q)               // s += u q, seven times behind it
//     vi_floats(s)                         // the VW sums
//     AT_ONCE                              // rows of x whose sums are in registers together
//
// It has x as [n / INT_M][blocks][INT_FOURS][INT_M], and a panel's u as
// [blocks][INT_FOURS][TILE_N][4].
#ifndef LCTOOL_KERNELS_CPU_INT_TILE_H
#define LCTOOL_KERNELS_CPU_INT_TILE_H

#define INT_STEP 1

#include "kernels/cpu/int_matmul.h"

// round_rows, each row by itself.
static void round_each(const float *const *row, size_t at, size_t m, int32_t *x, float *e,
                       float *sum)
{
    for (size_t i = 0; i < m; i++) {
        int8_t q[BLOCK];
        round_block(row[i] + at, q, &e[i], &sum[i]);
#pragma GCC unroll 8
        for (size_t g = 0; g < INT_FOURS; g++)
            memcpy(&x[g * m + i], q + 4 * g, sizeof *x);
    }
}

// N rows of x, of a tile of M, by a block of weights: S, or added to it where it is BEGUN. N, M and
// BEGUN constants after inlining.
INLINE void block_products(int n, int m, int begun, const int32_t *x, const uint8_t *u, vi (*s)[2])
{
#pragma GCC unroll 8
    for (int g = 0; g < INT_FOURS; g++, x += m, u += 4 * TILE_N) {
        vi u0 = vi_load(u), u1 = vi_load(u + 4 * VW);
#pragma GCC unroll 8
        for (int i = 0; i < n; i++) {
            vq q = vq_at(x, i);
            if (g || begun) {
                add_products(&s[i][0], u0, q);
                add_products(&s[i][1], u1, q);
            } else {
                first_products(&s[i][0], u0, q);
                first_products(&s[i][1], u1, q);
            }
        }
    }
}

// N rows of x, of a tile of M, by a block of weights, to TOTAL; FLAT: all of MIN is 0. N, M and
// FLAT constants after inlining.
INLINE void int_block(int n, int m, int flat, const int32_t *x, const float *e, const float *sum,
                      const uint8_t *u, const float *d, const float *min, vf (*total)[2])
{
    vi s[AT_ONCE][2];
    block_products(n, m, 0, x, u, s);
    vf d0 = v_load(d), d1 = v_load(d + VW), m0 = v_load(min), m1 = v_load(min + VW);
#pragma GCC unroll 8
    for (int i = 0; i < n; i++) {
        vf ei = v_set1(e[i]), si = v_set1(sum[i]);
        vf rest0 = flat ? total[i][0] : v_fma(m0, si, total[i][0]);
        vf rest1 = flat ? total[i][1] : v_fma(m1, si, total[i][1]);
        total[i][0] = v_fma(vi_floats(s[i][0]), d0 * ei, rest0);
        total[i][1] = v_fma(vi_floats(s[i][1]), d1 * ei, rest1);
    }
}

// acc[m][2] for m rows of x and TILE_N weight rows, M and FLAT constants after inlining.
INLINE void int_tile(int m, int flat, const struct int_product *p, const struct panel *panel,
                     size_t at, vf (*acc)[2])
{
    const int32_t *x = p->x + at * p->blocks * INT_FOURS;
    const float *e = p->x_scale + at * p->blocks, *sum = p->x_sum + at * p->blocks;
    const uint8_t *u = panel->u;
    vf total[INT_M][2];
#pragma GCC unroll 8
    for (int i = 0; i < m; i++)
        total[i][0] = total[i][1] = v_set1(0);
    for (size_t b = 0; b < p->blocks; b++, e += m, sum += m) {
        const float *d = panel->d + b * TILE_N, *min = panel->m + b * TILE_N;
#pragma GCC unroll 8
        for (int i = 0; i < m; i += AT_ONCE) {
            // Or gcc 12 keeps weights in registers for the next rows, and moves sums to memory.
            if (i)
                __asm__ volatile("" ::: "memory");
            int_block(m - i < AT_ONCE ? m - i : AT_ONCE, m, flat, x + i, e + i, sum + i, u, d, min,
                      total + i);
        }
        x += m * INT_FOURS;
        u += BLOCK * TILE_N;
    }
#pragma GCC unroll 8
    for (int i = 0; i < m; i++) {
        acc[i][0] = total[i][0];
        acc[i][1] = total[i][1];
    }
}

INLINE void int_tile_of(int m, int flat, const struct int_product *p, const struct panel *panel,
                        size_t at, vf (*acc)[2])
{
#define TILE(M) int_tile(M, flat, p, panel, at, acc)
    INT_SWITCH(m, TILE)
#undef TILE
}

static void int_tile_m(int m, const struct int_product *p, const struct panel *panel, size_t at,
                       vf (*acc)[2])
{
    if (all_flat(p))
        int_tile_of(m, 1, p, panel, at, acc);
    else
        int_tile_of(m, 0, p, panel, at, acc);
}

#endif
