// Eigenvectors of a symmetric matrix: the directions in which keys and values vary.
#ifndef LCTOOL_KERNELS_CODEC_EIGEN_H
#define LCTOOL_KERNELS_CODEC_EIGEN_H

#include <stddef.h>

#include "io/err.h"

// A [n][n], symmetric, of numbers below 2^500, is used up. VALUES [n] in falling order; VECTORS
// [n][n]: row i is the unit eigenvector of value i. ERR_NOMEM, or ERR_FORMAT where the numbers are
// not finite.
int eigen(double *a, size_t n, double *values, double *vectors, struct err *e);

#endif
