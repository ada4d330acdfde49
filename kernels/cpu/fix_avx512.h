// Vectors of whole numbers for kernels/cpu/simd_attend_fix.h, by AVX-512.
#ifndef LCTOOL_KERNELS_CPU_FIX_AVX512_H
#define LCTOOL_KERNELS_CPU_FIX_AVX512_H

#include "kernels/cpu/avx512_attend.h"
#include "kernels/cpu/reduce_avx2.h"
#include "kernels/cpu/vi_avx512.h"

// ---- Of 32 bits

// The nearest whole numbers.
static inline vi fix_whole(vf x)
{
    return _mm512_cvtps_epi32(x);
}

static inline vf fix_floats(vi a)
{
    return _mm512_cvtepi32_ps(a);
}

static inline vf fix_as_floats(vi bits)
{
    return _mm512_castsi512_ps(bits);
}

// The larger of MOST and |V|, as bits: what is no number is larger than what is infinite.
static inline vi fix_most(vi most, vf v)
{
    return _mm512_max_epu32(most, _mm512_castps_si512(_mm512_abs_ps(v)));
}

static inline uint32_t fix_most_of(vi most)
{
    return _mm512_reduce_max_epu32(most);
}

#include "kernels/cpu/largest.h"

// BY / X, and 0 where X is not above 0.
static inline vf fix_over(float by, vf x)
{
    return _mm512_maskz_div_ps(_mm512_cmp_ps_mask(x, v_set1(0), _CMP_GT_OQ), v_set1(by), x);
}

// ---- Of TILE_M vectors, in the lanes of one, whose last are 0

_Static_assert(TILE_M == 12, "twice as many as are reduced together");

// Six lanes of each behind one another.
static inline vi fix_twelve(__m256i first, __m256i last)
{
    const __m512i at = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13, 0, 0, 0, 0);
    vi both = _mm512_inserti64x4(_mm512_castsi256_si512(first), last, 1);
    return _mm512_maskz_permutexvar_epi32(0xfff, at, both);
}

// The largest of each.
INLINE vf fix_tops(const vf *v)
{
    __m256i half[TILE_M];
#pragma GCC unroll 12
    for (int i = 0; i < TILE_M; i++)
        half[i] = _mm256_castps_si256(
            _mm256_max_ps(_mm512_castps512_ps256(v[i]), _mm512_extractf32x8_ps(v[i], 1)));
    return _mm512_castsi512_ps(fix_twelve(tops_of_six(half), tops_of_six(half + 6)));
}

// What the lanes of each add up to.
INLINE vi fix_totals(const vi *v)
{
    __m256i half[TILE_M];
#pragma GCC unroll 12
    for (int i = 0; i < TILE_M; i++)
        half[i] =
            _mm256_add_epi32(_mm512_castsi512_si256(v[i]), _mm512_extracti64x4_epi64(v[i], 1));
    return fix_twelve(sums_of_six(half), sums_of_six(half + 6));
}

// ---- Of 16 bits

static inline vi fix_set(int16_t a)
{
    return _mm512_set1_epi16(a);
}

static inline vi fix_sub(vi a, vi b)
{
    return _mm512_sub_epi16(a, b);
}

// a * b / 2^15, rounded.
static inline vi fix_times(vi a, vi b)
{
    return _mm512_mulhrs_epi16(a, b);
}

// Two vectors of 32 bits as one of 0 .. 65535.
static inline vi fix_pack(vi a, vi b)
{
    return _mm512_packus_epi32(a, b);
}

// Of 1024ths, 2^15 of what is behind the point.
static inline vi fix_fraction(vi below)
{
    return _mm512_srli_epi16(_mm512_slli_epi16(below, 6), 1);
}

// Y, halved once more often than BELOW has whole units, and rounded.
static inline vi fix_halve(vi y, vi below)
{
    return _mm512_avg_epu16(_mm512_srlv_epi16(y, _mm512_srli_epi16(below, 10)),
                            _mm512_setzero_si512());
}

// The numbers of which SEEN has a bit; 0 for the others.
static inline vi fix_keep(uint32_t seen, vi e)
{
    return _mm512_maskz_mov_epi16(seen, e);
}

// Pairs of the lower 16 bits of both.
static inline vi fix_pairs(vi low, vi high)
{
    return _mm512_mask_mov_epi16(low, 0xaaaaaaaa, _mm512_slli_epi32(high, 16));
}

// Pairs of both, of each 8 the first 4, and the last 4; and what is so divided as it was.
static inline vi fix_low_pairs(vi a, vi b)
{
    return _mm512_unpacklo_epi16(a, b);
}

static inline vi fix_high_pairs(vi a, vi b)
{
    return _mm512_unpackhi_epi16(a, b);
}

static inline void fix_in_order(vf *low, vf *high)
{
    const __m512i first = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
    const __m512i last = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
    __m512d a = _mm512_castps_pd(*low), b = _mm512_castps_pd(*high);
    *low = _mm512_castpd_ps(_mm512_permutex2var_pd(a, first, b));
    *high = _mm512_castpd_ps(_mm512_permutex2var_pd(a, last, b));
}

static inline void fix_store(int16_t *to, vi a)
{
    _mm256_storeu_si256((__m256i *)(void *)to, _mm512_cvtsepi32_epi16(a));
}

// VW numbers.
static inline vf fix_load(const int16_t *p)
{
    return _mm512_cvtepi32_ps(
        _mm512_cvtepi16_epi32(_mm256_loadu_si256((const __m256i *)(const void *)p)));
}

#endif
