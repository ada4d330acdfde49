// The weights of a panel become tiles B, at once or while the panel before is multiplied.
#ifndef LCTOOL_KERNELS_AMX_BRING_H
#define LCTOOL_KERNELS_AMX_BRING_H

#include "kernels/cpu/amx_job.h"
#include "kernels/cpu/amx_weights.h"

// Weights on their way to tiles B, a quarter of a tile at a time.
struct amx_bringing {
    const uint8_t *src[2]; // packed panels of the halves
    uint16_t *tiles;       // [2][steps]
    size_t steps;
    size_t ahead; // bytes to the panel after, which is asked for from memory meanwhile
    int done, n;  // quarters
};

INLINE void amx_bring(uint32_t type, struct amx_bringing *b)
{
    const size_t bytes = panel_block_bytes(type), part = bytes / QUARTERS;
    size_t at = (size_t)b->done++, tile = at / QUARTERS, unit = at % QUARTERS,
           half = tile >= b->steps;
    const uint8_t *src = b->src[half] + (tile - (half ? b->steps : 0)) * bytes;
#pragma GCC unroll 4
    for (size_t i = 0; i < part; i += 64)
        _mm_prefetch((const char *)src + b->ahead + unit * part + i, _MM_HINT_T1);
    narrow_quarter(type, src, unit, b->tiles + tile * AMX_TILE);
}

// The type of a panel's weights if they are packed, else QUANT_F32.
static uint32_t amx_panel_type(const struct amx_panel *p)
{
    const struct mat *a = p->w[0], *b = p->w[1];
    return a->packed && (!b || (b->packed && b->type == a->type)) ? a->type : QUANT_F32;
}

// Where the 16 rows from ROW on begin in the present pass.
static const uint8_t *amx_packed(const struct amx_job *j, const struct mat *w, size_t row)
{
    size_t block = panel_block_bytes(w->type), blocks = (size_t)w->cols / BLOCK;
    return (const uint8_t *)w->packed + (row / PANEL_ROWS * blocks + j->k0) * block;
}

static struct amx_bringing amx_bringing_of(const struct amx_job *j, const struct amx_panel *p,
                                           uint16_t *tiles)
{
    size_t panel = (size_t)p->w[0]->cols / BLOCK * panel_block_bytes(p->w[0]->type);
    struct amx_bringing b = {
        .tiles = tiles, .steps = j->k_n, .ahead = j->gated ? panel : 2 * panel};
    for (int h = 0; h < 2 && p->w[h]; h++) {
        b.src[h] = amx_packed(j, p->w[h], p->row[h]);
        b.n += (int)(j->k_n * QUARTERS);
    }
    return b;
}

// Brings a panel's weights to tiles B at once.
static void amx_bring_all(const struct amx_job *j, const struct amx_panel *p, uint16_t *tiles)
{
    for (size_t h = 0; h < 2 && p->w[h]; h++) {
        const struct mat *w = p->w[h];
        uint16_t *to = tiles + h * j->k_n * AMX_TILE;
        if (!w->packed) {
            narrow_weights(w, p->row[h], to);
            continue;
        }
        const uint8_t *src = amx_packed(j, w, p->row[h]);
        for (size_t s = 0; s < j->k_n; s++, src += panel_block_bytes(w->type), to += AMX_TILE)
            for (size_t q = 0; q < QUARTERS; q++) {
                if (w->type == QUANT_Q4_1)
                    narrow_quarter(QUANT_Q4_1, src, q, to);
                else if (w->type == QUANT_Q4_0)
                    narrow_quarter(QUANT_Q4_0, src, q, to);
                else
                    narrow_quarter(QUANT_Q8_0, src, q, to);
            }
    }
}

#endif
