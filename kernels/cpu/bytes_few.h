// Products with up to CPU_FEW rows of x: x is rounded as kernels.h says, and multiplied by the
// weights' codes as they lie in the file, in bytes. What includes it defines round_block and
// bytes_row.
#ifndef LCTOOL_KERNELS_BYTES_FEW_H
#define LCTOOL_KERNELS_BYTES_FEW_H

#include "kernels/cpu/simd_matmul.h"

struct bytes_job {
    struct product p;
    size_t blocks;
    int8_t *x;    // [n][blocks][BLOCK]
    float *scale; // [n][blocks]: e
    float *sum;   // likewise: e times the sum of x
};

// One block of x: e * q, and e times the sum of q.
static void round_block(const float *x, int8_t q[32], float *scale, float *sum);

// A row of weights, d * w + m, by N rows of x from FIRST on. TYPE and N constants after inlining.
INLINE void bytes_row(uint32_t type, int n, const struct bytes_job *j, size_t first,
                      const uint8_t *w, float *y);

// FEW rows at most.
INLINE void bytes_row_n(uint32_t type, const struct bytes_job *j, size_t first, const uint8_t *w,
                        float *y)
{
    WITH_ROWS(j->p.n - first, bytes_row(type, M, j, first, w, y));
}

static void bytes_task(void *ctx, int task, int thread)
{
    (void)thread;
    const struct bytes_job *j = ctx;
    const struct product *p = &j->p;
    size_t first = (size_t)task * FEW_ROWS,
           end = first + FEW_ROWS < p->rows ? first + FEW_ROWS : p->rows;
    for (size_t r = first; r < end; r++) {
        const uint8_t *w = (const uint8_t *)p->w->data + r * p->row_bytes;
        float y[CPU_FEW];
        for (size_t at = 0; at < p->n; at += FEW) {
            if (p->w->type == QUANT_Q4_1)
                bytes_row_n(QUANT_Q4_1, j, at, w, y + at);
            else if (p->w->type == QUANT_Q4_0)
                bytes_row_n(QUANT_Q4_0, j, at, w, y + at);
            else
                bytes_row_n(QUANT_Q8_0, j, at, w, y + at);
        }
        for (size_t i = 0; i < p->n; i++) {
            if (p->bias)
                y[i] += p->bias[r];
            if (p->add)
                y[i] += p->add[i * p->rows + r];
            p->out[i * p->rows + r] = y[i];
        }
    }
}

// 0 where there are more rows, or W's type is none that is rounded then.
static int few_matmul(struct cpu *c, float *out, const struct mat *w, const float *x,
                      const float *bias, const float *add, int n)
{
    struct bytes_job j = {.p = product_of(out, w, x, bias, add, n),
                          .blocks = (size_t)w->cols / BLOCK};
    if (n < 1 || n > CPU_FEW || !cpu_rounds(c, w->type, n))
        return 0;
    size_t all = (size_t)n * j.blocks;
    uint8_t *at = cpu_scratch(c, all * (BLOCK + 2 * sizeof(float)));
    if (!at)
        return 1;
    j.p.row_bytes = (size_t)quant_bytes(w->type, j.p.cols);
    j.x = (int8_t *)at;
    j.scale = (float *)(void *)(at + all * BLOCK);
    j.sum = j.scale + all;
    for (size_t b = 0; b < all; b++)
        round_block(x + b * BLOCK, j.x + b * BLOCK, &j.scale[b], &j.sum[b]);
    pool_run(c->pool, (int)((j.p.rows + FEW_ROWS - 1) / FEW_ROWS), bytes_task, &j);
    return 1;
}

#endif
