// Index vectors of four bits: the keys of a block along one channel (kvz.5, narrow runs).
//
//     if (narrow_make(keys, n, dim, &scale, bounds, symbols)) ...      // infinite, or not a number
//     narrow_expand(bounds, symbols, n, dim, vectors);                 // key = vectors * scale
#ifndef LCTOOL_CACHE_NARROW_H
#define LCTOOL_CACHE_NARROW_H

#include <stddef.h>
#include <stdint.h>

// For N vectors of DIM elements, DIM even: BOUNDS [dim][2], least and range in steps of *SCALE;
// SYMBOLS [n][dim / 2], the even element in the low half of a byte. -1 if an element is infinite,
// not a number, or too large.
int narrow_make(const float *x, uint32_t n, uint32_t dim, float *scale, uint8_t *bounds,
                uint8_t *symbols);
// OUT [n][dim].
void narrow_expand(const uint8_t *bounds, const uint8_t *symbols, size_t n, uint32_t dim,
                   int8_t *out);
// Whether every element fits a signed byte.
int narrow_ok(const uint8_t *bounds, uint32_t dim);

#endif
