// Sums over vectors of one type of number, in four at a time and in that order on every machine, so that what is made
// of them is the same everywhere.
//
//     SUMS_OF(double)
//     dot_double(a, b, n);        // of the products
//     add_double(y, f, x, n);     // y += f x
#ifndef LCTOOL_KERNELS_SUMS_H
#define LCTOOL_KERNELS_SUMS_H

#include <stddef.h>
#include <string.h>

#define SUMS_OF(type)                                                                              \
    typedef type four_##type __attribute__((vector_size(4 * sizeof(type))));                       \
                                                                                                   \
    static type dot_##type(const type *x, const type *y, size_t n)                                 \
    {                                                                                              \
        four_##type sums = {0}, a, b;                                                              \
        type sum = 0;                                                                              \
        size_t i = 0;                                                                              \
        for (; i + 4 <= n; i += 4) {                                                               \
            memcpy(&a, x + i, sizeof a);                                                           \
            memcpy(&b, y + i, sizeof b);                                                           \
            sums += a * b;                                                                         \
        }                                                                                          \
        for (; i < n; i++)                                                                         \
            sum += x[i] * y[i];                                                                    \
        return sum + ((sums[0] + sums[1]) + (sums[2] + sums[3]));                                  \
    }                                                                                              \
                                                                                                   \
    static void add_##type(type *y, type f, const type *x, size_t n)                               \
    {                                                                                              \
        four_##type a, b;                                                                          \
        size_t i = 0;                                                                              \
        for (; i + 4 <= n; i += 4) {                                                               \
            memcpy(&a, x + i, sizeof a);                                                           \
            memcpy(&b, y + i, sizeof b);                                                           \
            b += a * f;                                                                            \
            memcpy(y + i, &b, sizeof b);                                                           \
        }                                                                                          \
        for (; i < n; i++)                                                                         \
            y[i] += f * x[i];                                                                      \
    }

#endif
