// The rotation of rows by a Hadamard matrix H of ones and minus ones.
#ifndef LCTOOL_CACHE_HADAMARD_H
#define LCTOOL_CACHE_HADAMARD_H

#include <stddef.h>

// Whether rows of N are rotated: N is a power of two.
int hadamard_rotates(size_t n);
// x = H x; where N is no power of two X is left as it is.
void hadamard(float *x, size_t n);
// What makes H, times it, its own inverse; 1 where nothing is rotated.
float hadamard_norm(size_t n);

#endif
