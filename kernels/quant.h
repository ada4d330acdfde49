// The weight types of GGUF, one table row each.
//
//     const struct quant *q = quant_find(t->type);       // NULL: a type this build does not know
//     q->dequantize(row, out, n_cols);                   // exact: equals the reference bit for bit
//
// A row of a matrix is n_cols / q->block blocks of q->bytes bytes, packed.
#ifndef LCTOOL_KERNELS_QUANT_H
#define LCTOOL_KERNELS_QUANT_H

#include <stddef.h>
#include <stdint.h>

enum quant_type { // numbers are the file format's
    QUANT_F32 = 0,
    QUANT_F16 = 1,
    QUANT_Q4_0 = 2,
    QUANT_Q4_1 = 3,
    QUANT_Q5_0 = 6,
    QUANT_Q5_1 = 7,
    QUANT_Q8_0 = 8,
    QUANT_Q2_K = 10,
    QUANT_Q3_K = 11,
    QUANT_Q4_K = 12,
    QUANT_Q5_K = 13,
    QUANT_Q6_K = 14,
    QUANT_IQ4_NL = 20,
    QUANT_IQ4_XS = 23,
    QUANT_BF16 = 30,
    QUANT_MXFP4 = 39,
};

struct quant {
    uint32_t type;
    const char *name;                                          // "Q4_1"
    int block;                                                 // weights per block
    int bytes;                                                 // bytes per block
    void (*dequantize)(const void *src, float *dst, size_t n); // N weights, a multiple of block
};

const struct quant *quant_find(uint32_t type);
const struct quant *quant_at(size_t i); // i-th row of the table, NULL past the last

// Bytes of N weights: 0 when the type is unknown or N is not a multiple of its block.
uint64_t quant_bytes(uint32_t type, uint64_t n);

#endif
