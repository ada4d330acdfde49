// Vectors of whole numbers for kernels/cpu/simd_attend_fix.h, by AVX2.
#ifndef LCTOOL_KERNELS_CPU_FIX_AVX2_H
#define LCTOOL_KERNELS_CPU_FIX_AVX2_H

#include "kernels/cpu/reduce_avx2.h"
#include "kernels/cpu/simd_attend_panels.h"
#include "kernels/cpu/vi_avx2.h"

// ---- Of 32 bits

// The nearest whole numbers.
static inline vi fix_whole(vf x)
{
    return _mm256_cvtps_epi32(x);
}

static inline vf fix_floats(vi a)
{
    return _mm256_cvtepi32_ps(a);
}

static inline vf fix_as_floats(vi bits)
{
    return _mm256_castsi256_ps(bits);
}

// BY / X, and 0 where X is not above 0.
static inline vf fix_over(float by, vf x)
{
    return _mm256_and_ps(_mm256_div_ps(v_set1(by), x), _mm256_cmp_ps(x, v_set1(0), _CMP_GT_OQ));
}

// ---- Of TILE_M vectors, in the lanes of one, whose last are 0

_Static_assert(TILE_M == 6, "as many as are reduced together");

// The largest of each.
INLINE vf fix_tops(const vf *v)
{
    __m256i six[TILE_M];
#pragma GCC unroll 6
    for (int i = 0; i < TILE_M; i++)
        six[i] = _mm256_castps_si256(v[i]);
    return _mm256_castsi256_ps(_mm256_blend_epi32(tops_of_six(six), _mm256_setzero_si256(), 0xc0));
}

// What the lanes of each add up to.
INLINE vi fix_totals(const vi *v)
{
    return _mm256_blend_epi32(sums_of_six(v), _mm256_setzero_si256(), 0xc0);
}

// ---- Of 16 bits

static inline vi fix_set(int16_t a)
{
    return _mm256_set1_epi16(a);
}

static inline vi fix_sub(vi a, vi b)
{
    return _mm256_sub_epi16(a, b);
}

// a * b / 2^15, rounded.
static inline vi fix_times(vi a, vi b)
{
    return _mm256_mulhrs_epi16(a, b);
}

// Two vectors of 32 bits as one of 0 .. 65535.
static inline vi fix_pack(vi a, vi b)
{
    return _mm256_packus_epi32(a, b);
}

// Of 1024ths, 2^15 of what is behind the point.
static inline vi fix_fraction(vi below)
{
    return _mm256_srli_epi16(_mm256_slli_epi16(below, 6), 1);
}

// Y, halved once more often than BELOW has whole units, n times in all, and rounded: times 2^15
// halved as often, of which a table has the one bit, for the upper byte where n is 1 .. 7 and for
// the lower where it is 8 .. 15. To 0x70 + n and 0x68 + n a shuffle gives numbers n and n - 8 of
// its 16, to 0x68 + 1 .. 7 its last, which are 0, and 0 from 0x80 on.
static inline vi fix_halve(vi y, vi below)
{
    const __m256i bits = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(INT8_MIN, 64, 32, 16, 8, 4, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0));
    vi units = _mm256_mullo_epi16(_mm256_srli_epi16(below, 10), _mm256_set1_epi16(0x101));
    vi at = _mm256_add_epi8(units, _mm256_set1_epi16(0x7169));
    return _mm256_mulhrs_epi16(y, _mm256_shuffle_epi8(bits, at));
}

// The numbers of which SEEN has a bit; 0 for the others.
static inline vi fix_keep(uint32_t seen, vi e)
{
    const __m256i bit =
        _mm256_setr_epi16(1 << 0, 1 << 1, 1 << 2, 1 << 3, 1 << 4, 1 << 5, 1 << 6, 1 << 7, 1 << 8,
                          1 << 9, 1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, INT16_MIN);
    vi own = _mm256_and_si256(_mm256_set1_epi16((int16_t)seen), bit);
    return _mm256_and_si256(e, _mm256_cmpeq_epi16(own, bit));
}

// Pairs of the lower 16 bits of both.
static inline vi fix_pairs(vi low, vi high)
{
    return _mm256_blend_epi16(low, _mm256_slli_epi32(high, 16), 0xaa);
}

// Pairs of both, of each 8 the first 4, and the last 4; and what is so divided as it was.
static inline vi fix_low_pairs(vi a, vi b)
{
    return _mm256_unpacklo_epi16(a, b);
}

static inline vi fix_high_pairs(vi a, vi b)
{
    return _mm256_unpackhi_epi16(a, b);
}

static inline void fix_in_order(vf *low, vf *high)
{
    vf a = *low, b = *high;
    *low = _mm256_permute2f128_ps(a, b, 0x20);
    *high = _mm256_permute2f128_ps(a, b, 0x31);
}

static inline void fix_store(int16_t *to, vi a)
{
    _mm_storeu_si128((__m128i *)(void *)to,
                     _mm_packs_epi32(_mm256_castsi256_si128(a), _mm256_extracti128_si256(a, 1)));
}

// VW numbers.
static inline vf fix_load(const int16_t *p)
{
    return _mm256_cvtepi32_ps(
        _mm256_cvtepi16_epi32(_mm_loadu_si128((const __m128i *)(const void *)p)));
}

// ---- Masks

// Where SEEN has a bit of lane BIT what V has there, else NONE.
static inline vf fix_hide(uint32_t seen, vi bit, vf none, vf v)
{
    vi own = _mm256_and_si256(_mm256_set1_epi32((int)seen), bit);
    return _mm256_blendv_ps(none, v, _mm256_castsi256_ps(_mm256_cmpeq_epi32(own, bit)));
}

// Scores of a panel lie as fix_pack brings them to the order of the keys: of each 8 the first 4 in
// LOW, the last 4 in HIGH. Those of keys that are not SEEN become NONE.
static inline void hide_unseen(uint32_t seen, vf none, vf *low, vf *high)
{
    const vi first =
        _mm256_setr_epi32(1 << 0, 1 << 1, 1 << 2, 1 << 3, 1 << 8, 1 << 9, 1 << 10, 1 << 11);
    *low = fix_hide(seen, first, none, *low);
    *high = fix_hide(seen, _mm256_slli_epi32(first, 4), none, *high);
}

#endif
