// Products with few rows of x by the weights' codes as they lie in the file, in bytes:
// kernels/cpu/few.h. What includes it defines round_block and bytes_row.
#ifndef LCTOOL_KERNELS_BYTES_FEW_H
#define LCTOOL_KERNELS_BYTES_FEW_H

enum { FEW_AT_ONCE = 4 }; // rows of x that weights are multiplied by while they are in registers

#include "kernels/cpu/few.h"

struct bytes_x {
    size_t blocks;      // in a row
    const int8_t *x;    // [n][blocks][BLOCK]
    const float *scale; // [n][blocks]: e
    const float *sum;   // likewise: e times the sum of x
};

// One block of x: e * q, and e times the sum of q.
static void round_block(const float *x, int8_t q[32], float *scale, float *sum);

// A row of weights, d * w + m, by N rows of x from FIRST on. TYPE and N constants after inlining.
INLINE void bytes_row(uint32_t type, int n, const struct bytes_x *x, size_t first, const uint8_t *w,
                      float *y);

static int few_takes(const struct cpu *c, const struct mat *w, int n)
{
    return n > 0 && n <= CPU_FEW && cpu_rounds(c, w->type, n);
}

static void few_round_to(const struct few_job *f, size_t row, const float *from)
{
    size_t all = f->n * f->blocks, at = row * f->blocks;
    int8_t *x = (int8_t *)f->x + at * BLOCK;
    float *scale = (float *)(void *)((int8_t *)f->x + all * BLOCK) + at, *sum = scale + all;
    for (size_t b = 0; b < f->blocks; b++)
        round_block(from + b * BLOCK, x + b * BLOCK, scale + b, sum + b);
}

// ROWS weight rows by M rows of x. TYPE and M constants after inlining.
INLINE void bytes_rows(uint32_t type, int m, size_t rows, const struct bytes_x *x, size_t at,
                       const uint8_t *w, float (*y)[FEW_PART])
{
    size_t row_bytes = x->blocks * (size_t)quant_bytes(type, BLOCK);
    for (size_t r = 0; r < rows; r++, w += row_bytes) {
        float one[FEW_AT_ONCE];
        bytes_row(type, m, x, at, w, one);
        for (int i = 0; i < m; i++)
            y[i][r] = one[i];
    }
}

INLINE void bytes_rows_m(uint32_t type, int m, size_t rows, const struct bytes_x *x, size_t at,
                         const uint8_t *w, float (*y)[FEW_PART])
{
    WITH_ROWS(m, bytes_rows(type, M, rows, x, at, w, y));
}

static int few_part_of(const struct few_job *f, const struct mat *w, size_t part, size_t at, vf *y)
{
    const int8_t *q = (const int8_t *)f->x;
    const float *scale = (const float *)(const void *)(q + f->n * f->blocks * BLOCK);
    const struct bytes_x x = {f->blocks, q, scale, scale + f->n * f->blocks};
    size_t row = part * FEW_PART, left = (size_t)w->rows - row;
    size_t rows = left < FEW_PART ? left : FEW_PART;
    const uint8_t *src =
        (const uint8_t *)w->data + row * f->blocks * (size_t)quant_bytes(w->type, BLOCK);
    int m = f->n - at < FEW_AT_ONCE ? (int)(f->n - at) : FEW_AT_ONCE;
    float sums[FEW_AT_ONCE][FEW_PART] = {{0}};
    if (w->type == QUANT_Q4_1)
        bytes_rows_m(QUANT_Q4_1, m, rows, &x, at, src, sums);
    else if (w->type == QUANT_Q4_0)
        bytes_rows_m(QUANT_Q4_0, m, rows, &x, at, src, sums);
    else
        bytes_rows_m(QUANT_Q8_0, m, rows, &x, at, src, sums);
    for (int i = 0; i < m; i++)
        y[i] = v_load(sums[i]);
    return m;
}

#endif
