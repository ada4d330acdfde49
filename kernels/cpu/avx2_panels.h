// Panels of eight weight rows (kernels/cpu/panels.h) for AVX2, with and without VNNI. Included
// behind CODE_OFFSET and what kernels/cpu/panels_few.h asks for.
#ifndef LCTOOL_KERNELS_CPU_AVX2_PANELS_H
#define LCTOOL_KERNELS_CPU_AVX2_PANELS_H

#include "kernels/cpu/vi_avx2.h"

#include "kernels/cpu/panels.h"

INLINE void four_fours(const uint8_t *p, size_t stride, vi fours[4])
{
    vi rows[4]; // of which row i has rows i and 4 + i
#pragma GCC unroll 4
    for (size_t i = 0; i < 4; i++)
        rows[i] = _mm256_loadu2_m128i((const __m128i *)(const void *)(p + (4 + i) * stride),
                                      (const __m128i *)(const void *)(p + i * stride));
    vi ab = _mm256_unpacklo_epi32(rows[0], rows[1]), cd = _mm256_unpacklo_epi32(rows[2], rows[3]);
    fours[0] = _mm256_unpacklo_epi64(ab, cd);
    fours[1] = _mm256_unpackhi_epi64(ab, cd);
    ab = _mm256_unpackhi_epi32(rows[0], rows[1]);
    cd = _mm256_unpackhi_epi32(rows[2], rows[3]);
    fours[2] = _mm256_unpacklo_epi64(ab, cd);
    fours[3] = _mm256_unpackhi_epi64(ab, cd);
}

INLINE vi first_fours(const uint8_t *p, size_t stride)
{
    return _mm256_setr_epi32(four_bytes(p), four_bytes(p + stride), four_bytes(p + 2 * stride),
                             four_bytes(p + 3 * stride), four_bytes(p + 4 * stride),
                             four_bytes(p + 5 * stride), four_bytes(p + 6 * stride),
                             four_bytes(p + 7 * stride));
}

INLINE void put_halves(uint8_t *to, vi fours)
{
    vi low = _mm256_and_si256(fours, _mm256_set1_epi32(0xffff));
    __m128i halves =
        _mm_packus_epi32(_mm256_castsi256_si128(low), _mm256_extracti128_si256(low, 1));
    _mm_storeu_si128((__m128i *)(void *)to, halves);
}

INLINE vi high_halves(vi fours)
{
    return _mm256_srli_epi32(fours, 16);
}

#include "kernels/cpu/panels_few.h"

#endif
