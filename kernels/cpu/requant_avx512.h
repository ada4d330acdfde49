// Weights of four bits requantised to bytes for products of many rows (kernels/cpu/int_matmul.h),
// by AVX-512 VNNI. A scale and a minimum for each 32 weights are two multiply-adds and a
// multiplication beside each eight products; with a scale for 128 and no minimum there is one
// multiply-add, for the scale of x, and a quarter of a multiplication.
//
// d * u + m, 0 <= u <= 15, becomes D * (U - 128), 1 <= U <= 255, where 127 D is the largest that
// GROUP blocks of a row can hold: a weight is off by 0.54 D at most, D / 2 and what rounding d / D
// and m / D to 1 / 256 adds. Sums begin with the product of x and -128, and a total is kept in
// units of its last group's D.
#ifndef LCTOOL_KERNELS_REQUANT_AVX512_H
#define LCTOOL_KERNELS_REQUANT_AVX512_H

#include "kernels/cpu/round_avx512.h"

enum {
    GROUP = 4,
    CODE_MOST = 15,
    MIDDLE = 128,
    LOW_OF_EVEN = 0xca, // the truth table of low ? even : odd
};

static inline size_t group_end(size_t first, size_t blocks)
{
    return blocks - first < GROUP ? blocks : first + GROUP;
}

// ---- x

// round_rows, but SUM is what a block's sums begin with: whole numbers, -128 times those of x.
static void round_begun(const float *const *row, size_t at, size_t m, int32_t *x, float *e,
                        float *sum)
{
    const __mmask16 rows = (__mmask16)((1u << m) - 1);
    if (m == INT_M) {
        round_six(row, at, -MIDDLE, x, e, sum);
        return;
    }
    round_each(row, at, m, x, e, sum);
    vi begin = vi_zero();
    for (size_t g = 0; g < INT_FOURS; g++)
        add_products(&begin, _mm512_set1_epi8((char)MIDDLE),
                     _mm512_maskz_loadu_epi32(rows, x + g * m));
    _mm512_mask_storeu_epi32(sum, rows, _mm512_sub_epi32(vi_zero(), begin));
}

// ---- Weights

// The largest of what blocks FIRST .. END can hold, of each row.
static inline vf largest_held(const struct panel *panel, size_t first, size_t end, size_t at)
{
    vf most = v_set1(0);
    for (size_t b = first; b < end; b++) {
        vf m = v_load(panel->m + b * TILE_N + at);
        vf other = v_fma(v_load(panel->d + b * TILE_N + at), v_set1(CODE_MOST), m);
        most = _mm512_max_ps(most, _mm512_max_ps(_mm512_abs_ps(m), _mm512_abs_ps(other)));
    }
    return most;
}

// 256 X to the nearest, the low 16 bits of it, twice.
INLINE vi twice_16(vf x)
{
    vi w = _mm512_cvtps_epi32(x * v_set1(256));
    return _mm512_mask_blend_epi16(0xaaaaaaaa, w, _mm512_slli_epi32(w, 16));
}

// The bytes of block B, VW rows from AT on, in units of 1 / BY. Products and sums are those of
// numbers without a sign of 16 bits, of which the high 8 are asked for.
INLINE void requant_block(const struct panel *panel, size_t b, size_t at, vf by)
{
    const vi low = _mm512_set1_epi16(0xff);
    vi d = twice_16(v_load(panel->d + b * TILE_N + at) * by);
    vi m = twice_16(v_fma(v_load(panel->m + b * TILE_N + at), by, v_set1(MIDDLE + 0.5f)));
    uint8_t *u = panel->u + (b * INT_FOURS * TILE_N + at) * 4;
    for (int g = 0; g < INT_FOURS; g++, u += 4 * TILE_N) {
        vi codes = vi_load(u);
        vi even = _mm512_add_epi16(_mm512_mullo_epi16(_mm512_and_si512(codes, low), d), m);
        vi odd = _mm512_add_epi16(_mm512_mullo_epi16(_mm512_srli_epi16(codes, 8), d), m);
        even = _mm512_srli_epi16(even, 8);
        _mm512_storeu_si512(u, _mm512_ternarylogic_epi32(low, even, odd, LOW_OF_EVEN));
    }
}

// VW rows from AT on of a panel that fill_half has filled with codes of four bits. Of a group's
// first block d is what the total before it is multiplied by; m of the first block of all is the
// last group's D.
static void requant_half(const struct panel *panel, size_t blocks, size_t at)
{
    vf scale = v_set1(0);
    for (size_t first = 0, end; first < blocks; first = end) {
        end = group_end(first, blocks);
        vf most = largest_held(panel, first, end, at);
        __mmask16 any = _mm512_cmp_ps_mask(most, v_set1(0), _CMP_GT_OQ);
        // A group of zeros takes the scale of the one before.
        vf next = _mm512_mask_mul_ps(scale, any, most, v_set1(1.f / 127));
        vf by = _mm512_maskz_div_ps(any, v_set1(127), most);
        for (size_t b = first; b < end; b++)
            requant_block(panel, b, at, by);
        v_store(panel->d + first * TILE_N + at, _mm512_mask_div_ps(v_set1(1), any, scale, next));
        scale = next;
    }
    v_store(panel->m + at, scale);
}

// ---- Products

// acc[m][2] for m rows of x and TILE_N weight rows. M a constant after inlining.
INLINE void requant_tile(int m, const struct int_product *p, const struct panel *panel, size_t at,
                         vf (*acc)[2])
{
    const int32_t *x = p->x + at * p->blocks * INT_FOURS;
    const float *e = p->x_scale + at * p->blocks, *begin = p->x_sum + at * p->blocks;
    const uint8_t *u = panel->u;
    vf total[INT_M][2];
#pragma GCC unroll 8
    for (int i = 0; i < m; i++)
        total[i][0] = total[i][1] = v_set1(0);
    for (size_t first = 0, end; first < p->blocks; first = end) {
        end = group_end(first, p->blocks);
        vf to0 = v_load(panel->d + first * TILE_N), to1 = v_load(panel->d + first * TILE_N + VW);
#pragma GCC unroll 8
        for (int i = 0; i < m; i++) {
            total[i][0] = total[i][0] * to0;
            total[i][1] = total[i][1] * to1;
        }
        for (size_t b = first; b < end; b++, e += m, begin += m) {
            vi s[INT_M][2];
#pragma GCC unroll 8
            for (int i = 0; i < m; i++)
                s[i][0] = s[i][1] = _mm512_castps_si512(v_set1(begin[i]));
            block_products(m, m, 1, x, u, s);
            x += m * INT_FOURS;
            u += BLOCK * TILE_N;
#pragma GCC unroll 8
            for (int i = 0; i < m; i++) {
                vf ei = v_set1(e[i]);
                total[i][0] = v_fma(vi_floats(s[i][0]), ei, total[i][0]);
                total[i][1] = v_fma(vi_floats(s[i][1]), ei, total[i][1]);
            }
        }
    }
    vf d0 = v_load(panel->m), d1 = v_load(panel->m + VW);
#pragma GCC unroll 8
    for (int i = 0; i < m; i++) {
        acc[i][0] = total[i][0] * d0;
        acc[i][1] = total[i][1] * d1;
    }
}

static void requant_tile_m(int m, const struct int_product *p, const struct panel *panel, size_t at,
                           vf (*acc)[2])
{
#define TILE(M) requant_tile(M, p, panel, at, acc)
    INT_SWITCH(m, TILE)
#undef TILE
}

#endif
