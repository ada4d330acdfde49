// Vectors of eight groups of four bytes, for kernels/cpu/int_tile.h.
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

#endif
