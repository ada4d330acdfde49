// Rows of x rounded to bytes for kernels/cpu/int_tile.h, INT_M at a time: the bits are those of
// round_block, whose maxima, divisions and sums are of one row.
#ifndef LCTOOL_KERNELS_CPU_ROUND_AVX512_H
#define LCTOOL_KERNELS_CPU_ROUND_AVX512_H

#include "kernels/cpu/int_tile.h"
#include "kernels/cpu/reduce_avx2.h"

_Static_assert(INT_M == 6, "three pairs of rows, and as many as are reduced together");

REDUCE_SIX(largest_of_six, _mm256_max_epu32)

// What two rows' bytes sum up to, each in two lanes.
static inline __m128i two_sums(__m512i pair)
{
    const __m512i ones = _mm512_set1_epi8(1);
    __m512i s = _mm512_madd_epi16(_mm512_maddubs_epi16(ones, pair), _mm512_set1_epi16(1));
    __m256i half = _mm256_add_epi32(_mm512_castsi512_si256(s), _mm512_extracti64x4_epi64(s, 1));
    return _mm_add_epi32(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
}

// The fours of six rows from place O of x on. Of each pair of rows 128-bit lane l has fours l and
// 4 + l of the one, then of the other.
INLINE __m512i fours_from(int o, const __m512i *pair)
{
#define OF_ROWS(f) (f), (f) + 2, (f) + 16, (f) + 18, (f) + 32, (f) + 34
    static const uint8_t from[INT_FOURS * INT_M] = {OF_ROWS(0),  OF_ROWS(4), OF_ROWS(8),
                                                    OF_ROWS(12), OF_ROWS(1), OF_ROWS(5),
                                                    OF_ROWS(9),  OF_ROWS(13)};
#undef OF_ROWS
    __m512i at = _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(const void *)(from + o)));
    __m512i four = _mm512_permutex2var_epi32(pair[0], at, pair[1]);
    return _mm512_mask_permutexvar_epi32(four, _mm512_test_epi32_mask(at, _mm512_set1_epi32(32)),
                                         at, pair[2]);
}

// Of E and SUM six are written. BY 0: SUM are e * sum(q), else whole numbers, BY * sum(q). BY a
// constant after inlining.
INLINE void round_six(const float *const *row, size_t at, int by, int32_t *x, float *e, float *sum)
{
    const __mmask8 six = 0x3f;
    vf a[INT_M], b[INT_M];
    __m256i most[INT_M];
    __m512i pair[INT_M / 2];
#pragma GCC unroll 6
    for (int i = 0; i < INT_M; i++) {
        a[i] = v_load(row[i] + at);
        b[i] = v_load(row[i] + at + VW);
        // As bits: what is no number is larger than what is infinite.
        __m512i larger = _mm512_max_epu32(_mm512_castps_si512(_mm512_abs_ps(a[i])),
                                          _mm512_castps_si512(_mm512_abs_ps(b[i])));
        most[i] =
            _mm256_max_epu32(_mm512_castsi512_si256(larger), _mm512_extracti64x4_epi64(larger, 1));
    }
    __m256 largest = _mm256_castsi256_ps(largest_of_six(most));
    __mmask8 any = _mm256_cmp_ps_mask(largest, _mm256_setzero_ps(), _CMP_NEQ_UQ);
    float back[8];
    _mm256_storeu_ps(back, _mm256_maskz_div_ps(any, _mm256_set1_ps(127), largest));
    __m256 scale = _mm256_div_ps(largest, _mm256_set1_ps(127));
#pragma GCC unroll 3
    for (int i = 0; i < INT_M; i += 2) {
        vf own = v_set1(back[i]), next = v_set1(back[i + 1]);
        pair[i / 2] = _mm512_packs_epi16(
            _mm512_packs_epi32(_mm512_cvtps_epi32(a[i] * own), _mm512_cvtps_epi32(b[i] * own)),
            _mm512_packs_epi32(_mm512_cvtps_epi32(a[i + 1] * next),
                               _mm512_cvtps_epi32(b[i + 1] * next)));
    }
    _mm512_storeu_si512(x, fours_from(0, pair));
    _mm512_storeu_si512(x + 16, fours_from(16, pair));
    _mm512_storeu_si512(x + 32, fours_from(32, pair));
    __m128i first = _mm_hadd_epi32(two_sums(pair[0]), two_sums(pair[1]));
    __m128i last = two_sums(pair[2]);
    __m256i sums = _mm256_set_m128i(_mm_hadd_epi32(last, last), first);
    _mm256_mask_storeu_ps(e, six, scale);
    if (by)
        _mm256_mask_storeu_epi32(sum, six, _mm256_mullo_epi32(sums, _mm256_set1_epi32(by)));
    else
        _mm256_mask_storeu_ps(sum, six, _mm256_mul_ps(scale, _mm256_cvtepi32_ps(sums)));
}

static void round_rows(const float *const *row, size_t at, size_t m, int32_t *x, float *e,
                       float *sum)
{
    if (m == INT_M)
        round_six(row, at, 0, x, e, sum);
    else
        round_each(row, at, m, x, e, sum);
}

#endif
