// Products in bytes, of few rows of x (kernels/cpu/few.h) and of many.
#ifndef LCTOOL_KERNELS_CPU_BYTES_MATMUL_H
#define LCTOOL_KERNELS_CPU_BYTES_MATMUL_H

#include "kernels/cpu/few.h"
#include "kernels/cpu/int_matmul.h"

static int bytes_project(struct cpu *c, const struct project *p)
{
    return few_project(c, p) || int_project(c, p);
}

static int bytes_ffn(struct cpu *c, const struct ffn *f)
{
    return few_ffn(c, f) || int_ffn(c, f);
}

// device_ops.matmul.
static void bytes_matmul(struct cpu *c, float *out, const struct mat *w, const float *x,
                         const float *bias, const float *add, int n)
{
    const struct project p = {.x = x, .n = n, .n_to = 1, .to = {{out, w, bias, add, NULL}}};
    if (!bytes_project(c, &p))
        simd_matmul(c, out, w, x, bias, add, n);
}

#endif
