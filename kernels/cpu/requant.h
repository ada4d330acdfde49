// Weights of four bits requantised to bytes for products of many rows (kernels/cpu/int_matmul.h),
// by VNNI. A scale and a minimum for each 32 weights are two multiply-adds and a multiplication
// beside each eight products; with a scale for 128 and no minimum there is one multiply-add, for
// the scale of x, and a quarter of a multiplication.
//
// d * u + m, 0 <= u <= 15, becomes D * (U - 128), 1 <= U <= 255, where 127 D is the largest that
// GROUP blocks of a row can hold: a weight is off by 0.54 D at most, D / 2 and what rounding d / D
// and m / D to 1 / 256 adds. Sums begin with the product of x and -128, and a total is kept in
// units of its last group's D.
//
// Weights of more bits that have no minimum keep their scales. Their u are codes and 128, so sums
// that begin likewise are those of the codes.
//
// Included by a kernels/cpu/requant_ISA.h behind
//
//     first_products ..                    // what kernels/cpu/int_tile.h asks for
//     panel_block, panel_codes ..          // kernels/cpu/panels.h
//     fix_over, vi_store                   // of kernels/cpu/fix_ISA.h
//     vf v_abs(x)
//     vf if_above_0(x, a, b)               // A where X > 0, else B
//     vi twice_16(x)                       // 256 X to the nearest, the low 16 bits of it, twice
//     vi requant_codes(codes, d, m)        // bytes; d and m as twice_16 makes them
//     vi vi_load_part(p, n)                // N < VW groups; the others are zero
//     round_begun                          // behind it
#ifndef LCTOOL_KERNELS_CPU_REQUANT_H
#define LCTOOL_KERNELS_CPU_REQUANT_H

#include "kernels/cpu/int_unpack.h"

enum {
    GROUP = 4,
    CODE_MOST = 15,
    MIDDLE = 128,
};

static inline size_t group_end(size_t first, size_t blocks)
{
    return blocks - first < GROUP ? blocks : first + GROUP;
}

// Codes of four bits to 0 .. 15, others to 0 .. 255.
static int codes_offset(uint32_t type)
{
    return !of_four_bits(type) ? 128 : type == QUANT_Q4_0 ? 8 : 0;
}

// round_rows, but SUM is what a block's sums begin with.
static void round_begun(const float *const *row, size_t at, size_t m, int32_t *x, float *e,
                        float *sum);

// Sums that begin with the bits of *BEGIN.
INLINE vi begun_at(const float *begin)
{
    int32_t bits;
    memcpy(&bits, begin, sizeof bits);
    return vi_set1(bits);
}

// MIDDLE times the sum of a block of each of M rows of x.
INLINE vi middle_sums(const int32_t *x, size_t m)
{
    vi sums = vi_zero();
    for (size_t g = 0; g < INT_FOURS; g++)
        add_products(&sums, vi_set1((int32_t)(MIDDLE * 0x01010101u)),
                     vi_load_part(x + g * m, (int)m));
    return sums;
}

// ---- Weights

// Block B of VW rows, from AT on in a panel: of TYPE as it lies packed at SRC, or, of TYPE 0, as
// unpack_half has left it in PANEL. TYPE a constant after inlining, here and below.
INLINE struct panel_block block_at(uint32_t type, const uint8_t *src, const struct panel *panel,
                                   size_t b, size_t at)
{
    if (type)
        return panel_block(type, src + b * panel_block_bytes(type));
    return (struct panel_block){v_load(panel->d + b * TILE_N + at),
                                v_load(panel->m + b * TILE_N + at),
                                panel->u + (b * INT_FOURS * TILE_N + at) * 4};
}

INLINE vi codes_at(uint32_t type, const uint8_t *codes, int g)
{
    return type ? panel_codes(type, codes, g) : vi_load(codes + g * 4 * TILE_N);
}

// The largest of what a block can hold, of each row, or MOST.
INLINE vf largest_held(vf most, const struct panel_block *k)
{
    vf other = v_fma(k->d, v_set1(CODE_MOST), k->m);
    return v_max(most, v_max(v_abs(k->m), v_abs(other)));
}

// The bytes of a block to U, in units of 1 / BY.
INLINE void requant_block(uint32_t type, const struct panel_block *k, vf by, uint8_t *u)
{
    vi d = twice_16(k->d * by), m = twice_16(v_fma(k->m, by, v_set1(MIDDLE + 0.5f)));
#pragma GCC unroll 8
    for (int g = 0; g < INT_FOURS; g++)
        vi_store(u + g * 4 * TILE_N, requant_codes(codes_at(type, k->codes, g), d, m));
}

// VW rows to a panel, from AT on. Of a group's first block d is what the total before it is
// multiplied by; m of the first block of all is the last group's D.
INLINE void requant_half(uint32_t type, const uint8_t *src, const struct panel *to, size_t blocks,
                         size_t at)
{
    const struct panel panel = *to; // stores of bytes may be to anything
    vf scale = v_set1(0);
    for (size_t first = 0, end; first < blocks; first = end) {
        end = group_end(first, blocks);
        vf most = v_set1(0);
        for (size_t b = first; b < end; b++) {
            struct panel_block k = block_at(type, src, &panel, b, at);
            most = largest_held(most, &k);
        }
        // A group of zeros takes the scale of the one before.
        vf next = if_above_0(most, most * v_set1(1.f / 127), scale), by = fix_over(127, most);
        for (size_t b = first; b < end; b++) {
            struct panel_block k = block_at(type, src, &panel, b, at);
            requant_block(type, &k, by, panel.u + (b * INT_FOURS * TILE_N + at) * 4);
        }
        v_store(panel.d + first * TILE_N + at, if_above_0(most, scale / next, v_set1(1)));
        scale = next;
    }
    v_store(panel.m + at, scale);
}

static void fill_requant(const struct panel *panel, const struct mat *w, size_t row, size_t at)
{
    const size_t blocks = (size_t)w->cols / BLOCK;
    const uint8_t *src = w->packed ? panels_at(w, (int)row) : NULL;
    if (!src) {
        unpack_half(panel, w, row, at);
        requant_half(0, src, panel, blocks, at);
    } else if (w->type == QUANT_Q4_1) {
        requant_half(QUANT_Q4_1, src, panel, blocks, at);
    } else {
        requant_half(QUANT_Q4_0, src, panel, blocks, at);
    }
}

// ---- Products

// acc[m][2] for m rows of x and TILE_N weight rows. With A_GROUP blocks share a scale
// (requant_half), else each has its own. M and A_GROUP constants after inlining.
INLINE void begun_tile(int m, int a_group, const struct int_product *p, const struct panel *panel,
                       size_t at, vf (*acc)[2])
{
    const int32_t *x = p->x + at * p->blocks * INT_FOURS;
    const float *e = p->x_scale + at * p->blocks, *begin = p->x_sum + at * p->blocks;
    const uint8_t *u = panel->u;
    vf total[INT_M][2];
#pragma GCC unroll 8
    for (int i = 0; i < m; i++)
        total[i][0] = total[i][1] = v_set1(0);
    for (size_t first = 0, end; first < p->blocks; first = end) {
        end = a_group ? group_end(first, p->blocks) : first + 1;
        vf d0 = v_load(panel->d + first * TILE_N), d1 = v_load(panel->d + first * TILE_N + VW);
#pragma GCC unroll 8
        for (int i = 0; a_group && i < m; i++) {
            total[i][0] = total[i][0] * d0;
            total[i][1] = total[i][1] * d1;
        }
        for (size_t b = first; b < end; b++, e += m, begin += m) {
            vi s[INT_M][2];
#pragma GCC unroll 8
            for (int i = 0; i < m; i++)
                s[i][0] = s[i][1] = begun_at(begin + i);
            block_products(m, m, 1, x, u, s);
            x += m * INT_FOURS;
            u += BLOCK * TILE_N;
#pragma GCC unroll 8
            for (int i = 0; i < m; i++) {
                vf e0 = v_set1(e[i]), e1 = e0;
                if (!a_group) {
                    e0 = e0 * d0;
                    e1 = e1 * d1;
                }
                total[i][0] = v_fma(vi_floats(s[i][0]), e0, total[i][0]);
                total[i][1] = v_fma(vi_floats(s[i][1]), e1, total[i][1]);
            }
        }
    }
    vf d0 = a_group ? v_load(panel->m) : v_set1(1), d1 = a_group ? v_load(panel->m + VW) : d0;
#pragma GCC unroll 8
    for (int i = 0; i < m; i++) {
        acc[i][0] = total[i][0] * d0;
        acc[i][1] = total[i][1] * d1;
    }
}

static void requant_tile_m(int m, const struct int_product *p, const struct panel *panel, size_t at,
                           vf (*acc)[2])
{
#define TILE(M) begun_tile(M, 1, p, panel, at, acc)
    INT_SWITCH(m, TILE)
#undef TILE
}

static void begun_tile_m(int m, const struct int_product *p, const struct panel *panel, size_t at,
                         vf (*acc)[2])
{
#define TILE(M) begun_tile(M, 0, p, panel, at, acc)
    INT_SWITCH(m, TILE)
#undef TILE
}

static const struct int_form requant_form = {BLOCK, INT_FOURS, round_begun, fill_requant,
                                             requant_tile_m},
                             begun_form = {BLOCK, INT_FOURS, round_begun, fill_half, begun_tile_m};

static const struct int_form *form_of(uint32_t type)
{
    if (of_four_bits(type))
        return &requant_form;
    return !cpu_scales_32(type) ? NULL : has_minimum(type) ? &bytes_form : &begun_form;
}

#endif
