// How the keys and values of a sample of tokens vary: what basis_make takes directions, steps and
// tables from.
//
//     struct basis_fit f;
//     int rc = basis_fit_new(&f, meta, n, stride, skip, 1, fit, e);
//     if (!rc) rc = basis_fit_measure(&f, k, v, pool, e);       // f.mean, f.rows, f.c, f.deviation, f.power
//     basis_fit_done(&f);                                       // even where it failed
#ifndef LCTOOL_CACHE_BASIS_FIT_H
#define LCTOOL_CACHE_BASIS_FIT_H

#include <stddef.h>
#include <stdint.h>

#include "cache/kvz.h"
#include "io/err.h"
#include "kernels/pool.h"

// A part is the keys, then the values, of a layer; its elements are taken in groups of heads.
struct basis_fit {
    const struct kvz_meta *m;
    uint32_t n, stride, skip,
        every; // tokens, those that lie between heads, those left out; each so many is counted
    uint32_t group, n_groups, n_counted; // heads, groups of them; tokens that are counted
    int mix;                             // whether groups have matrices
    size_t wide, width;                  // elements of a token, of a group
    const uint8_t *near; // [n_layers][n_kv_heads] heads whose elements are their mean; NULL: none
    float *step;         // [2 n_layers] how coarse the part is beside the others: its coarsest head
    float *weight; // [2 n_layers][n_kv_heads] how much finer than that a head is; 1 where there are
                   // no matrices
    float *c;      // [2 n_layers][wide][n_counted, padded] coefficients
    float *deviation; // [2 n_layers][wide] of the coefficients
    float *power;     // [2 n_layers] mean square of an element less its mean
    float *mean;      // [2 n_layers][wide]
    float *
        rows; // [2 n_layers][n_groups][width][width] directions, those that vary most first; NULL:
              // no matrices. Orthogonal once elements are weighed, and divided by the weights again
};

// MIX: with matrices, where groups are narrow enough for them. FIT may be NULL.
int basis_fit_new(struct basis_fit *f, const struct kvz_meta *m, uint32_t n, uint32_t stride,
                  uint32_t skip, int mix, const struct kvz_fit *fit, struct err *e);
void basis_fit_done(struct basis_fit *f);

// K, V [n_layers] -> [n_kv_heads][stride][head_dim]. ERR_FORMAT for numbers that are none, or too
// large.
int basis_fit_measure(struct basis_fit *f, const float *const *k, const float *const *v,
                      struct pool *pool, struct err *e);

// Elements of a part that are stored at all.
size_t basis_fit_stored(const struct basis_fit *f, size_t part);

#endif
