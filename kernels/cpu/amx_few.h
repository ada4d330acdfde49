// Products on tiles with few rows of x and packed weights: to make tiles of weights takes longer
// than to multiply them. 16 weight rows at a time; a tile of them is multiplied by all of x while
// it is in the first-level cache, and sums stay in registers from the first k to the last.
#ifndef LCTOOL_KERNELS_CPU_AMX_FEW_H
#define LCTOOL_KERNELS_CPU_AMX_FEW_H

#include "kernels/cpu/amx_bring.h"
#include "kernels/cpu/amx_finish.h"

enum {
    AMX_FEW_TILES = 5, // of 16 rows of x
    AMX_FEW_RING = 4,  // tiles of weights that are there at a time
    AMX_FEW_AHEAD = 2, // of them before their turn
};

INLINE void amx_few_bring(uint32_t type, const uint8_t *src, size_t step, uint16_t *ring)
{
    size_t bytes = panel_block_bytes(type);
    src += step * bytes;
    ask_later(src, bytes);
#pragma GCC unroll 4
    for (size_t unit = 0; unit < QUARTERS; unit++)
        narrow_quarter(type, src, unit, ring + step % AMX_FEW_RING * AMX_TILE);
}

// Of each a register holds the sums; 6 is for x, 7 for weights.
#define EACH_TILE(DO) DO(0) DO(1) DO(2) DO(3) DO(4)

// TYPE and N constants after inlining.
INLINE void amx_few_steps(uint32_t type, int n, const uint16_t *x, size_t steps, const uint8_t *src,
                          uint16_t *ring)
{
    for (size_t s = 0; s < AMX_FEW_AHEAD && s < steps; s++)
        amx_few_bring(type, src, s, ring);
    for (size_t s = 0; s < steps; s++) {
        if (s + AMX_FEW_AHEAD < steps)
            amx_few_bring(type, src, s + AMX_FEW_AHEAD, ring);
        _tile_loadd(7, ring + s % AMX_FEW_RING * AMX_TILE, 64);
#define ADD(I)                                                                                     \
    if (n > I) {                                                                                   \
        _tile_loadd(6, x + (I * steps + s) * AMX_TILE, 64);                                        \
        _tile_dpbf16ps(I, 6, 7);                                                                   \
    }
        EACH_TILE(ADD)
#undef ADD
    }
}

INLINE void amx_few_type(uint32_t type, int n, const uint16_t *x, size_t steps, const uint8_t *src,
                         uint16_t *ring)
{
    switch (n) {
#define CASE(I)                                                                                    \
    case I + 1:                                                                                    \
        amx_few_steps(type, I + 1, x, steps, src, ring);                                           \
        break;
        EACH_TILE(CASE)
#undef CASE
    }
}

// N tiles of x, [n][steps] of them, by the 16 weight rows packed at SRC. SUMS: [n][16] rows of
// PANEL, of which they are the first 16. RING: room for AMX_FEW_RING tiles.
static void amx_few_sums(uint32_t type, int n, const uint16_t *x, size_t steps, const uint8_t *src,
                         float *sums, uint16_t *ring)
{
#define ZERO(I) _tile_zero(I);
    EACH_TILE(ZERO)
#undef ZERO
    if (type == QUANT_Q4_1)
        amx_few_type(QUANT_Q4_1, n, x, steps, src, ring);
    else if (type == QUANT_Q4_0)
        amx_few_type(QUANT_Q4_0, n, x, steps, src, ring);
    else
        amx_few_type(QUANT_Q8_0, n, x, steps, src, ring);
#define STORE(I)                                                                                   \
    if (n > I)                                                                                     \
        _tile_stored(I, sums + I * AMX_ROWS * PANEL, PANEL * sizeof *sums);
    EACH_TILE(STORE)
#undef STORE
}

#undef EACH_TILE

static int amx_few_tiles(const struct amx_job *j)
{
    return (int)((j->n + AMX_ROWS - 1) / AMX_ROWS);
}

// Bytes of working memory of a thread.
static size_t amx_few_bytes(void)
{
    return AMX_FEW_RING * AMX_TILE * sizeof(uint16_t) +
           (size_t)(AMX_FEW_TILES + 1) / 2 * SUMS * sizeof(float);
}

// A run of panels by all of x; there is one part, and one pass.
static void amx_few_step(const struct amx_job *j, int part, int run, int thread)
{
    (void)part;
    uint16_t *ring = (uint16_t *)(void *)(j->scratch + (size_t)thread * j->scratch_bytes);
    float *sums = (float *)(void *)(ring + AMX_FEW_RING * AMX_TILE);
    int i = (int)((int64_t)j->n_panels * run / j->n_runs),
        end = (int)((int64_t)j->n_panels * (run + 1) / j->n_runs);
    const struct amx_silu silu = amx_silu_new();
    amx_begin();
    for (; i < end; i++) {
        struct amx_panel p = amx_panel_at(j, i);
        for (int h = 0; h < 2 && p.w[h]; h++)
            amx_few_sums(p.w[h]->type, amx_few_tiles(j), j->x, j->steps,
                         amx_packed(j, p.w[h], p.row[h]), sums + h * AMX_ROWS, ring);
        for (size_t g = 0; g < j->groups; g++) {
            struct amx_finishing f = amx_finishing_of(j, &p, g, sums + g * SUMS);
            while (f.done < f.n)
                amx_finish_rows(j->gated, &f, j->act, &silu);
        }
    }
    amx_end();
}

#endif
