// The rotation of rows by a Hadamard matrix H of ones and minus ones.
#ifndef LCTOOL_CACHE_HADAMARD_H
#define LCTOOL_CACHE_HADAMARD_H

#include <stddef.h>

// Whether rows of N are rotated: N is a power of two.
int hadamard_rotates(size_t n);
// x = H x; X is left as it is if N is not a power of two.
void hadamard(float *x, size_t n);
// The factor that makes H its own inverse; 1 if rows are not rotated.
float hadamard_norm(size_t n);

#endif
