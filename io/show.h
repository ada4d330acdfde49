// Bytes that nobody vouches for, made fit for a terminal.
//
//     char name[64];
//     err_set(e, ERR_FORMAT, "%s: key '%s' appears twice", path,
//             show_bytes(key.s, key.n, name, sizeof name));
//
// Control characters (also the Unicode ones that turn the direction of text) and bytes that are
// not UTF-8 become '?'; what does not fit is cut between characters and ends in "...".
#ifndef LCTOOL_IO_SHOW_H
#define LCTOOL_IO_SHOW_H

#include <stddef.h>

#include "io/err.h"

// Writes N bytes of S into BUF (CAP >= 8, NUL included) and returns BUF.
const char *show_bytes(const void *s, size_t n, char *buf, size_t cap);

// The name of a file as the name of a document: the same bytes, in which what show_bytes() makes a
// '?' is written as in C: \n, \x1b, \u202e. A backslash stays one, as archives made on Windows have
// it between folders, so a file may be named as another one is shown. To be freed.
char *show_name(const char *s, struct err *e);

#endif
