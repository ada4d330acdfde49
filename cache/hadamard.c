#include "cache/hadamard.h"

#include <math.h>

#include "kernels/vectors.h"

int hadamard_rotates(size_t dim)
{
    return (dim & (dim - 1)) == 0;
}

float hadamard_norm(size_t dim)
{
    return hadamard_rotates(dim) ? (float)(1 / sqrt((double)dim)) : 1;
}

// Sums and differences of neighbours, then of pairs.
static inline floats4 within(floats4 x)
{
    x = x * (floats4){1, -1, 1, -1} + __builtin_shufflevector(x, x, 1, 0, 3, 2);
    return x * (floats4){1, 1, -1, -1} + __builtin_shufflevector(x, x, 2, 3, 0, 1);
}

static void two_stages(float *x, size_t n, size_t len)
{
    for (size_t i = 0; i < n; i += 4 * len)
        for (size_t j = i; j < i + len; j += 4) {
            floats4 a = load_floats4(x + j), b = load_floats4(x + j + len);
            floats4 c = load_floats4(x + j + 2 * len), d = load_floats4(x + j + 3 * len);
            floats4 ab = a + b, a_b = a - b, cd = c + d, c_d = c - d;
            store_floats4(x + j, ab + cd);
            store_floats4(x + j + len, a_b + c_d);
            store_floats4(x + j + 2 * len, ab - cd);
            store_floats4(x + j + 3 * len, a_b - c_d);
        }
}

static void one_stage(float *x, size_t n, size_t len)
{
    for (size_t i = 0; i < n; i += 2 * len)
        for (size_t j = i; j < i + len; j += 4) {
            floats4 a = load_floats4(x + j), b = load_floats4(x + j + len);
            store_floats4(x + j, a + b);
            store_floats4(x + j + len, a - b);
        }
}

// The stages of x = H x behind those within four neighbours; N is a power of two.
static void rotate_fours(float *x, size_t n)
{
    size_t len = 4;
    for (; 2 * len < n; len *= 4)
        two_stages(x, n, len);
    if (len < n)
        one_stage(x, n, len);
}

void hadamard(float *x, size_t n)
{
    if (!hadamard_rotates(n))
        return;
    if (n == 2) {
        float a = x[0], b = x[1];
        x[0] = a + b;
        x[1] = a - b;
    }
    for (size_t i = 0; i + 4 <= n; i += 4)
        store_floats4(x + i, within(load_floats4(x + i)));
    rotate_fours(x, n);
}
