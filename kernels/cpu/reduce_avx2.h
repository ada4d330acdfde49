// Six vectors of eight lanes reduced together, which takes a third of what one at a time does.
#ifndef LCTOOL_KERNELS_CPU_REDUCE_AVX2_H
#define LCTOOL_KERNELS_CPU_REDUCE_AVX2_H

#include "kernels/cpu/simd_matmul.h"

// Defines NAME(v): what OP makes of all lanes of each of V [6], a lane each, and of the last two
// once more.
#define REDUCE_SIX(NAME, OP)                                                                       \
    INLINE __m256i NAME##_two(__m256i a, __m256i b)                                                \
    {                                                                                              \
        return OP(_mm256_unpacklo_epi32(a, b), _mm256_unpackhi_epi32(a, b));                       \
    }                                                                                              \
    INLINE __m256i NAME##_four(__m256i ab, __m256i cd)                                             \
    {                                                                                              \
        return OP(_mm256_unpacklo_epi64(ab, cd), _mm256_unpackhi_epi64(ab, cd));                   \
    }                                                                                              \
    INLINE __m256i NAME(const __m256i *v)                                                          \
    {                                                                                              \
        __m256i abcd = NAME##_four(NAME##_two(v[0], v[1]), NAME##_two(v[2], v[3]));                \
        __m256i ef = NAME##_two(v[4], v[5]), efef = NAME##_four(ef, ef);                           \
        return OP(_mm256_permute2x128_si256(abcd, efef, 0x20),                                     \
                  _mm256_permute2x128_si256(abcd, efef, 0x31));                                    \
    }

INLINE __m256i larger_floats(__m256i a, __m256i b)
{
    return _mm256_castps_si256(_mm256_max_ps(_mm256_castsi256_ps(a), _mm256_castsi256_ps(b)));
}

REDUCE_SIX(tops_of_six, larger_floats)
REDUCE_SIX(sums_of_six, _mm256_add_epi32)

#endif
