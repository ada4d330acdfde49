// Products in bytes with weights as panels (kernels/cpu/panels.h) where they have such a form.
// Included behind a panels header and one that unpacks what has none.
#ifndef LCTOOL_KERNELS_CPU_PANELS_MATMUL_H
#define LCTOOL_KERNELS_CPU_PANELS_MATMUL_H

#include "kernels/cpu/int_unpack.h"
#include "kernels/cpu/panels.h"

#include "kernels/cpu/bytes_matmul.h"

static const uint8_t *weights_at(const struct mat *w, size_t row, size_t n, size_t *bytes)
{
    if (!w->packed)
        return rows_at(w, row, n, bytes);
    *bytes = panel_bytes(w);
    return panels_at(w, (int)row);
}

// fill_half from a packed panel, TYPE a constant after inlining.
INLINE void widen_half(uint32_t type, const struct panel *panel, const struct mat *w, size_t row,
                       size_t at)
{
    size_t bytes = panel_block_bytes(type), blocks = (size_t)w->cols / BLOCK;
    const uint8_t *src = panels_at(w, (int)row);
    for (size_t b = 0; b < blocks; b++, src += bytes) {
        struct panel_block k = panel_block(type, src);
        v_store(panel->d + b * TILE_N + at, k.d);
        v_store(panel->m + b * TILE_N + at, k.m);
#pragma GCC unroll 8
        for (int g = 0; g < FOURS; g++)
            vi_store(panel->u + ((b * FOURS + (size_t)g) * TILE_N + at) * 4,
                     panel_codes(type, k.codes, g));
    }
}

static void fill_half(const struct panel *panel, const struct mat *w, size_t row, size_t at)
{
    if (!w->packed)
        unpack_half(panel, w, row, at);
    else if (w->type == QUANT_Q4_1)
        widen_half(QUANT_Q4_1, panel, w, row, at);
    else if (w->type == QUANT_Q4_0)
        widen_half(QUANT_Q4_0, panel, w, row, at);
    else
        widen_half(QUANT_Q8_0, panel, w, row, at);
}

#endif
