// Large memory that comes and goes: what was given back is taken again, because pages that the
// system has to clear first cost more than many an operation on them.
//
//     void *p = regions_take(&c->regions, bytes, &e); // 64-byte aligned, contents not defined
//     if (!regions_give(&c->regions, p)) ...          // it is not from here
//     regions_done(&c->regions);
#ifndef LCTOOL_KERNELS_CPU_REGIONS_H
#define LCTOOL_KERNELS_CPU_REGIONS_H

#include <stddef.h>

#include "io/err.h"

struct region;

struct regions {
    struct region *taken, *spare;
    size_t spare_bytes;
};

// BYTES > 0.
void *regions_take(struct regions *r, size_t bytes, struct err *e);
int regions_give(struct regions *r, void *p);
void regions_done(struct regions *r);

#endif
