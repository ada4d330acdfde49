#include "engine/embed/reduce.h"

#include <math.h>
#include <stdlib.h>

#include "io/mem.h"
#include "kernels/codec/eigen.h"
#include "kernels/vectors.h"

// A [wide][wide] += x x^T, of which only what is on the diagonal and left of it is computed.
static void add_squares(double *a, const float *x, size_t wide)
{
    for (size_t i = 0; i < wide; i++) {
        const double own = (double)x[i];
        double *row = a + i * wide;
        for (size_t j = 0; j <= i; j++)
            row[j] += own * (double)x[j];
    }
}

int reduce_fit(const float *x, size_t n, int wide, int dim, int16_t *basis, struct err *e)
{
    const size_t w = (size_t)wide;
    double *a = mem_new(w * w, sizeof *a, e), *values = mem_new(w, sizeof *values, e),
           *vectors = mem_new(w * w, sizeof *vectors, e);
    int rc = a && values && vectors ? 0 : ERR_NOMEM;
    for (size_t i = 0; !rc && i < n; i++)
        add_squares(a, x + i * w, w);
    for (size_t i = 0; !rc && i < w; i++)
        for (size_t j = 0; j < i; j++)
            a[j * w + i] = a[i * w + j];
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
