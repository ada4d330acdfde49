// Panels of 16 weight rows (kernels/cpu/panels.h) for AVX-512, with and without VNNI. Included
// behind CODE_OFFSET and what kernels/cpu/panels_few.h asks for.
#ifndef LCTOOL_KERNELS_CPU_AVX512_PANELS_H
#define LCTOOL_KERNELS_CPU_AVX512_PANELS_H

#include "kernels/cpu/vi_avx512.h"

#include "kernels/cpu/panels.h"

INLINE __m512i sixteen_bytes(__m512i rows, const uint8_t *p, int lane)
{
    __m128i own = _mm_loadu_si128((const __m128i *)(const void *)p);
    return lane == 0   ? _mm512_castsi128_si512(own)
           : lane == 1 ? _mm512_inserti32x4(rows, own, 1)
           : lane == 2 ? _mm512_inserti32x4(rows, own, 2)
                       : _mm512_inserti32x4(rows, own, 3);
}

INLINE void four_fours(const uint8_t *p, size_t stride, vi fours[4])
{
    __m512i rows[4]; // of which row i has rows i, 4 + i, 8 + i and 12 + i
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++)
#pragma GCC unroll 4
        for (int lane = 0; lane < 4; lane++)
            rows[i] = sixteen_bytes(rows[i], p + (size_t)(4 * lane + i) * stride, lane);
    __m512i ab = _mm512_unpacklo_epi32(rows[0], rows[1]),
            cd = _mm512_unpacklo_epi32(rows[2], rows[3]);
    fours[0] = _mm512_unpacklo_epi64(ab, cd);
    fours[1] = _mm512_unpackhi_epi64(ab, cd);
    ab = _mm512_unpackhi_epi32(rows[0], rows[1]);
    cd = _mm512_unpackhi_epi32(rows[2], rows[3]);
    fours[2] = _mm512_unpacklo_epi64(ab, cd);
    fours[3] = _mm512_unpackhi_epi64(ab, cd);
}

INLINE vi first_fours(const uint8_t *p, size_t stride)
{
    return _mm512_setr_epi32(
        four_bytes(p), four_bytes(p + stride), four_bytes(p + 2 * stride),
        four_bytes(p + 3 * stride), four_bytes(p + 4 * stride), four_bytes(p + 5 * stride),
        four_bytes(p + 6 * stride), four_bytes(p + 7 * stride), four_bytes(p + 8 * stride),
        four_bytes(p + 9 * stride), four_bytes(p + 10 * stride), four_bytes(p + 11 * stride),
        four_bytes(p + 12 * stride), four_bytes(p + 13 * stride), four_bytes(p + 14 * stride),
        four_bytes(p + 15 * stride));
}

INLINE void put_halves(uint8_t *to, vi fours)
{
    _mm256_storeu_si256((__m256i *)(void *)to, _mm512_cvtepi32_epi16(fours));
}

INLINE vi high_halves(vi fours)
{
    return _mm512_srli_epi32(fours, 16);
}

#include "kernels/cpu/panels_few.h"

#endif
