// Where characters of UTF-8 begin and end.
//
//     n = utf8_fit(text, n, room);              // what fits, in whole characters
#ifndef LCTOOL_IO_UTF8_H
#define LCTOOL_IO_UTF8_H

#include <stddef.h>

// The first byte of the character that byte AT of TEXT is of; AT, where that is no UTF-8.
size_t utf8_border(const char *text, size_t at);
// Bytes of TEXT [n] up to MOST of them, without a part of a character that ends beyond.
size_t utf8_fit(const char *text, size_t n, size_t most);

#endif
