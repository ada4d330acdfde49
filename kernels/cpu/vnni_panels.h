// Weights as panels of 16 rows for the instruction that multiplies 64 bytes and adds them up in
// fours, made once when a model is loaded.
//
// A weight is d * u + m with u in 0 .. 255, an activation e * q with q in -127 .. 127, each with
// its scale for 32 neighbours. Of one such block the product is e * d * sum(u q) + m * e * sum(q).
//
// Block b of a panel holds, for its 16 rows: d as half precision, m too where the type has it, then
// the codes: of each row four at a time, one row after the other. Codes of four bits share a byte
// with the one 16 places on, as they do in the file.
#ifndef LCTOOL_KERNELS_VNNI_PANELS_H
#define LCTOOL_KERNELS_VNNI_PANELS_H

#include <string.h>

#include "kernels/cpu/pack.h"
#include "kernels/cpu/simd_matmul.h"
#include "kernels/cpu/vi_avx512.h"

enum {
    PANEL_ROWS = PACK_ROWS,
    FOURS = 8, // groups of four weights in a block
};

// Bytes of a block of 16 rows; 0: the type has no such form.
static size_t panel_block_bytes(uint32_t type)
{
    switch (type) {
    case QUANT_Q4_0:
        return PANEL_ROWS * (2 + 16);
    case QUANT_Q4_1:
        return PANEL_ROWS * (4 + 16);
    case QUANT_Q8_0:
        return PANEL_ROWS * (2 + 32);
    default:
        return 0;
    }
}

// ---- Packing

// One block of 16 rows, whose bytes begin at SRC + ROWS; those that MASK leaves out become zero.
// TYPE a constant after inlining.
INLINE void gather_block(uint32_t type, const uint8_t *src, __m512i rows, __mmask16 mask,
                         uint8_t *to)
{
    const __m512i zero = _mm512_setzero_si512();
    const int head = type == QUANT_Q4_1 ? 4 : 2, n_fours = type == QUANT_Q8_0 ? 8 : 4;
    __m512i scales = _mm512_mask_i32gather_epi32(zero, mask, rows, src, 1); // and what follows them
    _mm256_storeu_si256((__m256i *)(void *)to, _mm512_cvtepi32_epi16(scales));
    to += PANEL_ROWS * 2;
    if (type == QUANT_Q4_1) {
        scales = _mm512_srli_epi32(scales, 16);
        _mm256_storeu_si256((__m256i *)(void *)to, _mm512_cvtepi32_epi16(scales));
        to += PANEL_ROWS * 2;
    }
#pragma GCC unroll 8
    for (int i = 0; i < n_fours; i++) {
        __m512i four = _mm512_mask_i32gather_epi32(zero, mask, rows, src + head + 4 * i, 1);
        if (type == QUANT_Q8_0) // + 128
            four = _mm512_xor_si512(four, _mm512_set1_epi8(-128));
        _mm512_storeu_si512(to + i * 4 * PANEL_ROWS, four);
    }
}

INLINE void gather_panel(uint32_t type, const struct mat *w, size_t panel, uint8_t *to)
{
    size_t bytes = panel_block_bytes(type), from = (size_t)quant_bytes(type, BLOCK);
    size_t blocks = (size_t)w->cols / BLOCK, row_bytes = blocks * from;
    size_t row = panel * PANEL_ROWS, left = (size_t)w->rows - row;
    __mmask16 mask = (__mmask16)(left < PANEL_ROWS ? (1u << left) - 1 : 0xffff);
    const __m512i lanes = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    __m512i rows = _mm512_mullo_epi32(lanes, _mm512_set1_epi32((int)row_bytes));
    const uint8_t *src = (const uint8_t *)w->data + row * row_bytes;
    for (size_t b = 0; b < blocks; b++)
        gather_block(type, src + b * from, rows, mask, to + b * bytes);
}

static size_t panel_bytes(const struct mat *w)
{
    return (size_t)(w->cols / BLOCK) * panel_block_bytes(w->type);
}

static void *panels_at(const struct mat *w, int row)
{
    return (uint8_t *)w->packed + (size_t)(row / PANEL_ROWS) * panel_bytes(w);
}

static void pack_panels(const struct mat *w, int panel, int end)
{
    for (; panel < end; panel++) {
        uint8_t *to = panels_at(w, panel * PANEL_ROWS);
        if (w->type == QUANT_Q4_1)
            gather_panel(QUANT_Q4_1, w, (size_t)panel, to);
        else if (w->type == QUANT_Q4_0)
            gather_panel(QUANT_Q4_0, w, (size_t)panel, to);
        else
            gather_panel(QUANT_Q8_0, w, (size_t)panel, to);
    }
}

// ---- Reading a block

struct panel_block {
    vf d, m; // of each of the 16 rows
    const uint8_t *codes;
};

INLINE vf halves_at(const uint8_t *p)
{
    return _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)(const void *)p));
}

// TYPE a constant after inlining, here and below.
INLINE struct panel_block panel_block(uint32_t type, const uint8_t *src)
{
    struct panel_block b = {.d = halves_at(src), .codes = src + PANEL_ROWS * 2};
    if (type == QUANT_Q4_1) {
        b.m = halves_at(b.codes);
        b.codes += PANEL_ROWS * 2;
    } else {
        b.m = v_set1(type == QUANT_Q4_0 ? -8 : -128) * b.d;
    }
    return b;
}

// A block of BYTES is in use: those that come later are asked for. What brings memory by itself
// stops at the end of each of its pages.
INLINE void panel_ask(const uint8_t *src, size_t bytes)
{
    enum { AHEAD = 2048, LINE = 64 };
    for (size_t at = 0; at < bytes; at += LINE)
        _mm_prefetch((const char *)src + AHEAD + at, _MM_HINT_T0);
}

// The codes of the 16 rows, each four in the lane of its row: the G-th four of the block.
INLINE __m512i panel_codes(uint32_t type, const uint8_t *codes, int g)
{
    if (type == QUANT_Q8_0)
        return _mm512_loadu_si512(codes + g * 64);
    __m512i c = _mm512_loadu_si512(codes + g % 4 * 64), low = _mm512_set1_epi8(15);
    return _mm512_and_si512(g < 4 ? c : _mm512_srli_epi16(c, 4), low);
}

// s += u q in fours. Not the intrinsic: with it gcc 12 copies every sum twice around the loop.
INLINE void add_products(__m512i *s, __m512i u, __m512i q)
{
    __asm__("vpdpbusd %2, %1, %0" : "+v"(*s) : "v"(u), "v"(q));
}

// The same with one four, Q, for all 16 rows.
INLINE void add_products_of(__m512i *s, __m512i u, const int32_t *q)
{
    __asm__("vpdpbusd %2%{1to16%}, %1, %0" : "+v"(*s) : "v"(u), "m"(*q));
}

#endif
