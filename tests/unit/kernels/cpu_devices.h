// Every operation of every instruction set that this machine has is held against kernels/cpu/ref.c,
// with 1, 2 and 3 threads, whose results must be the same bits.
//
//     cpu_devices_open();                 // devices[0] is the judge
//     struct verdict v = verdict_new("rmsnorm", n);
//     for (int i = 0; i < n_devices; i++) {
//         devices[i]->ops->rmsnorm(devices[i], out, ...);
//         verdict_check(&v, i, out, 1e-6);
//     }
//     verdict_free(&v);
#ifndef LCTOOL_TESTS_UNIT_KERNELS_CPU_DEVICES_H
#define LCTOOL_TESTS_UNIT_KERNELS_CPU_DEVICES_H

#include <stddef.h>

#include "kernels/kernels.h"

// The devices under test: those of exact products, until cpu_devices_round.
extern struct device **devices;
extern int n_devices;

void cpu_devices_open(void);
void cpu_devices_close(void);
// From here on those that may round, of the instruction set ONLY where it is not NULL, behind the
// same judge...
void cpu_devices_round(const char *only);
// ...and the exact ones again.
void cpu_devices_exact(void);
// The plain C twin of exact products, whichever devices are under test.
struct device *cpu_devices_judge(void);

// What a device may leave in its output [n]; compared with the judge's, and among threads bit for
// bit.
struct verdict {
    const char *what;
    size_t n;
    float *want, *first;
};

struct verdict verdict_new(const char *what, size_t n);
void verdict_free(struct verdict *v);
// Waits for devices[DEVICE] and fails the test where GOT is not the judge's to TOLERANCE (see
// compare), or not the bits of the same instruction set with other threads. The judge comes first.
void verdict_check(struct verdict *v, int device, const float *got, double tolerance);

// N numbers of uniform(); the caller frees them.
float *random_floats(size_t n);

#endif
