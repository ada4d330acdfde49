// Weights become tiles B of bfloat16.
#ifndef LCTOOL_KERNELS_CPU_AMX_WEIGHTS_H
#define LCTOOL_KERNELS_CPU_AMX_WEIGHTS_H

#include <string.h>

#include "kernels/cpu/amx_tiles.h"
#include "kernels/cpu/simd_matmul.h"
#include "kernels/cpu/vnni_panels.h"

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

// A number 2^n + u whose code u is at the top of its fraction costs no conversion.
struct narrow_scale {
    vf d, m; // of a block's 16 rows: d * u + m as d * (2^n + u) + m
    __m512i mask, base;
};

INLINE struct narrow_scale narrow_scale_of(uint32_t type, const struct panel_block *k)
{
    const vf n = v_set1(type == QUANT_Q8_0 ? 256 : 128);
    return (struct narrow_scale){k->d, k->m - k->d * n,
                                 _mm512_set1_epi32(type == QUANT_Q8_0 ? 255 << 15 : 15 << 16),
                                 (__m512i)n};
}

// X has a code at the top of each lane's fraction, among other bits.
INLINE vf narrow_number(const struct narrow_scale *k, __m512i x)
{
    vf f = _mm512_castsi512_ps(
        _mm512_ternarylogic_epi32(x, k->mask, k->base, 0xea)); // x & mask | base
    return v_fma(f, k->d, k->m);
}

INLINE void narrow_pairs(const struct narrow_scale *k, __m512i a, __m512i b, uint16_t *to)
{
    _mm512_storeu_si512(to, amx_pairs(narrow_number(k, a), narrow_number(k, b)));
}

// The UNIT-th part of a packed block of 16 rows becomes that of a tile B: the weights 4 UNIT .. 4
// UNIT + 3, and those 16 places on, with which they share bytes. TYPE a constant after inlining.
INLINE void narrow_quarter(uint32_t type, const uint8_t *packed, size_t unit, uint16_t *tile)
{
    enum { FAR = FOURS / 2 };
    struct panel_block block = panel_block(type, packed);
    struct narrow_scale k = narrow_scale_of(type, &block);
    uint16_t *low = tile + unit * 2 * AMX_K, *high = low + FAR * 2 * AMX_K;
    __m512i x = _mm512_loadu_si512(block.codes + unit * 64);
    if (type == QUANT_Q8_0) {
        __m512i y = _mm512_loadu_si512(block.codes + (unit + FAR) * 64);
        narrow_pairs(&k, _mm512_slli_epi32(x, 15), _mm512_slli_epi32(x, 7), low);
        narrow_pairs(&k, _mm512_srli_epi32(x, 1), _mm512_srli_epi32(x, 9), low + AMX_K);
        narrow_pairs(&k, _mm512_slli_epi32(y, 15), _mm512_slli_epi32(y, 7), high);
        narrow_pairs(&k, _mm512_srli_epi32(y, 1), _mm512_srli_epi32(y, 9), high + AMX_K);
    } else {
        narrow_pairs(&k, _mm512_slli_epi32(x, 16), _mm512_slli_epi32(x, 8), low);
        narrow_pairs(&k, x, _mm512_srli_epi32(x, 8), low + AMX_K);
        narrow_pairs(&k, _mm512_slli_epi32(x, 12), _mm512_slli_epi32(x, 4), high);
        narrow_pairs(&k, _mm512_srli_epi32(x, 4), _mm512_srli_epi32(x, 12), high + AMX_K);
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
