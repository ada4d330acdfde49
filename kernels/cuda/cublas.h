// The one product we take from cuBLAS, which is opened when the program runs: a machine without it
// has a slower product of our own.
//
//     struct cublas *b = cublas_open(e);                 // NULL with ERR_DEVICE: not on this machine
//     if (cublas_product(b, stream, &p, e)) ...
//     cublas_close(b);
#ifndef LCTOOL_KERNELS_CUDA_CUBLAS_H
#define LCTOOL_KERNELS_CUDA_CUBLAS_H

#include <stdint.h>

#include "io/err.h"

struct cublas;

// out[n][rows] (+)= x[n][cols] w[rows][cols]^T; w and x in half precision, sums and out in float32.
// All of it device memory.
struct cublas_product {
    float *out;
    const uint16_t *w, *x;
    int n, rows, cols;
    int add; // 1: to what is in out
};

struct cublas *cublas_open(struct err *e);
int cublas_product(struct cublas *b, void *stream, const struct cublas_product *p, struct err *e);
void cublas_close(struct cublas *b); // accepts NULL

#endif
