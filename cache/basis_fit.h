// How the keys and values of a sample of tokens vary: what basis_make takes directions, steps and
// tables from.
//
//     struct basis_fit f;
//     int rc = basis_fit_new(&f, meta, &sample, e);
//     if (!rc) rc = basis_fit_measure(&f, pool, e); // f.mean, f.rows, f.c, f.deviation, f.power
//     basis_fit_done(&f);                           // even where it failed
#ifndef LCTOOL_CACHE_BASIS_FIT_H
#define LCTOOL_CACHE_BASIS_FIT_H

#include <stddef.h>
#include <stdint.h>

#include "cache/basis.h"
#include "cache/kvz.h"
#include "io/err.h"
#include "kernels/pool.h"

// A part is the keys, then the values, of a layer; its elements are taken in groups of heads.
struct basis_fit {
    const struct kvz_meta *m;
    const struct basis_sample *from;
    uint32_t every;                      // each so many of its tokens is counted
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

// M and FROM must outlive F. There are matrices, if wanted, where groups are narrow enough for
// them.
int basis_fit_new(struct basis_fit *f, const struct kvz_meta *m, const struct basis_sample *from,
                  struct err *e);
void basis_fit_done(struct basis_fit *f);

// ERR_FORMAT for numbers that are none, or too large.
int basis_fit_measure(struct basis_fit *f, struct pool *pool, struct err *e);

// Elements of a part that are stored at all.
size_t basis_fit_stored(const struct basis_fit *f, size_t part);

#endif
