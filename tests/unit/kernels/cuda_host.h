// The whole CUDA backend on the processor: its files compiled as C, every kernel a loop over its
// blocks, steps and threads, and cuBLAS in plain C. For tests/unit/kernels/test_cuda_host.c and
// test_cuda_memory.c alone: each includes it once, and so has a backend of its own.
#ifndef LCTOOL_TESTS_UNIT_KERNELS_CUDA_HOST_H
#define LCTOOL_TESTS_UNIT_KERNELS_CUDA_HOST_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <float.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cache/reader.h"
#include "tests/unit/kernels/cuda_emulated.h"
#include "tests/unit/kernels/device_place.h"
#include "tests/unit/kernels/device_tests.h"
#include "tests/unit/kernels/kernel_cases.h"
#include "tests/unit/ok.h"
#include "tests/unit/own_dir.h"

// clang-format off: each file as a translation unit would have it
#include "kernels/half.h"
#include "kernels/cuda/cuda.cu"
#include "kernels/cuda/cuda_memory.cu"
#include "kernels/cuda/cuda_step.cu"
#include "kernels/cuda/cuda_rows.cu"
#include "kernels/cuda/cuda_draw.cu"
#include "kernels/cuda/cuda_matmul.cu"
#include "kernels/cuda/cuda_attend.cu"
#include "kernels/cuda/cuda_scan.cu"
#include "kernels/cuda/cuda_elect.cu"
#include "kernels/cuda/cuda_divide.cu"
#include "kernels/cuda/cuda_stage.cu"
#include "kernels/cuda/cuda_chunk.cu"
#include "kernels/cuda/cuda_blocks.cu"
#include "kernels/cuda/cuda_coded.cu"
#include "kernels/cuda/cuda_art.cu"
// clang-format on

// ---- cuBLAS, in plain C: halves multiplied, sums in float32

struct cublas {
    int fails;
};

static struct cublas emulated_cublas;
static int with_cublas;

struct cublas *cublas_open(struct err *e)
{
    (void)e;
    return with_cublas ? &emulated_cublas : NULL;
}

void cublas_close(struct cublas *b)
{
    (void)b;
}

int cublas_product(struct cublas *b, void *stream, const struct cublas_product *p, struct err *e)
{
    (void)stream;
    if (b->fails)
        return err_set(e, ERR_DEVICE, "cuda: cublasGemmEx of %d x %d x %d: status 13", p->n,
                       p->rows, p->cols);
    for (int i = 0; i < p->n; i++)
        for (int r = 0; r < p->rows; r++) {
            float sum = p->add ? p->out[(size_t)i * (size_t)p->rows + (size_t)r] : 0;
            for (int k = 0; k < p->cols; k++)
                sum += half_to_float(p->x[(size_t)i * (size_t)p->cols + (size_t)k]) *
                       half_to_float(p->w[(size_t)r * (size_t)p->cols + (size_t)k]);
            p->out[(size_t)i * (size_t)p->rows + (size_t)r] = sum;
        }
    return 0;
}

static void open_tested(int is_exact)
{
    struct err e;
    if (device_open(&tested, &(struct device_options){.name = "cuda", .exact = is_exact}, NULL, 0,
                    &e))
        fail_msg("%s", e.msg);
}

static void close_tested(void)
{
    device_close(tested);
    tested = NULL;
    assert_int_equal(emulated.n_allocations, 0);
}

#endif
