// What turns elements into coefficients, from the rows that turn coefficients into elements; and
// how both lie in memory.
#ifndef LCTOOL_CACHE_BASIS_INVERSE_H
#define LCTOOL_CACHE_BASIS_INVERSE_H

#include <stddef.h>
#include <stdint.h>

#include "io/err.h"

enum { BASIS_PANEL = 12 }; // channels whose coefficients are made together

// What the last elements of an array of N are filled up to.
static inline size_t basis_padded(size_t n)
{
    return (n + 15) / 16 * 16;
}

struct basis_rows {
    const int8_t *rows; // [n][heads * dim]
    size_t n, heads, dim;
    float unit; // what a step of them is wide
};
// *OUT: [n / BASIS_PANEL rounded up][heads * dim][BASIS_PANEL], 0 behind the last channel.
int basis_inverse(float **out, const struct basis_rows *rows, struct err *e);

#endif
