// Weights as panels of VW rows for instructions that multiply bytes and add them up in fours, made
// once of all a model has (kernels/cpu/pack.h). Included behind a kernels/cpu/vi_*.h and
// CODE_OFFSET by the header that defines what is only declared here.
//
// A weight is d * u + m, an activation e * q with q in -127 .. 127, each with its scale for 32
// neighbours. Of one such block the product is e * d * sum(u q) + m * e * sum(q).
//
// Block b of a panel holds, for its VW rows: d as half precision, m too where the type has it, then
// the codes: of each row four at a time, one row after the other. Codes of four bits share a byte
// with the one 16 places on, as they do in the file; those of eight bits have CODE_OFFSET added,
// which is 128 where an instruction wants no signs.
#ifndef LCTOOL_KERNELS_CPU_PANELS_H
#define LCTOOL_KERNELS_CPU_PANELS_H

#include <string.h>

#include "kernels/cpu/simd_matmul.h"

enum {
    PANEL_ROWS = VW,
    FOURS = 8, // groups of four weights in a block
};

// Bytes of a block of VW rows; 0: the type has no such form.
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

// 16 bytes of each of VW rows, which are STRIDE apart: FOURS, each four in the lane of its row.
INLINE void four_fours(const uint8_t *p, size_t stride, vi fours[4]);

// The first four bytes of each of VW rows; and the low 16 bits of VW groups to TO.
INLINE vi first_fours(const uint8_t *p, size_t stride);
INLINE void put_halves(uint8_t *to, vi fours);
INLINE vi high_halves(vi fours); // as low ones

INLINE int32_t four_bytes(const uint8_t *p)
{
    int32_t four;
    memcpy(&four, p, sizeof four);
    return four;
}

INLINE vi offset_codes(vi bytes)
{
    return (vi)(bytes ^ vi_set1((int32_t)(CODE_OFFSET * 0x01010101u)));
}

// One block of VW rows, which are STRIDE apart. TYPE a constant after inlining.
INLINE void gather_block(uint32_t type, const uint8_t *src, size_t stride, uint8_t *to)
{
    const int head = type == QUANT_Q4_1 ? 4 : 2, n_fours = type == QUANT_Q8_0 ? 8 : 4;
    vi scales = first_fours(src, stride); // and what follows them
    put_halves(to, scales);
    to += PANEL_ROWS * 2;
    if (type == QUANT_Q4_1) {
        put_halves(to, high_halves(scales));
        to += PANEL_ROWS * 2;
    }
#pragma GCC unroll 2
    for (int i = 0; i < n_fours; i += 4) {
        vi four[4];
        four_fours(src + head + 4 * i, stride, four);
#pragma GCC unroll 4
        for (int j = 0; j < 4; j++, to += 4 * PANEL_ROWS)
            vi_store(to, type == QUANT_Q8_0 ? offset_codes(four[j]) : four[j]);
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
    vf d, m; // of each of the VW rows
    const uint8_t *codes;
};

// TYPE a constant after inlining, here and below.
INLINE struct panel_block panel_block(uint32_t type, const uint8_t *src)
{
    struct panel_block b = {.d = v_from_f16(src), .codes = src + PANEL_ROWS * 2};
    if (type == QUANT_Q4_1) {
        b.m = v_from_f16(b.codes);
        b.codes += PANEL_ROWS * 2;
    } else {
        b.m = v_set1(type == QUANT_Q4_0 ? -8 : -CODE_OFFSET) * b.d;
    }
    return b;
}

// The codes of the VW rows, each four in the lane of its row: the G-th four of the block.
INLINE vi panel_codes(uint32_t type, const uint8_t *codes, int g)
{
    enum { BYTES = 4 * PANEL_ROWS };
    if (type == QUANT_Q8_0)
        return vi_load(codes + g * BYTES);
    return vi_nibbles(vi_load(codes + g % 4 * BYTES), g >= 4);
}

#endif
