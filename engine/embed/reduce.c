#include "engine/embed/reduce.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/mem.h"
#include "kernels/codec/eigen.h"
#include "kernels/codec/mix.h"
#include "kernels/vectors.h"

enum { LANES = 8 }; // mix_floats takes rows of whole ones

// A [wide][wide] = X^T X of X [n][wide].
static int squares_of(const float *x, size_t n, size_t wide, double *a, struct err *e)
{
    const size_t padded = (wide + LANES - 1) / LANES * LANES;
    float *rows = mem_new((n + 1) * padded, sizeof *rows, e),
          *square = mem_new(wide * padded, sizeof *square, e);
    const int rc = rows && square ? 0 : ERR_NOMEM;
    for (size_t i = 0; !rc && i < n; i++)
        memcpy(rows + i * padded, x + i * wide, wide * sizeof *x);
    if (!rc && n)
        mix_floats(rows, wide, padded, n, rows, padded, padded, square, padded);
    for (size_t i = 0; !rc && i < wide; i++)
        for (size_t j = 0; j < wide; j++)
            a[i * wide + j] = (double)square[(i > j ? i : j) * padded + (i > j ? j : i)];
    free(rows);
    free(square);
    return rc;
}

int reduce_fit(const float *x, size_t n, int wide, int dim, int16_t *basis, struct err *e)
{
    const size_t w = (size_t)wide;
    double *a = mem_new(w * w, sizeof *a, e), *values = mem_new(w, sizeof *values, e),
           *vectors = mem_new(w * w, sizeof *vectors, e);
    int rc = a && values && vectors ? squares_of(x, n, w, a, e) : ERR_NOMEM;
    if (!rc)
        rc = eigen(a, w, values, vectors, e);
    for (size_t i = 0; !rc && i < (size_t)dim * w; i++)
        basis[i] = (int16_t)lrint(fmax(fmin(vectors[i], 1), -1) * INT16_MAX);
    free(a);
    free(values);
    free(vectors);
    return rc;
}

void reduce_unit(const int16_t *basis, int wide, int dim, const float *x, float *out)
{
    float square = 0;
    for (int i = 0; i < dim; i++, basis += wide) {
        floats4 s = {0};
        float sum = 0;
        int j = 0;
        for (; j + 4 <= wide; j += 4) {
            const floats4 b = {basis[j], basis[j + 1], basis[j + 2], basis[j + 3]};
            s += b * load_floats4(x + j);
        }
        for (; j < wide; j++)
            sum += (float)basis[j] * x[j];
        out[i] = sum + ((s[0] + s[1]) + (s[2] + s[3]));
        square += out[i] * out[i];
    }
    const float by = square > 0 ? 1 / sqrtf(square) : 0;
    for (int i = 0; i < dim; i++)
        out[i] *= by;
}
