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

INLINE int32_t four_bytes(const uint8_t *p)
{
    int32_t four;
    memcpy(&four, p, sizeof four);
    return four;
}

INLINE __m512i sixteen_bytes(__m512i rows, const uint8_t *p, int lane)
{
    __m128i own = _mm_loadu_si128((const __m128i *)(const void *)p);
    return lane == 0   ? _mm512_castsi128_si512(own)
           : lane == 1 ? _mm512_inserti32x4(rows, own, 1)
           : lane == 2 ? _mm512_inserti32x4(rows, own, 2)
                       : _mm512_inserti32x4(rows, own, 3);
}

// 16 bytes of each of 16 rows, which are STRIDE apart: FOURS, each four in the lane of its row.
INLINE void four_fours(const uint8_t *p, size_t stride, __m512i fours[4])
{
    __m512i rows[4]; // of which row i has rows i, 4 + i, 8 + i and 12 + i
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++)
#pragma GCC unroll 4
        for (int lane = 0; lane < 4; lane++)
            rows[i] = sixteen_bytes(rows[i], p + (size_t)(4 * lane + i) * stride, lane);
    __m512i ab = _mm512_unpacklo_epi32(rows[0], rows[1]),
            cd = _mm512_unpacklo_epi32(rows[2], rows[3]);
    fours[0] = _mm512_unpacklo_epi64(ab, cd);
    fours[1] = _mm512_unpackhi_epi64(ab, cd);
    ab = _mm512_unpackhi_epi32(rows[0], rows[1]);
    cd = _mm512_unpackhi_epi32(rows[2], rows[3]);
    fours[2] = _mm512_unpacklo_epi64(ab, cd);
    fours[3] = _mm512_unpackhi_epi64(ab, cd);
}

// The first four bytes of each of 16 rows.
INLINE __m512i first_fours(const uint8_t *p, size_t stride)
{
    return _mm512_setr_epi32(
        four_bytes(p), four_bytes(p + stride), four_bytes(p + 2 * stride),
        four_bytes(p + 3 * stride), four_bytes(p + 4 * stride), four_bytes(p + 5 * stride),
        four_bytes(p + 6 * stride), four_bytes(p + 7 * stride), four_bytes(p + 8 * stride),
        four_bytes(p + 9 * stride), four_bytes(p + 10 * stride), four_bytes(p + 11 * stride),
        four_bytes(p + 12 * stride), four_bytes(p + 13 * stride), four_bytes(p + 14 * stride),
        four_bytes(p + 15 * stride));
}

// One block of 16 rows, which are STRIDE apart. TYPE a constant after inlining.
INLINE void gather_block(uint32_t type, const uint8_t *src, size_t stride, uint8_t *to)
{
    const int head = type == QUANT_Q4_1 ? 4 : 2, n_fours = type == QUANT_Q8_0 ? 8 : 4;
    __m512i scales = first_fours(src, stride); // and what follows them
    _mm256_storeu_si256((__m256i *)(void *)to, _mm512_cvtepi32_epi16(scales));
    to += PANEL_ROWS * 2;
    if (type == QUANT_Q4_1) {
        scales = _mm512_srli_epi32(scales, 16);
        _mm256_storeu_si256((__m256i *)(void *)to, _mm512_cvtepi32_epi16(scales));
        to += PANEL_ROWS * 2;
    }
#pragma GCC unroll 2
    for (int i = 0; i < n_fours; i += 4) {
        __m512i four[4];
        four_fours(src + head + 4 * i, stride, four);
#pragma GCC unroll 4
        for (int j = 0; j < 4; j++, to += 4 * PANEL_ROWS)
            _mm512_storeu_si512(to, type == QUANT_Q8_0 // + 128
                                        ? _mm512_xor_si512(four[j], _mm512_set1_epi8(-128))
                                        : four[j]);
    }
}

// The last rows of W, LEFT of them; those that are not there are zero.
INLINE void gather_last(uint32_t type, const uint8_t *src, size_t row_bytes, size_t left,
                        uint8_t *to)
{
    enum { WIDE = 64 };
    uint8_t rows[PANEL_ROWS][WIDE] = {0};
    for (size_t i = 0; i < left; i++)
        memcpy(rows[i], src + i * row_bytes, (size_t)quant_bytes(type, BLOCK));
    gather_block(type, rows[0], WIDE, to);
}

INLINE void gather_panel(uint32_t type, const struct mat *w, size_t panel, uint8_t *to)
{
    size_t bytes = panel_block_bytes(type), from = (size_t)quant_bytes(type, BLOCK);
    size_t blocks = (size_t)w->cols / BLOCK, row_bytes = blocks * from;
    size_t row = panel * PANEL_ROWS, left = (size_t)w->rows - row;
    const uint8_t *src = (const uint8_t *)w->data + row * row_bytes;
    for (size_t b = 0; b < blocks; b++, src += from, to += bytes) {
        if (left < PANEL_ROWS)
            gather_last(type, src, row_bytes, left, to);
        else
            gather_block(type, src, row_bytes, to);
    }
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
