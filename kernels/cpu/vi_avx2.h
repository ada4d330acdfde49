// Vectors of eight groups of four bytes, for kernels/cpu/int_tile.h, panels.h and bytes_scan.h, and
// x as bytes.
#ifndef LCTOOL_KERNELS_CPU_VI_AVX2_H
#define LCTOOL_KERNELS_CPU_VI_AVX2_H

#include "kernels/cpu/vec_avx2.h"

#define INT_M 6 // rows of x in a register tile; INT_M * 2 sums

typedef __m256i vi, vq;

static inline vi vi_zero(void)
{
    return _mm256_setzero_si256();
}

static inline vi vi_load(const void *p)
{
    return _mm256_loadu_si256(p);
}

static inline void vi_store(void *p, vi a)
{
    _mm256_storeu_si256(p, a);
}

static inline vi vi_set1(int32_t four)
{
    return _mm256_set1_epi32(four);
}

static inline vq vq_at(const int32_t *x, int i)
{
    return vi_set1(x[i]);
}

// VW floats.
static inline vf vi_whole(vi sums)
{
    return _mm256_cvtepi32_ps(sums);
}

// The low or the high four bits of each byte.
static inline vi vi_nibbles(vi bytes, int high)
{
    return _mm256_and_si256(high ? _mm256_srli_epi16(bytes, 4) : bytes, _mm256_set1_epi8(15));
}

enum { KEY_OFFSET = 128 }; // what bytes with a sign are multiplied with

// VW groups of four bytes with a sign, as the first factor of add_products.
static inline vf vi_key(const int8_t *p)
{
    return _mm256_castsi256_ps(_mm256_xor_si256(vi_load(p), _mm256_set1_epi8(-128)));
}

// The larger of MOST and |V|, as bits: what is no number is larger than what is infinite.
static inline vi fix_most(vi most, vf v)
{
    return _mm256_max_epu32(most,
                            _mm256_and_si256(_mm256_castps_si256(v), _mm256_set1_epi32(INT32_MAX)));
}

static inline uint32_t fix_most_of(vi most)
{
    __m128i m = _mm_max_epu32(_mm256_castsi256_si128(most), _mm256_extracti128_si256(most, 1));
    m = _mm_max_epu32(m, _mm_shuffle_epi32(m, 0x4e));
    return (uint32_t)_mm_cvtsi128_si32(_mm_max_epu32(m, _mm_shuffle_epi32(m, 0xb1)));
}

#include "kernels/cpu/largest.h"

static inline int32_t vi_sum(vi eight)
{
    __m128i four = _mm_add_epi32(_mm256_castsi256_si128(eight), _mm256_extracti128_si256(eight, 1));
    four = _mm_add_epi32(four, _mm_shuffle_epi32(four, 0x4e));
    return _mm_cvtsi128_si32(_mm_add_epi32(four, _mm_shuffle_epi32(four, 0xb1)));
}

// 32 numbers of x, e * q; *sum: e times the sum of q.
static void round_block(const float *x, int8_t q[32], float *scale, float *sum)
{
    const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    float most = largest_size(x, 32);
    vf back = v_set1(most == 0 ? 0 : 127 / most);
    vi i[4];
#pragma GCC unroll 4
    for (int k = 0; k < 4; k++)
        i[k] = _mm256_cvtps_epi32(v_load(x + k * VW) * back);
    vi bytes = _mm256_packs_epi16(_mm256_packs_epi32(i[0], i[1]), _mm256_packs_epi32(i[2], i[3]));
    _mm256_storeu_si256((__m256i *)(void *)q, _mm256_permutevar8x32_epi32(bytes, order));
    vi pairs = _mm256_maddubs_epi16(_mm256_set1_epi8(1), bytes);
    *scale = most / 127;
    *sum = *scale * (float)vi_sum(_mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
}

#endif
