// Products in bytes by AVX2, with and without VNNI: weights as panels of eight rows, or brought to
// bytes where they have no such form. Included behind what kernels/cpu/avx2_panels.h asks for.
#ifndef LCTOOL_KERNELS_CPU_AVX2_MATMUL_H
#define LCTOOL_KERNELS_CPU_AVX2_MATMUL_H

#include "kernels/cpu/avx2_panels.h"

#include "kernels/cpu/panels_matmul.h"

static void round_rows(const float *const *row, size_t at, size_t m, int32_t *x, float *e,
                       float *sum)
{
    round_each(row, at, m, x, e, sum);
}

#endif
