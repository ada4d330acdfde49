// Products with few rows of x by the weights' codes as they lie in the file, in bytes:
// kernels/cpu/few.h. What includes it defines round_block and bytes_row.
#ifndef LCTOOL_KERNELS_CPU_BYTES_FEW_H
#define LCTOOL_KERNELS_CPU_BYTES_FEW_H

#include "kernels/cpu/simd_matmul.h"

enum { FEW_AT_ONCE = FEW };

#include "kernels/cpu/few.h"

// f->x, as it is laid out here.
struct bytes_x {
    size_t blocks; // in a row
    int8_t *x;     // [n][blocks][BLOCK]
    float *scale;  // [n][blocks]: e
    float *sum;    // likewise: e times the sum of x
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

static struct bytes_x bytes_x_of(const struct few_job *f)
{
    size_t all = f->n * f->blocks;
    int8_t *x = (int8_t *)f->x;
    float *scale = (float *)(void *)(x + all * BLOCK);
    return (struct bytes_x){f->blocks, x, scale, scale + all};
}

static void few_round_to(const struct few_job *f, size_t row, const float *from)
{
    const struct bytes_x to = bytes_x_of(f);
    for (size_t b = 0, at = row * f->blocks; b < f->blocks; b++, at++)
        round_block(from + b * BLOCK, to.x + at * BLOCK, to.scale + at, to.sum + at);
}

// ROWS weight rows, ROW_BYTES each, by M rows of x. TYPE and M constants after inlining.
INLINE void bytes_rows(uint32_t type, int m, size_t rows, size_t row_bytes, const struct bytes_x *x,
                       size_t at, const uint8_t *w, float (*y)[FEW_PART])
{
    for (size_t r = 0; r < rows; r++, w += row_bytes) {
        float one[FEW_AT_ONCE];
        bytes_row(type, m, x, at, w, one);
        for (int i = 0; i < m; i++)
            y[i][r] = one[i];
    }
}

INLINE void bytes_rows_m(uint32_t type, int m, size_t rows, size_t row_bytes,
                         const struct bytes_x *x, size_t at, const uint8_t *w, float (*y)[FEW_PART])
{
    WITH_ROWS(m, bytes_rows(type, M, rows, row_bytes, x, at, w, y));
}

static int few_part_of(const struct few_job *f, const struct mat *w, size_t part, size_t at, vf *y)
{
    const struct bytes_x x = bytes_x_of(f);
    size_t row = part * FEW_PART, left = (size_t)w->rows - row;
    size_t rows = left < FEW_PART ? left : FEW_PART;
    size_t row_bytes = f->blocks * (size_t)quant_bytes(w->type, BLOCK);
    const uint8_t *src = (const uint8_t *)w->data + row * row_bytes;
    int m = f->n - at < FEW_AT_ONCE ? (int)(f->n - at) : FEW_AT_ONCE;
    float sums[FEW_AT_ONCE][FEW_PART] = {{0}};
    if (w->type == QUANT_Q4_1)
        bytes_rows_m(QUANT_Q4_1, m, rows, row_bytes, &x, at, src, sums);
    else if (w->type == QUANT_Q4_0)
        bytes_rows_m(QUANT_Q4_0, m, rows, row_bytes, &x, at, src, sums);
    else
        bytes_rows_m(QUANT_Q8_0, m, rows, row_bytes, &x, at, src, sums);
    for (int i = 0; i < m; i++)
        y[i] = v_load(sums[i]);
    return m;
}

#endif
