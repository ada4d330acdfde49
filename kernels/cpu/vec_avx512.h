// Vectors of 16 floats for kernels/cpu/simd_*.h. Arithmetic is written with + - * / on vf.
#ifndef LCTOOL_KERNELS_CPU_VEC_AVX512_H
#define LCTOOL_KERNELS_CPU_VEC_AVX512_H

#include <immintrin.h>
#include <stdint.h>
#include <string.h>

#define VW     16 // lanes
#define TILE_M 12 // rows of x in a register tile; TILE_M * 2 + 3 registers

typedef __m512 vf;

static inline vf v_set1(float x)
{
    return _mm512_set1_ps(x);
}

static inline vf v_load(const float *p)
{
    return _mm512_loadu_ps(p);
}

static inline void v_store(float *p, vf v)
{
    _mm512_storeu_ps(p, v);
}

// Of VW numbers of 8 bits.
static inline vf v_of_bytes(const int8_t *p)
{
    return _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(_mm_loadu_si128((const __m128i *)p)));
}

// The first N < VW lanes; the others read as zero and are not written.
static inline vf v_load_part(const float *p, int n)
{
    return _mm512_maskz_loadu_ps((__mmask16)((1u << n) - 1), p);
}

static inline void v_store_part(float *p, vf v, int n)
{
    _mm512_mask_storeu_ps(p, (__mmask16)((1u << n) - 1), v);
}

static inline vf v_fma(vf a, vf b, vf c)
{
    return _mm512_fmadd_ps(a, b, c);
}

// A NaN in B comes through.
static inline vf v_max(vf a, vf b)
{
    return _mm512_max_ps(a, b);
}

static inline vf v_min(vf a, vf b)
{
    return _mm512_min_ps(a, b);
}

static inline vf v_round(vf a)
{
    return _mm512_roundscale_ps(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}

// 2^n for whole n of -126 .. 127.
static inline vf v_pow2(vf n)
{
    __m512i i = _mm512_add_epi32(_mm512_cvtps_epi32(n), _mm512_set1_epi32(127));
    return _mm512_castsi512_ps(_mm512_slli_epi32(i, 23));
}

static inline float v_sum(vf a)
{
    return _mm512_reduce_add_ps(a);
}

static inline float v_hmax(vf a)
{
    return _mm512_reduce_max_ps(a);
}

static inline vf v_from_i8(const int8_t *p)
{
    return _mm512_cvtepi32_ps(
        _mm512_cvtepi8_epi32(_mm_loadu_si128((const __m128i *)(const void *)p)));
}

static inline vf v_from_f16(const void *p)
{
    return _mm512_cvtph_ps(_mm256_loadu_si256(p));
}

static inline vf v_from_bf16(const void *p)
{
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(_mm256_loadu_si256(p)), 16));
}

// One half-precision number in all lanes, and two that follow each other.
static inline vf v_half(const uint8_t *b)
{
    int16_t h;
    memcpy(&h, b, sizeof h);
    return _mm512_cvtph_ps(_mm256_set1_epi16(h));
}

static inline void v_half_pair(const uint8_t *b, vf *first, vf *second)
{
    int32_t h;
    memcpy(&h, b, sizeof h);
    vf both = _mm512_cvtph_ps(_mm256_set1_epi32(h));
    *first = _mm512_moveldup_ps(both);
    *second = _mm512_movehdup_ps(both);
}

// What the 16 values of a nibble stand for: d * (q - offset) + m.
typedef struct {
    __m512 value;
} nibble_map;

static inline nibble_map nibble_affine(vf d, float offset, vf m)
{
    __m512 q = _mm512_setr_ps(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    __m512 scaled = d * (q - v_set1(offset));
    return (nibble_map){scaled + m};
}

// The low and the high nibbles of 16 bytes: 16 / VW vectors each. The permutation reads the lowest
// four bits of an index only, so nothing is masked.
static inline void nibble_expand(const uint8_t *qs, nibble_map low, nibble_map high, vf *wl, vf *wh)
{
    __m512i i = _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(const void *)qs));
    wl[0] = _mm512_permutexvar_ps(i, low.value);
    wh[0] = _mm512_permutexvar_ps(_mm512_srli_epi32(i, 4), high.value);
}

// (a0, a0, a1, a1, ...): the first and the second half of it.
static inline void v_double(vf a, vf *first, vf *second)
{
    *first =
        _mm512_permutexvar_ps(_mm512_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7), a);
    *second = _mm512_permutexvar_ps(
        _mm512_setr_epi32(8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13, 14, 14, 15, 15), a);
}

// (a1, a0, a3, a2, ...)
static inline vf v_swap_pairs(vf a)
{
    return _mm512_permute_ps(a, 0xb1);
}

// Transposes the square r[VW].
static inline void v_transpose(vf *r)
{
    vf t[16];
#pragma GCC unroll 16
    for (int i = 0; i < 16; i += 2) {
        t[i] = _mm512_unpacklo_ps(r[i], r[i + 1]);
        t[i + 1] = _mm512_unpackhi_ps(r[i], r[i + 1]);
    }
#pragma GCC unroll 16
    for (int i = 0; i < 16; i += 4)
#pragma GCC unroll 2
        for (int j = 0; j < 2; j++) {
            __m512d a = _mm512_castps_pd(t[i + j]), b = _mm512_castps_pd(t[i + j + 2]);
            r[i + 2 * j] = _mm512_castpd_ps(_mm512_unpacklo_pd(a, b));
            r[i + 2 * j + 1] = _mm512_castpd_ps(_mm512_unpackhi_pd(a, b));
        }
        // r[4g + c], 128-bit lane l: column 4l + c of rows 4g .. 4g+3
#pragma GCC unroll 4
    for (int c = 0; c < 4; c++) {
        vf low01 = _mm512_shuffle_f32x4(r[c], r[4 + c], 0x44);
        vf high01 = _mm512_shuffle_f32x4(r[c], r[4 + c], 0xee);
        vf low23 = _mm512_shuffle_f32x4(r[8 + c], r[12 + c], 0x44);
        vf high23 = _mm512_shuffle_f32x4(r[8 + c], r[12 + c], 0xee);
        t[c] = _mm512_shuffle_f32x4(low01, low23, 0x88);
        t[4 + c] = _mm512_shuffle_f32x4(low01, low23, 0xdd);
        t[8 + c] = _mm512_shuffle_f32x4(high01, high23, 0x88);
        t[12 + c] = _mm512_shuffle_f32x4(high01, high23, 0xdd);
    }
#pragma GCC unroll 16
    for (int i = 0; i < 16; i++)
        r[i] = t[i];
}

#endif
