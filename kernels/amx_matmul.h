// Matrix product on AMX tiles: activations and weights are rounded to bfloat16, sums are float32 in
// the order of k. Each task brings PANEL weight rows to tiles once and takes all its rows of x by
// them.
#ifndef LCTOOL_KERNELS_AMX_MATMUL_H
#define LCTOOL_KERNELS_AMX_MATMUL_H

#include <string.h>

#include "kernels/amx_tiles.h"
#include "kernels/simd_matmul.h"
#include "kernels/vnni_panels.h"

enum { PANEL = 2 * AMX_ROWS };

struct amx_product {
    struct product p;
    size_t steps;     // tiles of k
    uint16_t *x;      // [n / 16][steps] tiles A
    uint8_t *scratch; // per thread: [2][steps] tiles B, then [PANEL][PANEL] floats
    size_t scratch_bytes;
};

// ---- Activations

static vf x_at(const float *row, size_t k, size_t cols)
{
    return k + VW <= cols ? v_load(row + k) : load_upto(row + k, k < cols ? (int)(cols - k) : 0);
}

static void amx_pack_x_task(void *ctx, int task, int thread)
{
    (void)thread;
    const struct amx_product *p = ctx;
    size_t cols = p->p.cols, first = (size_t)task * AMX_ROWS;
    uint16_t *tiles = p->x + (size_t)task * p->steps * AMX_TILE;
    for (size_t i = 0; i < AMX_ROWS; i++) {
        const float *row = p->p.x + (first + i) * cols;
        for (size_t s = 0; s < p->steps; s++) {
            __m512i v = _mm512_setzero_si512();
            if (first + i < p->p.n)
                v = amx_narrow(x_at(row, s * AMX_K, cols), x_at(row, s * AMX_K + VW, cols));
            _mm512_storeu_si512(tiles + s * AMX_TILE + i * AMX_K, v);
        }
    }
}

// ---- Weights

INLINE __m512i narrow_block(void (*load)(const void *, vf *), const uint8_t *src)
{
    vf w[BLOCK_VECS];
    load(src, w);
    return amx_narrow(w[0], w[1]);
}

// STEPS blocks of 32 weights of 16 rows into tiles B, LOAD a constant after inlining.
INLINE void narrow_rows(void (*load)(const void *, vf *), size_t bytes, const uint8_t *const *rows,
                        size_t steps, uint16_t *tiles)
{
    for (size_t s = 0; s < steps; s++) {
        __m512i r[AMX_ROWS];
#pragma GCC unroll 16
        for (int i = 0; i < AMX_ROWS; i++)
            r[i] = narrow_block(load, rows[i] + s * bytes);
        amx_store_b(tiles + s * AMX_TILE, r);
    }
}

// The types that are neither packed nor have a register form, and the columns after the last whole
// block: by way of a buffer.
static void narrow_buffered(uint32_t type, const uint8_t *const *rows, size_t n, uint16_t *tiles)
{
    float buf[AMX_ROWS][DEQUANT_K];
    for (size_t k = 0; k < n; k += DEQUANT_K) {
        size_t part = n - k < DEQUANT_K ? n - k : DEQUANT_K, skip = (size_t)quant_bytes(type, k);
        size_t steps = (part + AMX_K - 1) / AMX_K;
        for (int i = 0; i < AMX_ROWS; i++) {
            dequantize(type, rows[i] + skip, buf[i], part);
            memset(buf[i] + part, 0, (steps * AMX_K - part) * sizeof(float));
        }
        for (size_t s = 0; s < steps; s++) {
            __m512i r[AMX_ROWS];
            for (int i = 0; i < AMX_ROWS; i++)
                r[i] = amx_narrow(v_load(buf[i] + s * AMX_K), v_load(buf[i] + s * AMX_K + VW));
            amx_store_b(tiles + (k / AMX_K + s) * AMX_TILE, r);
        }
    }
}

// The bytes of C at bits SHIFT and SHIFT + 8 of each lane as numbers d * u + m: pairs of bfloat16.
INLINE __m512i narrow_pair(__m512i c, int shift, vf d, vf m)
{
    __m512i low = _mm512_set1_epi32(255);
    vf a = _mm512_cvtepi32_ps(_mm512_and_si512(_mm512_srli_epi32(c, (unsigned)shift), low));
    vf b = _mm512_cvtepi32_ps(_mm512_and_si512(_mm512_srli_epi32(c, (unsigned)shift + 8), low));
    return amx_pairs(d * a + m, d * b + m);
}

// A packed panel (16 rows) into tiles B, TYPE a constant after inlining.
INLINE void narrow_panel(uint32_t type, const uint8_t *src, size_t steps, uint16_t *tiles)
{
    for (size_t s = 0; s < steps; s++, src += panel_block_bytes(type), tiles += AMX_TILE) {
        struct panel_block k = panel_block(type, src);
#pragma GCC unroll 8
        for (int g = 0; g < FOURS; g++) {
            __m512i c = panel_codes(type, k.codes, g);
            _mm512_storeu_si512(tiles + 2 * g * AMX_K, narrow_pair(c, 0, k.d, k.m));
            _mm512_storeu_si512(tiles + (2 * g + 1) * AMX_K, narrow_pair(c, 16, k.d, k.m));
        }
    }
}

static void narrow_packed(const struct mat *w, size_t row, size_t steps, uint16_t *tiles)
{
    const uint8_t *src =
        (const uint8_t *)w->packed + row / PANEL_ROWS * steps * panel_block_bytes(w->type);
    if (w->type == QUANT_Q4_1)
        narrow_panel(QUANT_Q4_1, src, steps, tiles);
    else if (w->type == QUANT_Q4_0)
        narrow_panel(QUANT_Q4_0, src, steps, tiles);
    else
        narrow_panel(QUANT_Q8_0, src, steps, tiles);
}

static void narrow_weights(const struct product *p, size_t row, uint16_t *tiles)
{
    if (p->w->packed) {
        narrow_packed(p->w, row, p->cols / BLOCK, tiles);
        return;
    }
    const uint8_t *rows[AMX_ROWS];
    for (size_t i = 0; i < AMX_ROWS; i++) {
        size_t r = row + i < p->rows ? row + i : p->rows - 1; // past the end: not used
        rows[i] = (const uint8_t *)p->w->data + r * p->row_bytes;
    }
    size_t steps = p->cols / BLOCK, bytes = direct_bytes(p->w->type);
    switch (p->w->type) {
    case QUANT_F16:
        narrow_rows(load_f16, BLOCK * 2, rows, steps, tiles);
        break;
    case QUANT_BF16:
        narrow_rows(load_bf16, BLOCK * 2, rows, steps, tiles);
        break;
    case QUANT_F32:
        narrow_rows(load_f32, BLOCK * 4, rows, steps, tiles);
        break;
    default:
        narrow_buffered(p->w->type, rows, p->cols, tiles);
        return;
    }
    if (steps * BLOCK == p->cols)
        return;
    for (int i = 0; i < AMX_ROWS; i++)
        rows[i] += steps * bytes;
    narrow_buffered(p->w->type, rows, p->cols - steps * BLOCK, tiles + steps * AMX_TILE);
}

// ---- Product

// Row I of the tiles' sums, up to PANEL columns from ROW on, to the output.
static void amx_out(const struct product *p, const float *sums, size_t i, size_t row)
{
    int width = p->rows - row < PANEL ? (int)(p->rows - row) : PANEL;
    float *out = p->out + i * p->rows + row;
    for (int v = 0; v < width; v += VW) {
        vf y = v_load(sums + v);
        if (p->bias)
            y = y + load_upto(p->bias + row + v, width - v);
        if (p->add)
            y = y + load_upto(p->add + i * p->rows + row + v, width - v);
        store_upto(out + v, y, width - v);
    }
}

static void amx_task(void *ctx, int task, int thread)
{
    const struct amx_product *p = ctx;
    uint16_t *tiles = (uint16_t *)(void *)(p->scratch + (size_t)thread * p->scratch_bytes);
    float *sums = (float *)(void *)(tiles + 2 * p->steps * AMX_TILE);
    size_t row = (size_t)(task % p->p.row_tiles) * PANEL, part = (size_t)(task / p->p.row_tiles);
    size_t pairs = (p->p.n + PANEL - 1) / PANEL, one = p->steps * AMX_TILE;
    size_t first = pairs * part / (size_t)p->p.n_parts,
           end = pairs * (part + 1) / (size_t)p->p.n_parts;
    int one_b = p->p.rows - row <= AMX_ROWS;
    narrow_weights(&p->p, row, tiles);
    if (!one_b)
        narrow_weights(&p->p, row + AMX_ROWS, tiles + one);
    amx_begin();
    for (size_t at = first * PANEL; at < end * PANEL && at < p->p.n; at += PANEL) {
        const uint16_t *x = p->x + at / AMX_ROWS * one;
        size_t n = p->p.n - at < PANEL ? p->p.n - at : PANEL;
        _tile_zero(0);
        _tile_zero(1);
        _tile_zero(2);
        _tile_zero(3);
        if (n <= AMX_ROWS)
            amx_products(x, one, tiles, one, p->steps, 1, one_b);
        else
            amx_products(x, one, tiles, one, p->steps, 0, one_b);
        _tile_stored(0, sums, PANEL * sizeof *sums);
        _tile_stored(1, sums + VW, PANEL * sizeof *sums);
        _tile_stored(2, sums + AMX_ROWS * PANEL, PANEL * sizeof *sums);
        _tile_stored(3, sums + AMX_ROWS * PANEL + VW, PANEL * sizeof *sums);
        for (size_t i = 0; i < n; i++)
            amx_out(&p->p, sums + i * PANEL, at + i, row);
    }
    amx_end();
}

static void amx_matmul(struct cpu *c, float *out, const struct mat *w, const float *x,
                       const float *bias, const float *add, int n)
{
    struct amx_product p = {.p = product_of(out, w, x, bias, add, n)};
    if (c->exact || (n <= CPU_FEW && !w->packed)) {
        simd_matmul(c, out, w, x, bias, add, n);
        return;
    }
    if (n <= CPU_FEW) {
        few_panels(c, &p.p);
        return;
    }
    size_t threads = (size_t)pool_threads(c->pool), x_tiles = (p.p.n + AMX_ROWS - 1) / AMX_ROWS;
    p.p.row_bytes = (size_t)quant_bytes(w->type, p.p.cols);
    p.steps = (p.p.cols + AMX_K - 1) / AMX_K;
    plan_parts(&p.p, (int)threads, PANEL);
    p.scratch_bytes = 2 * p.steps * AMX_TILE * sizeof *p.x + PANEL * PANEL * sizeof(float);
    size_t x_bytes = x_tiles * p.steps * AMX_TILE * sizeof *p.x;
    uint8_t *at = cpu_scratch(c, x_bytes + threads * p.scratch_bytes);
    if (!at)
        return;
    p.x = (uint16_t *)(void *)at;
    p.scratch = at + x_bytes;
    pool_run(c->pool, (int)x_tiles, amx_pack_x_task, &p);
    pool_run(c->pool, p.p.row_tiles * p.p.n_parts, amx_task, &p);
}

#endif
