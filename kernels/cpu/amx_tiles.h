// Tiles of AMX: 16 rows of 64 bytes, here 32 numbers in bfloat16 or 16 in float32.
//
// A product of tiles adds A [16][32] times B to C [16][16]; B lies as [16][16][2]: the pair of k,
// then the column, then the two of the pair. All tiles are always whole: what is not there is zero.
#ifndef LCTOOL_KERNELS_CPU_AMX_TILES_H
#define LCTOOL_KERNELS_CPU_AMX_TILES_H

#include <immintrin.h>
#include <stdint.h>

#include "kernels/cpu/vec_avx512.h"
#include "kernels/tiles.h"

enum {
    AMX_ROWS = 16,
    AMX_K = 32,                  // numbers of a row of A
    AMX_TILE = AMX_ROWS * AMX_K, // and in a tile
};

// The processor forgets the shape at amx_end; each task begins anew, on whatever thread it runs.
static void amx_begin(void)
{
    const struct tiles config = tiles_whole();
    tiles_read_whole(&config);
    _tile_loadconfig(&config);
}

static void amx_end(void)
{
    _tile_release();
}

// 32 floats to bfloat16, to the nearest, ties to even.
static inline __m512i amx_narrow(vf first, vf second)
{
    return (__m512i)_mm512_cvtne2ps_pbh(second, first);
}

// The same, each of the first followed by that of the second: a row of a tile B.
static inline __m512i amx_pairs(vf first, vf second)
{
    const __m512i order =
        _mm512_set_epi16(31, 15, 30, 14, 29, 13, 28, 12, 27, 11, 26, 10, 25, 9, 24, 8, 23, 7, 22, 6,
                         21, 5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0);
    return _mm512_permutexvar_epi16(order, amx_narrow(first, second));
}

// 16 rows of 32 numbers become a tile B of 16 columns.
static inline void amx_store_b(uint16_t *dst, const __m512i *rows)
{
    vf r[VW];
#pragma GCC unroll 16
    for (int i = 0; i < VW; i++)
        r[i] = _mm512_castsi512_ps(rows[i]);
    v_transpose(r);
#pragma GCC unroll 16
    for (int i = 0; i < VW; i++)
        v_store((float *)(void *)(dst + i * AMX_K), r[i]);
}

// C[2][2] += A[2] B[2] over STEPS tiles of k. A's and B's tiles of one k follow each other by the
// given strides, in numbers. Of the two, A is what other products need only later: it does not push
// B out of the first-level cache.
static inline __attribute__((always_inline)) void
amx_products(const uint16_t *a, size_t a_next, const uint16_t *b, size_t b_next, size_t steps)
{
    for (size_t s = 0; s < steps; s++, a += AMX_TILE, b += AMX_TILE) {
        _tile_stream_loadd(4, a, 64);
        _tile_loadd(6, b, 64);
        _tile_dpbf16ps(0, 4, 6);
        _tile_loadd(7, b + b_next, 64);
        _tile_dpbf16ps(1, 4, 7);
        _tile_stream_loadd(5, a + a_next, 64);
        _tile_dpbf16ps(2, 5, 6);
        _tile_dpbf16ps(3, 5, 7);
    }
}

// One step of new sums C[2][2], whose tiles' old contents go to memory as by amx_store: each just
// before its first product, which it then has time for. Four stores at once keep what comes behind
// them waiting.
static inline __attribute__((always_inline)) void
amx_products_anew(const uint16_t *a, size_t a_next, const uint16_t *b, size_t b_next, float *old,
                  size_t row_bytes)
{
    float *low = (float *)(void *)((char *)old + AMX_ROWS * row_bytes);
    _tile_stream_loadd(4, a, 64);
    _tile_loadd(6, b, 64);
    _tile_stored(0, old, row_bytes);
    _tile_zero(0);
    _tile_dpbf16ps(0, 4, 6);
    _tile_loadd(7, b + b_next, 64);
    _tile_stored(1, old + VW, row_bytes);
    _tile_zero(1);
    _tile_dpbf16ps(1, 4, 7);
    _tile_stream_loadd(5, a + a_next, 64);
    _tile_stored(2, low, row_bytes);
    _tile_zero(2);
    _tile_dpbf16ps(2, 5, 6);
    _tile_stored(3, low + VW, row_bytes);
    _tile_zero(3);
    _tile_dpbf16ps(3, 5, 7);
}

// C[2][2], tiles 0 .. 3, from and to memory, where rows are so many bytes apart.
static inline void amx_zero(void)
{
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
}

static inline void amx_load(const float *from, size_t row_bytes)
{
    const float *low = (const float *)(const void *)((const char *)from + AMX_ROWS * row_bytes);
    _tile_loadd(0, from, row_bytes);
    _tile_loadd(1, from + VW, row_bytes);
    _tile_loadd(2, low, row_bytes);
    _tile_loadd(3, low + VW, row_bytes);
}

static inline void amx_store(float *to, size_t row_bytes)
{
    float *low = (float *)(void *)((char *)to + AMX_ROWS * row_bytes);
    _tile_stored(0, to, row_bytes);
    _tile_stored(1, to + VW, row_bytes);
    _tile_stored(2, low, row_bytes);
    _tile_stored(3, low + VW, row_bytes);
}

#endif
