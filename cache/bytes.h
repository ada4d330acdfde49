// A buffer that grows at its end.
//
//     struct bytes b = {0};
//     uint8_t *p = bytes_add(&b, n, &e);      // valid until the next call
//     free(b.p);
#ifndef LCTOOL_CACHE_BYTES_H
#define LCTOOL_CACHE_BYTES_H

#include <stddef.h>
#include <stdint.h>

#include "io/err.h"

struct bytes {
    uint8_t *p;
    size_t n, cap;
};

// Room for MORE bytes after the first n, zeroed and counted in n. NULL when memory is out.
uint8_t *bytes_add(struct bytes *b, size_t more, struct err *e);

#endif
