// What kernels/cpu/requant.h asks for, by AVX2 and VNNI, whose sums begin at START (cpu_avxvnni.c).
// Behind vi_floats and fix_avx2.h.
#ifndef LCTOOL_KERNELS_CPU_REQUANT_AVXVNNI_H
#define LCTOOL_KERNELS_CPU_REQUANT_AVXVNNI_H

#include "kernels/cpu/vi_avx2.h"

INLINE vf v_abs(vf x)
{
    return _mm256_andnot_ps(v_set1(-0.0f), x);
}

INLINE vf if_above_0(vf x, vf a, vf b)
{
    return _mm256_blendv_ps(b, a, _mm256_cmp_ps(x, v_set1(0), _CMP_GT_OQ));
}

INLINE vi twice_16(vf x)
{
    vi w = _mm256_cvtps_epi32(x * v_set1(256));
    return _mm256_blend_epi16(w, _mm256_slli_epi32(w, 16), 0xaa);
}

// Products and sums are those of numbers without a sign of 16 bits, of which the high 8 are asked
// for.
INLINE vi requant_codes(vi codes, vi d, vi m)
{
    const vi low = _mm256_set1_epi16(0xff);
    vi even = _mm256_add_epi16(_mm256_mullo_epi16(_mm256_and_si256(codes, low), d), m);
    vi odd = _mm256_add_epi16(_mm256_mullo_epi16(_mm256_srli_epi16(codes, 8), d), m);
    return _mm256_or_si256(_mm256_srli_epi16(even, 8), _mm256_andnot_si256(low, odd));
}

INLINE vi vi_load_part(const int32_t *p, int n)
{
    return _mm256_maskload_epi32(p, first_lanes(n));
}

#include "kernels/cpu/requant.h"

// The bits of START less 128 times the sum of a block of x.
static void round_begun(const float *const *row, size_t at, size_t m, int32_t *x, float *e,
                        float *sum)
{
    round_each(row, at, m, x, e, sum);
    _mm256_maskstore_epi32((int *)(void *)sum, first_lanes((int)m),
                           _mm256_sub_epi32(vi_set1(START), middle_sums(x, m)));
}

#endif
