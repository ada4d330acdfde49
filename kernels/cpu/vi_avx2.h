// Vectors of eight groups of four bytes, for kernels/cpu/int_tile.h, panels.h and bytes_scan.h, and
// x as bytes.
#ifndef LCTOOL_KERNELS_VI_AVX2_H
#define LCTOOL_KERNELS_VI_AVX2_H

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

// 32 numbers of x, e * q; *sum: e times the sum of q.
static void round_block(const float *x, int8_t q[32], float *scale, float *sum)
{
    const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    vf v[4], max = v_set1(0), all = v_set1(0);
    __m256i i[4];
    for (int k = 0; k < 4; k++) {
        v[k] = v_load(x + k * VW);
        max = v_max(max, _mm256_andnot_ps(v_set1(-0.0f), v[k]));
        all = all + v[k];
    }
    float most = v_hmax(max);
    vf back = v_set1(most == 0 ? 0 : 127 / most);
    for (int k = 0; k < 4; k++)
        i[k] = _mm256_cvtps_epi32(v[k] * back);
    __m256i total = _mm256_add_epi32(_mm256_add_epi32(i[0], i[1]), _mm256_add_epi32(i[2], i[3]));
    __m256i bytes =
        _mm256_packs_epi16(_mm256_packs_epi32(i[0], i[1]), _mm256_packs_epi32(i[2], i[3]));
    _mm256_storeu_si256((__m256i *)(void *)q, _mm256_permutevar8x32_epi32(bytes, order));
    *scale = most / 127 + 0 * v_sum(all); // a NaN must be seen
    *sum = *scale * v_sum(_mm256_cvtepi32_ps(total));
}

#endif
