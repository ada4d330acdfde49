// The bytes by which a format is known.
#ifndef LCTOOL_IO_SOURCE_MAGIC_H
#define LCTOOL_IO_SOURCE_MAGIC_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Whether byte AT of HEAD [n] begins what MAGIC [n_magic] has.
static inline int sniff_has(const uint8_t *head, size_t n, size_t at, const char *magic,
                            size_t n_magic)
{
    return n >= at + n_magic && !memcmp(head + at, magic, n_magic);
}
#define DOC_MAGIC(s) s, sizeof s - 1

#endif
