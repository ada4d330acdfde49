// Weights of any type brought to bytes as kernels/cpu/int_tile.h wants them, on x86-64, whose
// instructions multiply bytes without a sign by bytes with one: u is no less than 0.
#ifndef LCTOOL_KERNELS_CPU_INT_UNPACK_H
#define LCTOOL_KERNELS_CPU_INT_UNPACK_H

#include "kernels/cpu/int_tile.h"

enum { UNPACK = 256 }; // weights of a row brought to bytes at a time

// What is added to the codes of weights of TYPE (kernels/codes.h) to make them u.
static int codes_offset(uint32_t type);

// u stands for what may be less than 0, by m.
static int is_flat(uint32_t type)
{
    (void)type;
    return 0;
}

// N weights of a row: u[n], and d and m of each 32, TILE_N apart.
static void unpack_row(uint32_t type, const uint8_t *src, size_t n, uint8_t *u, float *d, float *m)
{
    const struct quant *q = quant_find(type);
    const int offset = codes_offset(type);
    for (size_t i = 0; i < n; i += (size_t)q->block, src += q->bytes, u += q->block) {
        struct codes c;
        codes_of(type, src, &c);
        for (int j = 0; j < q->block; j += BLOCK) {
            __m256i codes = _mm256_loadu_si256((const __m256i *)(const void *)(c.q + j));
            codes = _mm256_add_epi8(codes, _mm256_set1_epi8((char)offset));
            _mm256_storeu_si256((__m256i *)(void *)(u + j), codes);
            d[j / BLOCK * TILE_N] = c.scale[j / 16];
            m[j / BLOCK * TILE_N] = -c.min[j / 16] - (float)offset * c.scale[j / 16];
        }
        d += q->block / BLOCK * TILE_N;
        m += q->block / BLOCK * TILE_N;
    }
}

// fill_half for any type.
static void unpack_half(const struct panel *panel, const struct mat *w, size_t row, size_t at)
{
    uint8_t bytes[VW][UNPACK];
    size_t cols = (size_t)w->cols, rows = (size_t)w->rows,
           row_bytes = (size_t)quant_bytes(w->type, cols);
    for (size_t k = 0; k < cols; k += UNPACK) {
        size_t n = cols - k < UNPACK ? cols - k : UNPACK, block = k / BLOCK;
        size_t skip = (size_t)quant_bytes(w->type, k);
        for (size_t i = 0; i < VW; i++) {
            size_t r = row + i < rows ? row + i : rows - 1;
            unpack_row(w->type, (const uint8_t *)w->data + r * row_bytes + skip, n, bytes[i],
                       panel->d + block * TILE_N + at + i, panel->m + block * TILE_N + at + i);
        }
        for (size_t j = 0; j < n;
             j += 4 * VW) { // of AVX-512 two blocks; the panel has room for a second
            vf r[VW];
#pragma GCC unroll 16
            for (int i = 0; i < VW; i++)
                r[i] = v_load((const float *)(const void *)(bytes[i] + j));
            v_transpose(r);
#pragma GCC unroll 16
            for (size_t i = 0; i < VW; i++)
                v_store((float *)(void *)(panel->u + (((k + j) / 4 + i) * TILE_N + at) * 4), r[i]);
        }
    }
}

#endif
