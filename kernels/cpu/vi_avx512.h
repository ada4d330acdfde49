// Vectors of 16 groups of four bytes, for kernels/cpu/int_matmul.h, and x as bytes.
#ifndef LCTOOL_KERNELS_VI_AVX512_H
#define LCTOOL_KERNELS_VI_AVX512_H

#include "kernels/cpu/vec_avx512.h"

typedef __m512i vi;

static inline vi vi_zero(void)
{
    return _mm512_setzero_si512();
}

static inline vi vi_load(const void *p)
{
    return _mm512_loadu_si512(p);
}

static inline vi vi_set1(int32_t four)
{
    return _mm512_set1_epi32(four);
}

// 32 numbers of x, e * q; *sum: e times the sum of q.
static void round_block(const float *x, int8_t q[32], float *scale, float *sum)
{
    vf a = v_load(x), b = v_load(x + VW);
    float max = _mm512_reduce_max_ps(_mm512_max_ps(_mm512_abs_ps(a), _mm512_abs_ps(b)));
    vf back = v_set1(max == 0 ? 0 : 127 / max);
    __m512i qa = _mm512_cvtps_epi32(a * back), qb = _mm512_cvtps_epi32(b * back);
    _mm_storeu_si128((__m128i *)(void *)q, _mm512_cvtsepi32_epi8(qa));
    _mm_storeu_si128((__m128i *)(void *)(q + 16), _mm512_cvtsepi32_epi8(qb));
    *scale = max / 127 + 0 * v_sum(a + b); // a NaN must be seen
    *sum = *scale * (float)_mm512_reduce_add_epi32(_mm512_add_epi32(qa, qb));
}

#endif
