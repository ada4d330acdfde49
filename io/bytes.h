// A buffer that grows at its end.
//
//     struct bytes b = {0};
//     uint8_t *p = bytes_add(&b, n, &e);            // valid until more is added
//     if (bytes_puts(&b, name, &e)) ...
//     free(b.p);
#ifndef LCTOOL_IO_BYTES_H
#define LCTOOL_IO_BYTES_H

#include <stddef.h>
#include <stdint.h>

#include "io/err.h"

struct bytes {
    uint8_t *p;
    size_t n, cap;
};

// Room for MORE bytes after the first n, zeroed and counted in n. NULL when memory is out.
uint8_t *bytes_add(struct bytes *b, size_t more, struct err *e);

// Appends N bytes, the text S without its NUL, or a number of 8 bytes as io/cursor.h reads it.
int bytes_put(struct bytes *b, const void *data, size_t n, struct err *e);
int bytes_puts(struct bytes *b, const char *s, struct err *e);
int bytes_put_u64(struct bytes *b, uint64_t v, struct err *e);

#endif
