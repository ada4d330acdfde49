// Vectors in fewer dimensions: by the main directions of a sample of them, so that what two of them
// have in common stays nearly the same.
#ifndef LCTOOL_ENGINE_EMBED_REDUCE_H
#define LCTOOL_ENGINE_EMBED_REDUCE_H

#include <stddef.h>
#include <stdint.h>

#include "io/err.h"

// BASIS [dim][wide]: of X [n][wide] the DIM <= WIDE orthogonal unit vectors along which its squares
// add up to most, those of the most first, times INT16_MAX. ERR_NOMEM; ERR_FORMAT where X is not
// finite.
int reduce_fit(const float *x, size_t n, int wide, int dim, int16_t *basis, struct err *e);
// OUT [dim]: the unit vector along BASIS X, 0 where that is 0. BASIS [dim][wide] may have any
// scale. The part of X [wide] that it lacks is left out of its length, too.
void reduce_unit(const int16_t *basis, int wide, int dim, const float *x, float *out);

#endif
