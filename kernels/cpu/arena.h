// Memory in large pages for many things of different sizes that live long: weights in a form of
// their own.
//
//     uint8_t *p = arena_take(&c->arena, bytes, &e);      // 64-byte aligned, contents not defined
//     arena_give(&c->arena, p);
#ifndef LCTOOL_KERNELS_CPU_ARENA_H
#define LCTOOL_KERNELS_CPU_ARENA_H

#include <stddef.h>
#include <stdint.h>

#include "io/err.h"

struct arena; // NULL is an empty one

void *arena_take(struct arena **a, size_t bytes, struct err *e);
// What one piece of memory held is free again when all that was taken beside it has been given
// back.
void arena_give(struct arena **a, void *p);

// What has been taken lies in pieces of memory, each with its whole large pages: the I-th, the
// oldest one first, of which BYTES are in use; NULL past the last.
const uint8_t *arena_piece(const struct arena *a, size_t i, size_t *bytes);
// The bytes that the file FD has from AT on, a multiple of a page's, become a piece's contents, to
// be read only; or, FD -1, the piece is memory again, its contents not defined. Nothing more is
// taken from it. 0, or -1 when the system refuses.
int arena_map(struct arena *a, size_t i, int fd, uint64_t at);

#endif
