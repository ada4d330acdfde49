// Memory in large pages for many things of different sizes that live long: weights in a form of
// their own.
//
//     uint8_t *p = arena_take(&c->arena, bytes, &e);      // 64-byte aligned, contents not defined
//     arena_give(&c->arena, p);
#ifndef LCTOOL_KERNELS_ARENA_H
#define LCTOOL_KERNELS_ARENA_H

#include <stddef.h>

#include "io/err.h"

struct arena; // NULL is an empty one

void *arena_take(struct arena **a, size_t bytes, struct err *e);
// What one piece of memory held is free again when all that was taken beside it has been given
// back.
void arena_give(struct arena **a, void *p);

#endif
