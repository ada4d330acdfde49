// The weights of a panel become tiles B, at once or while the panel before is multiplied.
#ifndef LCTOOL_KERNELS_CPU_AMX_BRING_H
#define LCTOOL_KERNELS_CPU_AMX_BRING_H

#include "kernels/cpu/amx_job.h"
#include "kernels/cpu/amx_weights.h"

// Weights on their way to tiles B, a quarter of a tile at a time.
struct amx_bringing {
    const uint8_t *src; // the block that is brought now
    uint16_t *tile;     // and where it goes
    size_t unit;        // its next quarter
    size_t ahead;       // bytes to the panel after, which is asked for from memory meanwhile
    ptrdiff_t hop;  // from the end of the blocks of the panel's first half to those of the second
    int left, half; // quarters; and how many are left where the second half begins
};

INLINE void amx_bring(uint32_t type, struct amx_bringing *b)
{
    const size_t bytes = panel_block_bytes(type);
    narrow_quarter(type, b->src, b->unit, b->tile);
    b->left--;
    if (++b->unit < QUARTERS)
        return;
    for (size_t i = 0; i < bytes; i += 64)
        _mm_prefetch((const char *)b->src + b->ahead + i, _MM_HINT_T1);
    b->unit = 0;
    b->src += bytes;
    b->tile += AMX_TILE;
    if (b->left == b->half)
        b->src += b->hop;
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
    size_t block = panel_block_bytes(p->w[0]->type), panel = (size_t)p->w[0]->cols / BLOCK * block;
    const uint8_t *src = amx_packed(j, p->w[0], p->row[0]);
    int half = (int)(j->k_n * QUARTERS);
    struct amx_bringing b = {
        .src = src, .tile = tiles, .ahead = j->gated ? panel : 2 * panel, .left = half};
    if (p->w[1]) {
        b.hop = amx_packed(j, p->w[1], p->row[1]) - (src + j->k_n * block);
        b.half = half;
        b.left += half;
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
