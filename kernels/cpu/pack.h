// Weights in an instruction set's own form, made of all matrices of a model at once.
//
//     pack_later(c, &w, &e);       // w.packed has its place now ...
//     pack_all(c);                 // ... and its contents behind this
#ifndef LCTOOL_KERNELS_CPU_PACK_H
#define LCTOOL_KERNELS_CPU_PACK_H

#include <stddef.h>

#include "io/err.h"

struct cpu;
struct mat;

// W->packed stays NULL where the instruction set has no such form of W's type.
int pack_later(struct cpu *c, struct mat *w, struct err *e);
// Also of what has not been packed yet.
void pack_drop(struct cpu *c, struct mat *w);
// By all threads; does nothing where nothing waits for it.
void pack_all(struct cpu *c);
// How many matrices wait for it, which are copied to W unless that is NULL.
size_t pack_waiting(const struct cpu *c, struct mat *w);
// Their places have their contents already.
void pack_have(struct cpu *c);

#endif
