// How the keys and values of a sample of tokens vary: what basis_make takes directions, steps and
// tables from.
//
//     struct basis_fit f;
//     int rc = basis_fit_new(&f, meta, &sample, e);
//     if (!rc) rc = basis_fit_measure(&f, pool, e); // f.mean, f.rows, f.c, f.deviation, f.power
//     basis_fit_done(&f);                           // even where it failed
//
// Keys and values together, given how wide their steps are beside each other:
//
//     struct basis_fit pair;
//     if (!basis_fit_pair(&pair, &f, steps, e)) ... // and measured as above
#ifndef LCTOOL_CACHE_BASIS_FIT_H
#define LCTOOL_CACHE_BASIS_FIT_H

#include <stddef.h>
#include <stdint.h>

#include "cache/basis.h"
#include "cache/kvz.h"
#include "io/err.h"
#include "kernels/pool.h"

// A part is the keys, then the values, of a layer, or where they are paired both; its elements are
// taken in groups of heads, in a pair those of keys and then the same of values. A lane is the
// keys, or the values, of a head.
struct basis_fit {
    const struct kvz_meta *m;
    const struct basis_sample *from;
    uint32_t every;                      // each so many of its tokens is counted
    uint32_t group, n_groups, n_counted; // heads, groups of them; tokens that are counted
    uint32_t sides;                      // 2: keys and values are paired; 1
    size_t n_parts, lanes;               // lanes of a part
    int mix;                             // whether groups have matrices
    size_t wide, width;                  // elements of a token, of a group
    const uint8_t *near; // [n_layers][n_kv_heads] heads whose elements are their mean; NULL: none
    float *step;         // [n_parts] how coarse the part is beside the others: its coarsest head
    float *weight;       // [n_parts][lanes] how much finer than that a head is, in a pair a step's
                         // reciprocal times that; 1 where there are no matrices
    float *c;            // [n_parts][wide][n_counted, padded] coefficients
    float *deviation;    // [n_parts][wide] of the coefficients
    float *power;        // [n_parts] mean square of an element less its mean
    float *mean;         // [n_parts][wide]
    float *rows; // [n_parts][n_groups][width][width] directions, those that vary most first; NULL:
                 // no matrices. Orthogonal once elements are weighed, and divided by the weights
                 // again
};

// M and FROM must outlive F. There are matrices, if wanted, where groups are narrow enough for
// them.
int basis_fit_new(struct basis_fit *f, const struct kvz_meta *m, const struct basis_sample *from,
                  struct err *e);
// Of what APART was measured from, with matrices; STEPS [2 n_layers]: of keys and values, which are
// divided by them. Coefficients come in steps.
int basis_fit_pair(struct basis_fit *f, const struct basis_fit *apart, const double *steps,
                   struct err *e);
void basis_fit_done(struct basis_fit *f);

// ERR_FORMAT for numbers that are none, or too large.
int basis_fit_measure(struct basis_fit *f, struct pool *pool, struct err *e);

// The lane of keys (SIDE 0) or values of a head, in a part that has them.
size_t basis_fit_lane(const struct basis_fit *f, size_t side, size_t head);

// Elements of a part that are stored at all.
size_t basis_fit_stored(const struct basis_fit *f, size_t part);

#endif
