// The character set of a document, by its first bytes.
#ifndef LCTOOL_IO_SOURCE_SNIFF_CHARSET_H
#define LCTOOL_IO_SOURCE_SNIFF_CHARSET_H

#include <stddef.h>
#include <stdint.h>

// Whether the bytes are UTF-8; the last character of a full head may be cut off.
int sniff_is_utf8(const uint8_t *head, size_t n);
// "utf-16" or "utf-32" where a byte order mark of that comes first; else NULL.
const char *sniff_mark(const uint8_t *head, size_t n);
// "utf-16le" or "utf-16be" where the bytes look like that, mostly of ASCII and without a byte order
// mark; else NULL.
const char *sniff_utf16(const uint8_t *head, size_t n);
// The character set of an HTML document: byte order mark, then <meta>, then what the bytes allow.
// Returns 0 where it had to be guessed.
int sniff_charset(const uint8_t *head, size_t n, char *charset, size_t cap);

#endif
