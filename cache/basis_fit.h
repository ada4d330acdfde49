// How the keys and values of a sample of tokens vary: the source of basis_make's directions, steps
// and tables.
//
//     struct basis_fit f;
//     int rc = basis_fit_new(&f, meta, &sample, e);
//     if (!rc) rc = basis_fit_measure(&f, pool, e); // f.mean, f.rows, f.c, f.deviation, f.power
//     basis_fit_done(&f);                           // even where it failed
//
// Of keys and values together, given their steps:
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

// A part is the keys or the values of a layer or, if they are paired, both. Its elements are
// divided into groups of heads; in a pair, a group has the elements of its keys, then those of its
// values. A lane is the keys, or the values, of a head.
struct basis_fit {
    const struct kvz_meta *m;
    const struct basis_sample *from;
    uint32_t every;                      // one of so many tokens is counted
    uint32_t group, n_groups, n_counted; // heads; groups of them; tokens that are counted
    uint32_t sides;                      // 2: keys and values are paired; else 1
    size_t n_parts, lanes;               // lanes of a part
    int mix;                             // 1: groups have matrices
    size_t wide, width;                  // elements of a token, of a group
    const uint8_t *near; // [n_layers][n_kv_heads] 1: elements are their mean; NULL: no such heads
    float *step;         // [n_parts] step of the part's coarsest head, relative to other parts
    float *weight; // [n_parts][lanes] how much finer than that a head's step is, in a pair divided
                   // by the step; 1 without matrices
    float *c;      // [n_parts][wide][n_counted, padded] coefficients
    float *deviation; // [n_parts][wide] of the coefficients
    float *power;     // [n_parts] mean square of an element less its mean
    float *mean;      // [n_parts][wide]
    float *rows; // [n_parts][n_groups][width][width] directions, those that vary most first, for
                 // elements as they are; they are orthogonal if elements are weighted. NULL: no
                 // matrices
};

// M and FROM must outlive F. It has matrices if they are wanted and groups are narrow enough.
int basis_fit_new(struct basis_fit *f, const struct kvz_meta *m, const struct basis_sample *from,
                  struct err *e);
// For pairs of the keys and values that APART was measured from, with matrices. STEPS [2 n_layers]:
// those of keys and values, which are divided by them, so that coefficients come in steps.
int basis_fit_pair(struct basis_fit *f, const struct basis_fit *apart, const double *steps,
                   struct err *e);
void basis_fit_done(struct basis_fit *f);

// ERR_FORMAT: a number is infinite, not a number, or too large.
int basis_fit_measure(struct basis_fit *f, struct pool *pool, struct err *e);

// The lane of keys (SIDE 0) or values of a head, in a part that has them.
size_t basis_fit_lane(const struct basis_fit *f, size_t side, size_t head);

// Number of elements of a part that are stored.
size_t basis_fit_stored(const struct basis_fit *f, size_t part);

#endif
