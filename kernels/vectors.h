// Vectors of 16 bytes as the compiler has them: SSE and NEON hold them on every machine, and no
// instruction set needs to be named.
#ifndef LCTOOL_KERNELS_VECTORS_H
#define LCTOOL_KERNELS_VECTORS_H

#include <stdint.h>
#include <string.h>

typedef float floats4 __attribute__((vector_size(16)));
typedef int32_t ints4 __attribute__((vector_size(16)));
typedef uint32_t words4 __attribute__((vector_size(16)));
typedef uint16_t words8 __attribute__((vector_size(16)));
typedef uint8_t bytes16 __attribute__((vector_size(16)));

static inline floats4 load_floats4(const float *p)
{
    floats4 x;
    memcpy(&x, p, sizeof x);
    return x;
}

static inline void store_floats4(float *p, floats4 x)
{
    memcpy(p, &x, sizeof x);
}

static inline bytes16 load_bytes16(const void *p)
{
    bytes16 x;
    memcpy(&x, p, sizeof x);
    return x;
}

// Neighbours from A and B in turn, the first halves and the second.
static inline void zip_bytes16(bytes16 a, bytes16 b, bytes16 out[2])
{
    out[0] = __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    out[1] =
        __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
}

// The same in pairs.
static inline void zip_pairs16(bytes16 a, bytes16 b, bytes16 out[2])
{
    words8 x = (words8)a, y = (words8)b;
    out[0] = (bytes16)__builtin_shufflevector(x, y, 0, 8, 1, 9, 2, 10, 3, 11);
    out[1] = (bytes16)__builtin_shufflevector(x, y, 4, 12, 5, 13, 6, 14, 7, 15);
}

#endif
