// Vectors of whole numbers for kernels/cpu/simd_attend_fix.h, by AVX-512.
#ifndef LCTOOL_KERNELS_FIX_AVX512_H
#define LCTOOL_KERNELS_FIX_AVX512_H

#include "kernels/cpu/avx512_attend.h"
#include "kernels/cpu/vi_avx512.h"

// ---- Of 32 bits

static inline void vi_store(void *p, vi a)
{
    _mm512_storeu_si512(p, a);
}

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

// BY / X, and 0 where X is not above 0.
static inline vf fix_over(float by, vf x)
{
    return _mm512_maskz_div_ps(_mm512_cmp_ps_mask(x, v_set1(0), _CMP_GT_OQ), v_set1(by), x);
}

// ---- Of TILE_M vectors, in the lanes of one, whose last are 0

_Static_assert(TILE_M == 12, "three times four");

// Of A and B in turns, two lanes of four each.
INLINE __m256 fix_two_tops(vf a, vf b)
{
    __m256 x = _mm256_max_ps(_mm512_castps512_ps256(a), _mm512_extractf32x8_ps(a, 1));
    __m256 y = _mm256_max_ps(_mm512_castps512_ps256(b), _mm512_extractf32x8_ps(b, 1));
    return _mm256_max_ps(_mm256_unpacklo_ps(x, y), _mm256_unpackhi_ps(x, y));
}

INLINE __m128 fix_four_tops(const vf *v)
{
    __m256d ab = _mm256_castps_pd(fix_two_tops(v[0], v[1]));
    __m256d cd = _mm256_castps_pd(fix_two_tops(v[2], v[3]));
    __m256 all = _mm256_max_ps(_mm256_castpd_ps(_mm256_unpacklo_pd(ab, cd)),
                               _mm256_castpd_ps(_mm256_unpackhi_pd(ab, cd)));
    return _mm_max_ps(_mm256_castps256_ps128(all), _mm256_extractf128_ps(all, 1));
}

// The largest of each.
INLINE vf fix_tops(const vf *v)
{
    vf all = _mm512_castps128_ps512(fix_four_tops(v));
    all = _mm512_insertf32x4(all, fix_four_tops(v + 4), 1);
    all = _mm512_insertf32x4(all, fix_four_tops(v + 8), 2);
    return _mm512_insertf32x4(all, _mm_setzero_ps(), 3);
}

INLINE __m256i fix_two_totals(vi a, vi b)
{
    __m256i x = _mm256_add_epi32(_mm512_castsi512_si256(a), _mm512_extracti64x4_epi64(a, 1));
    __m256i y = _mm256_add_epi32(_mm512_castsi512_si256(b), _mm512_extracti64x4_epi64(b, 1));
    return _mm256_add_epi32(_mm256_unpacklo_epi32(x, y), _mm256_unpackhi_epi32(x, y));
}

INLINE __m128i fix_four_totals(const vi *v)
{
    __m256i ab = fix_two_totals(v[0], v[1]), cd = fix_two_totals(v[2], v[3]);
    __m256i all = _mm256_add_epi32(_mm256_unpacklo_epi64(ab, cd), _mm256_unpackhi_epi64(ab, cd));
    return _mm_add_epi32(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1));
}

// What the lanes of each add up to.
INLINE vi fix_totals(const vi *v)
{
    vi all = _mm512_castsi128_si512(fix_four_totals(v));
    all = _mm512_inserti32x4(all, fix_four_totals(v + 4), 1);
    all = _mm512_inserti32x4(all, fix_four_totals(v + 8), 2);
    return _mm512_inserti32x4(all, _mm_setzero_si128(), 3);
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
