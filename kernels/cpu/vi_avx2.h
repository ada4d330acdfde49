// Vectors of eight groups of four bytes, for kernels/cpu/int_tile.h and bytes_scan.h.
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

enum { KEY_OFFSET = 128 }; // what bytes with a sign are multiplied with

// VW groups of four bytes with a sign, as the first factor of add_products.
static inline vf vi_key(const int8_t *p)
{
    return _mm256_castsi256_ps(_mm256_xor_si256(vi_load(p), _mm256_set1_epi8(-128)));
}

#endif
