// Allocation whose sizes cannot overflow and whose failure is an error like any other.
#ifndef LCTOOL_IO_MEM_H
#define LCTOOL_IO_MEM_H

#include <stddef.h>

#include "io/err.h"

// N objects of SIZE bytes, zeroed. NULL with ERR_NOMEM in E when N*SIZE overflows or memory is out.
// A request for nothing returns a valid pointer. Release with free().
void *mem_new(size_t n, size_t size, struct err *e);

// As mem_new, aligned to 64 bytes (one cache line, one AVX-512 register), and where it is large to
// a large page, which the system is asked for: in a virtual machine reading by small ones can take
// ten times as long. Release with free().
void *mem_new_aligned(size_t n, size_t size, struct err *e);

// BYTES bytes for a short while, aligned to 64 bytes, with anything in them. Release with free().
void *mem_scratch(size_t bytes, struct err *e);

// BYTES > 0 bytes, zeroed, in pages of their own, large ones where the system has them: memory
// becomes real where it is touched, and nothing is spent on the rest. Release with mem_unmap and
// the same BYTES.
void *mem_map(size_t bytes, struct err *e);
void mem_unmap(void *p, size_t bytes);

// A copy of the string S. Release with free().
char *mem_strdup(const char *s, struct err *e);

// P: the address of a pointer, of any type, to an array with room for *CAP objects of SIZE bytes.
// Makes room for NEED of them: grows by doubling, new bytes are not initialised. On failure the
// pointer and *CAP are left as they were.
int mem_grow(void *p, size_t *cap, size_t need, size_t size, struct err *e);
// The same, its arguments by name:
//
//     if ((rc = MEM_GROW(l->v, l->cap, l->n + 1, e)))
//         return rc;
#define MEM_GROW(v, cap, need, e) mem_grow(&(v), &(cap), (need), sizeof *(v), (e))

#endif
