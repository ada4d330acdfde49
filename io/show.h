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
#include <stdint.h>

#include "io/err.h"

// What a character is to a terminal. Marks of direction (U+200E, U+200F, U+061C) and joiners are
// text: scripts that run from right to left, or join their letters, are written with them.
enum show_class {
    SHOW_TEXT,
    SHOW_COMMAND, // a control character; an override, which makes letters run the wrong way
    // Begins or ends an embedding or an isolate, which changes the order of what follows, also of
    // what is not of the text. Honest text has them too: pdftotext puts them around words.
    SHOW_FRAME,
};
enum show_class show_class(int32_t c);

// Writes N bytes of S into BUF (CAP >= 8, NUL included) and returns BUF.
const char *show_bytes(const void *s, size_t n, char *buf, size_t cap);

// The name of a file as the name of a document: the same bytes, in which what show_bytes() makes a
// '?' is written as in C: \n, \x1b, \u202e. A backslash stays one, as archives made on Windows have
// it between folders, so a file may be named as another one is shown. To be freed.
char *show_name(const char *s, struct err *e);

#endif
