// Vectors of 16 groups of four bytes, for kernels/cpu/int_tile.h and bytes_scan.h, and x as bytes.
#ifndef LCTOOL_KERNELS_CPU_VI_AVX512_H
#define LCTOOL_KERNELS_CPU_VI_AVX512_H

#include "kernels/cpu/vec_avx512.h"

#define INT_M 6 // rows of x in a register tile; INT_M * 2 sums

typedef __m512i vi, vq;

static inline vi vi_zero(void)
{
    return _mm512_setzero_si512();
}

static inline vi vi_load(const void *p)
{
    return _mm512_loadu_si512(p);
}

static inline void vi_store(void *p, vi a)
{
    _mm512_storeu_si512(p, a);
}

static inline vi vi_set1(int32_t four)
{
    return _mm512_set1_epi32(four);
}

static inline vq vq_at(const int32_t *x, int i)
{
    return vi_set1(x[i]);
}

// VW floats.
static inline vf vi_whole(vi sums)
{
    return _mm512_cvtepi32_ps(sums);
}

// The low or the high four bits of each byte.
static inline vi vi_nibbles(vi bytes, int high)
{
    return _mm512_and_si512(high ? _mm512_srli_epi16(bytes, 4) : bytes, _mm512_set1_epi8(15));
}

enum { KEY_OFFSET = 128 }; // what bytes with a sign are multiplied with

// VW groups of four bytes with a sign, as the first factor of add_products.
static inline vf vi_key(const int8_t *p)
{
    return _mm512_castsi512_ps(_mm512_xor_si512(vi_load(p), _mm512_set1_epi8(-128)));
}

// 32 numbers of x, e * q; *sum: e times the sum of q.
static void round_block(const float *x, int8_t q[32], float *scale, float *sum)
{
    const __m256i ones = _mm256_set1_epi8(1);
    vf a = v_load(x), b = v_load(x + VW);
    // As bits: what is no number is larger than what is infinite.
    uint32_t bits = _mm512_reduce_max_epu32(_mm512_max_epu32(
        _mm512_castps_si512(_mm512_abs_ps(a)), _mm512_castps_si512(_mm512_abs_ps(b))));
    float max;
    memcpy(&max, &bits, sizeof max);
    vf back = v_set1(max == 0 ? 0 : 127 / max);
    __m256i both = _mm256_set_m128i(_mm512_cvtsepi32_epi8(_mm512_cvtps_epi32(b * back)),
                                    _mm512_cvtsepi32_epi8(_mm512_cvtps_epi32(a * back)));
    _mm256_storeu_si256((__m256i *)(void *)q, both);
    __m256i s = _mm256_madd_epi16(_mm256_maddubs_epi16(ones, both), _mm256_set1_epi16(1));
    __m128i four = _mm_add_epi32(_mm256_castsi256_si128(s), _mm256_extracti128_si256(s, 1));
    four = _mm_hadd_epi32(four, four);
    *scale = max / 127;
    *sum = *scale * (float)_mm_cvtsi128_si32(_mm_hadd_epi32(four, four));
}

#endif
