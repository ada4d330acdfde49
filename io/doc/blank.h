// Documents of white space.
#ifndef LCTOOL_IO_DOC_BLANK_H
#define LCTOOL_IO_DOC_BLANK_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "io/err.h"
#include "io/source/stream.h"

// The white space that a document begins with, held back until something else comes.
enum blank_state {
    BLANK_UNREAD,  // not looked at yet
    BLANK_HOLDS,   // it has more than white space and NULs
    BLANK_EMPTY,   // it has not
    BLANK_NO_TEXT, // what follows a hole is no text either
};

struct doc_blank {
    char held[1 << 16];
    size_t n, at;
    enum blank_state state;
    uint64_t hole; // NUL bytes that were left out before it
};

void blank_begin(struct doc_blank *b); // a new document begins
// Whether a hole was left out, of *BYTES, which is told once.
int blank_tells_hole(struct doc_blank *b, unsigned long long *bytes);
// Reads as far as it takes to know whether there is more than white space and NULs: 1, 0 or an
// error. As many NULs as HELD has room for, and those behind them, are left out.
int blank_look(struct doc_blank *b, doc_read_fn *read, void *from, struct err *e);
// Reads a document as READ (FROM) does; one of white space alone, if it fits HELD, has no bytes.
ssize_t blank_read(struct doc_blank *b, doc_read_fn *read, void *from, void *buf, size_t cap,
                   struct err *e);

#endif
