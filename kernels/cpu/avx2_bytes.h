// Weights brought to bytes eight rows at a time, for kernels/cpu/int_tile.h without AVX-512:
// what it asks of a kernels/cpu/cpu_ISA.c, but for add_products, vi_floats and codes_offset.
#ifndef LCTOOL_KERNELS_AVX2_BYTES_H
#define LCTOOL_KERNELS_AVX2_BYTES_H

#include "kernels/cpu/avx2_few.h"
#include "kernels/cpu/int_unpack.h"

#include "kernels/cpu/bytes_matmul.h"

// Eight halves, each the low 16 bits of its lane.
static inline vf floats_of_halves(__m256i lanes)
{
    __m256i low = _mm256_and_si256(lanes, _mm256_set1_epi32(0xffff));
    return _mm256_cvtph_ps(
        _mm_packus_epi32(_mm256_castsi256_si128(low), _mm256_extracti128_si256(low, 1)));
}

// The codes of a block at SRC, whose scales take HEAD bytes. TYPE a constant after inlining, here
// and below.
INLINE __m256i block_bytes(uint32_t type, const uint8_t *src, size_t head)
{
    if (type == QUANT_Q8_0) // + 128
        return _mm256_xor_si256(_mm256_loadu_si256((const __m256i *)(const void *)(src + head)),
                                _mm256_set1_epi8(-128));
    __m128i c = _mm_loadu_si128((const __m128i *)(const void *)(src + head));
    return _mm256_and_si256(_mm256_set_m128i(_mm_srli_epi16(c, 4), c), _mm256_set1_epi8(15));
}

// fill_half from the weights as they lie in the file.
INLINE void bytes_half(uint32_t type, const struct panel *panel, const struct mat *w, size_t row,
                       size_t at)
{
    const size_t head = type == QUANT_Q4_1 ? 4 : 2;
    size_t bytes = (size_t)quant_bytes(type, BLOCK), blocks = (size_t)w->cols / BLOCK;
    size_t left = (size_t)w->rows - row, skip[VW];
    const uint8_t *src = (const uint8_t *)w->data + row * blocks * bytes;
    int32_t rows[VW];
    for (size_t i = 0; i < VW; i++) {
        skip[i] = (i < left ? i : left - 1) * blocks * bytes;
        rows[i] = (int32_t)skip[i];
    }
    __m256i lanes = _mm256_loadu_si256((const __m256i *)(const void *)rows);
    for (size_t b = 0; b < blocks; b++, src += bytes) {
        __m256i scales = _mm256_i32gather_epi32((const int *)(const void *)src, lanes, 1);
        vf d = floats_of_halves(scales), r[VW];
        v_store(panel->d + b * TILE_N + at, d);
        if (type == QUANT_Q4_1)
            v_store(panel->m + b * TILE_N + at, floats_of_halves(_mm256_srli_epi32(scales, 16)));
        else
            v_store(panel->m + b * TILE_N + at, v_set1(type == QUANT_Q4_0 ? -8 : -128) * d);
#pragma GCC unroll 8
        for (int i = 0; i < VW; i++)
            r[i] = _mm256_castsi256_ps(block_bytes(type, src + skip[i], head));
        v_transpose(r);
#pragma GCC unroll 8
        for (size_t g = 0; g < INT_FOURS; g++)
            v_store((float *)(void *)(panel->u + ((b * INT_FOURS + g) * TILE_N + at) * 4), r[g]);
    }
}

static void fill_half(const struct panel *panel, const struct mat *w, size_t row, size_t at)
{
    if (w->type == QUANT_Q4_1)
        bytes_half(QUANT_Q4_1, panel, w, row, at);
    else if (w->type == QUANT_Q4_0)
        bytes_half(QUANT_Q4_0, panel, w, row, at);
    else if (w->type == QUANT_Q8_0)
        bytes_half(QUANT_Q8_0, panel, w, row, at);
    else
        unpack_half(panel, w, row, at);
}

static void round_rows(const float *const *row, size_t at, size_t m, int32_t *x, float *e,
                       float *sum)
{
    round_each(row, at, m, x, e, sum);
}

#endif
