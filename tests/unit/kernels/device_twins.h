// The same array on the judge, where it is plain memory, and on the device that is tested.
#ifndef LCTOOL_TESTS_UNIT_KERNELS_DEVICE_TWINS_H
#define LCTOOL_TESTS_UNIT_KERNELS_DEVICE_TWINS_H

#include "kernels/kernels.h"

struct twin {
    size_t n;
    float *host, *there;
};

// kernels/cpu/ref.c, from twins_begin to twins_end, which frees all twins.
extern struct device *judge;
void twins_begin(void);
void twins_end(void);

struct twin *twin_new(size_t n);      // zeros
struct twin *twin_random(size_t n);   // the same numbers on both
void twin_send(const struct twin *t); // what the judge's has goes to the device
// Fails where they differ by more than TOLERANCE.
void twin_same(const char *what, const struct twin *t, double tolerance);

#endif
