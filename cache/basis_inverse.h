// Makes the matrix that turns elements into coefficients from the rows that turn coefficients into
// elements, and defines how both are laid out.
#ifndef LCTOOL_CACHE_BASIS_INVERSE_H
#define LCTOOL_CACHE_BASIS_INVERSE_H

#include <stddef.h>
#include <stdint.h>

#include "io/err.h"

enum { BASIS_PANEL = 12 }; // channels whose coefficients are computed together

// The padded size of an array of N.
static inline size_t basis_padded(size_t n)
{
    return (n + 15) / 16 * 16;
}

struct basis_side {
    const int8_t *rows; // [n][heads * dim]
    float unit;         // of the rows' integers
    float step;         // elements are divided by it first
};
struct basis_rows { // of channels that have keys or values, or both
    size_t n, heads, dim;
    size_t n_sides;
    struct basis_side side[2];
};
// *OUT: [n / BASIS_PANEL rounded up][n_sides * heads * dim][BASIS_PANEL], 0 behind the last
// channel.
int basis_inverse(float **out, const struct basis_rows *rows, struct err *e);

#endif
