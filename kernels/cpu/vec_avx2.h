// Vectors of 8 floats for kernels/cpu/simd_*.h. Arithmetic is written with + - * / on vf.
#ifndef LCTOOL_KERNELS_CPU_VEC_AVX2_H
#define LCTOOL_KERNELS_CPU_VEC_AVX2_H

#include <immintrin.h>
#include <stdint.h>
#include <string.h>

#define VW     8 // lanes
#define TILE_M 6 // rows of x in a register tile; TILE_M * 2 + 3 registers

typedef __m256 vf;

static inline vf v_set1(float x)
{
    return _mm256_set1_ps(x);
}

static inline vf v_load(const float *p)
{
    return _mm256_loadu_ps(p);
}

static inline void v_store(float *p, vf v)
{
    _mm256_storeu_ps(p, v);
}

// Of VW numbers of 8 bits.
static inline vf v_of_bytes(const int8_t *p)
{
    return _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i *)p)));
}

static inline __m256i first_lanes(int n)
{
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(n), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

// The first N < VW lanes; the others read as zero and are not written.
static inline vf v_load_part(const float *p, int n)
{
    return _mm256_maskload_ps(p, first_lanes(n));
}

static inline void v_store_part(float *p, vf v, int n)
{
    _mm256_maskstore_ps(p, first_lanes(n), v);
}

static inline vf v_fma(vf a, vf b, vf c)
{
    return _mm256_fmadd_ps(a, b, c);
}

// A NaN in B comes through.
static inline vf v_max(vf a, vf b)
{
    return _mm256_max_ps(a, b);
}

static inline vf v_min(vf a, vf b)
{
    return _mm256_min_ps(a, b);
}

static inline vf v_round(vf a)
{
    return _mm256_round_ps(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}

// 2^n for whole n of -126 .. 127.
static inline vf v_pow2(vf n)
{
    __m256i i = _mm256_add_epi32(_mm256_cvtps_epi32(n), _mm256_set1_epi32(127));
    return _mm256_castsi256_ps(_mm256_slli_epi32(i, 23));
}

static inline float v_sum(vf a)
{
    __m128 s = _mm_add_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
    s = _mm_add_ps(s, _mm_movehl_ps(s, s));
    return _mm_cvtss_f32(_mm_add_ss(s, _mm_movehdup_ps(s)));
}

static inline float v_hmax(vf a)
{
    __m128 s = _mm_max_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
    s = _mm_max_ps(s, _mm_movehl_ps(s, s));
    return _mm_cvtss_f32(_mm_max_ss(s, _mm_movehdup_ps(s)));
}

static inline vf v_from_i8(const int8_t *p)
{
    return _mm256_cvtepi32_ps(
        _mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)p)));
}

static inline vf v_from_f16(const void *p)
{
    return _mm256_cvtph_ps(_mm_loadu_si128(p));
}

static inline vf v_from_bf16(const void *p)
{
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(_mm_loadu_si128(p)), 16));
}

// One half-precision number in all lanes, and two that follow each other.
static inline vf v_half(const uint8_t *b)
{
    int16_t h;
    memcpy(&h, b, sizeof h);
    return _mm256_cvtph_ps(_mm_set1_epi16(h));
}

static inline void v_half_pair(const uint8_t *b, vf *first, vf *second)
{
    int32_t h;
    memcpy(&h, b, sizeof h);
    vf both = _mm256_cvtph_ps(_mm_set1_epi32(h));
    *first = _mm256_moveldup_ps(both);
    *second = _mm256_movehdup_ps(both);
}

// What the 16 values of a nibble stand for: d * (q - offset) + m.
typedef struct {
    __m256 d, offset, m;
} nibble_map;

static inline nibble_map nibble_affine(vf d, float offset, vf m)
{
    return (nibble_map){d, v_set1(offset), m};
}

static inline vf nibble_value(__m128i bytes, nibble_map map)
{
    __m256 q = _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(bytes));
    return map.d * (q - map.offset) + map.m;
}

// The low and the high nibbles of 16 bytes: 16 / VW vectors each.
static inline void nibble_expand(const uint8_t *qs, nibble_map low, nibble_map high, vf *wl, vf *wh)
{
    __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)qs);
    __m128i l = _mm_and_si128(bytes, _mm_set1_epi8(15));
    __m128i h = _mm_and_si128(_mm_srli_epi16(bytes, 4), _mm_set1_epi8(15));
    wl[0] = nibble_value(l, low);
    wl[1] = nibble_value(_mm_srli_si128(l, 8), low);
    wh[0] = nibble_value(h, high);
    wh[1] = nibble_value(_mm_srli_si128(h, 8), high);
}

// (a0, a0, a1, a1, ...): the first and the second half of it.
static inline void v_double(vf a, vf *first, vf *second)
{
    *first = _mm256_permutevar8x32_ps(a, _mm256_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3));
    *second = _mm256_permutevar8x32_ps(a, _mm256_setr_epi32(4, 4, 5, 5, 6, 6, 7, 7));
}

// (a1, a0, a3, a2, ...)
static inline vf v_swap_pairs(vf a)
{
    return _mm256_permute_ps(a, 0xb1);
}

// Transposes the square r[VW].
static inline void v_transpose(vf *r)
{
    vf t[8];
#pragma GCC unroll 8
    for (int i = 0; i < 8; i += 2) {
        t[i] = _mm256_unpacklo_ps(r[i], r[i + 1]);
        t[i + 1] = _mm256_unpackhi_ps(r[i], r[i + 1]);
    }
#pragma GCC unroll 8
    for (int i = 0; i < 8; i += 4)
#pragma GCC unroll 2
        for (int j = 0; j < 2; j++) {
            r[i + 2 * j] = _mm256_shuffle_ps(t[i + j], t[i + j + 2], 0x44);
            r[i + 2 * j + 1] = _mm256_shuffle_ps(t[i + j], t[i + j + 2], 0xee);
        }
#pragma GCC unroll 4
    for (int c = 0; c < 4; c++) {
        t[c] = _mm256_permute2f128_ps(r[c], r[4 + c], 0x20);
        t[4 + c] = _mm256_permute2f128_ps(r[c], r[4 + c], 0x31);
    }
#pragma GCC unroll 8
    for (int i = 0; i < 8; i++)
        r[i] = t[i];
}

#endif
