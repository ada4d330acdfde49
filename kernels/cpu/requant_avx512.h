// What kernels/cpu/requant.h asks for, by AVX-512. Behind vi_floats and fix_avx512.h.
#ifndef LCTOOL_KERNELS_CPU_REQUANT_AVX512_H
#define LCTOOL_KERNELS_CPU_REQUANT_AVX512_H

#include "kernels/cpu/round_avx512.h"

enum { LOW_OF_EVEN = 0xca }; // the truth table of low ? even : odd

INLINE vf v_abs(vf x)
{
    return _mm512_abs_ps(x);
}

INLINE vf if_above_0(vf x, vf a, vf b)
{
    return _mm512_mask_blend_ps(_mm512_cmp_ps_mask(x, v_set1(0), _CMP_GT_OQ), b, a);
}

INLINE vi twice_16(vf x)
{
    vi w = _mm512_cvtps_epi32(x * v_set1(256));
    return _mm512_mask_blend_epi16(0xaaaaaaaa, w, _mm512_slli_epi32(w, 16));
}

// Products and sums are those of numbers without a sign of 16 bits, of which the high 8 are asked
// for.
INLINE vi requant_codes(vi codes, vi d, vi m)
{
    const vi low = _mm512_set1_epi16(0xff);
    vi even = _mm512_add_epi16(_mm512_mullo_epi16(_mm512_and_si512(codes, low), d), m);
    vi odd = _mm512_add_epi16(_mm512_mullo_epi16(_mm512_srli_epi16(codes, 8), d), m);
    return _mm512_ternarylogic_epi32(low, _mm512_srli_epi16(even, 8), odd, LOW_OF_EVEN);
}

INLINE vi vi_load_part(const int32_t *p, int n)
{
    return _mm512_maskz_loadu_epi32((__mmask16)((1u << n) - 1), p);
}

#include "kernels/cpu/requant.h"

// Whole numbers, -128 times the sum of a block of x.
static void round_begun(const float *const *row, size_t at, size_t m, int32_t *x, float *e,
                        float *sum)
{
    if (m == INT_M) {
        round_six(row, at, -MIDDLE, x, e, sum);
        return;
    }
    round_each(row, at, m, x, e, sum);
    _mm512_mask_storeu_epi32(sum, (__mmask16)((1u << m) - 1),
                             _mm512_sub_epi32(vi_zero(), middle_sums(x, m)));
}

#endif
