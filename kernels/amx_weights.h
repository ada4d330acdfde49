// Weights become tiles B of bfloat16.
#ifndef LCTOOL_KERNELS_AMX_WEIGHTS_H
#define LCTOOL_KERNELS_AMX_WEIGHTS_H

#include <string.h>

#include "kernels/amx_tiles.h"
#include "kernels/simd_matmul.h"
#include "kernels/vnni_few.h"

enum { QUARTERS = 4 }; // pieces of a tile that a packed panel is brought to tiles in

INLINE __m512i narrow_block(void (*load)(const void *, vf *), const uint8_t *src)
{
    vf w[BLOCK_VECS];
    load(src, w);
    return amx_narrow(w[0], w[1]);
}

// STEPS blocks of 32 weights of 16 rows into tiles B, LOAD a constant after inlining.
INLINE void narrow_rows(void (*load)(const void *, vf *), size_t bytes, const uint8_t *const *rows,
                        size_t steps, uint16_t *tiles)
{
    for (size_t s = 0; s < steps; s++) {
        __m512i r[AMX_ROWS];
#pragma GCC unroll 16
        for (int i = 0; i < AMX_ROWS; i++)
            r[i] = narrow_block(load, rows[i] + s * bytes);
        amx_store_b(tiles + s * AMX_TILE, r);
    }
}

// The types that are neither packed nor have a register form, and the columns after the last whole
// block: by way of a buffer.
static void narrow_buffered(uint32_t type, const uint8_t *const *rows, size_t n, uint16_t *tiles)
{
    float buf[AMX_ROWS][DEQUANT_K];
    for (size_t k = 0; k < n; k += DEQUANT_K) {
        size_t part = n - k < DEQUANT_K ? n - k : DEQUANT_K, skip = (size_t)quant_bytes(type, k);
        size_t steps = (part + AMX_K - 1) / AMX_K;
        for (int i = 0; i < AMX_ROWS; i++) {
            dequantize(type, rows[i] + skip, buf[i], part);
            memset(buf[i] + part, 0, (steps * AMX_K - part) * sizeof(float));
        }
        for (size_t s = 0; s < steps; s++) {
            __m512i r[AMX_ROWS];
            for (int i = 0; i < AMX_ROWS; i++)
                r[i] = amx_narrow(v_load(buf[i] + s * AMX_K), v_load(buf[i] + s * AMX_K + VW));
            amx_store_b(tiles + (k / AMX_K + s) * AMX_TILE, r);
        }
    }
}

// The bytes of C at bits SHIFT and SHIFT + 8 of each lane as numbers d * u + m: pairs of bfloat16.
INLINE __m512i narrow_pair(__m512i c, int shift, vf d, vf m)
{
    __m512i low = _mm512_set1_epi32(255);
    vf a = _mm512_cvtepi32_ps(_mm512_and_si512(_mm512_srli_epi32(c, (unsigned)shift), low));
    vf b = _mm512_cvtepi32_ps(_mm512_and_si512(_mm512_srli_epi32(c, (unsigned)shift + 8), low));
    return amx_pairs(d * a + m, d * b + m);
}

// The UNIT-th quarter of tile B number STEP of a packed panel (16 rows), TYPE a constant after
// inlining.
INLINE void narrow_quarter(uint32_t type, const uint8_t *panel, size_t step, int unit,
                           uint16_t *tiles)
{
    struct panel_block k = panel_block(type, panel + step * panel_block_bytes(type));
    uint16_t *to = tiles + step * AMX_TILE + (size_t)unit * (AMX_TILE / QUARTERS);
#pragma GCC unroll 2
    for (int g = 2 * unit; g < 2 * unit + 2; g++, to += 2 * AMX_K) {
        __m512i c = panel_codes(type, k.codes, g);
        _mm512_storeu_si512(to, narrow_pair(c, 0, k.d, k.m));
        _mm512_storeu_si512(to + AMX_K, narrow_pair(c, 16, k.d, k.m));
    }
}

// The 16 rows from ROW on, all columns.
static void narrow_weights(const struct mat *w, size_t row, uint16_t *tiles)
{
    size_t n = (size_t)w->rows, cols = (size_t)w->cols,
           row_bytes = (size_t)quant_bytes(w->type, cols);
    const uint8_t *rows[AMX_ROWS];
    for (size_t i = 0; i < AMX_ROWS; i++) {
        size_t r = row + i < n ? row + i : n - 1; // past the end: not used
        rows[i] = (const uint8_t *)w->data + r * row_bytes;
    }
    size_t steps = cols / BLOCK, bytes = direct_bytes(w->type);
    switch (w->type) {
    case QUANT_F16:
        narrow_rows(load_f16, BLOCK * 2, rows, steps, tiles);
        break;
    case QUANT_BF16:
        narrow_rows(load_bf16, BLOCK * 2, rows, steps, tiles);
        break;
    case QUANT_F32:
        narrow_rows(load_f32, BLOCK * 4, rows, steps, tiles);
        break;
    default:
        narrow_buffered(w->type, rows, cols, tiles);
        return;
    }
    if (steps * BLOCK == cols)
        return;
    for (int i = 0; i < AMX_ROWS; i++)
        rows[i] += steps * bytes;
    narrow_buffered(w->type, rows, cols - steps * BLOCK, tiles + steps * AMX_TILE);
}

#endif
