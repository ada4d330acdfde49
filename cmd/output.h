// Where encode writes: the index's name, and whether it can be written there.
#ifndef LCTOOL_CMD_OUTPUT_H
#define LCTOOL_CMD_OUTPUT_H

#include <limits.h>
#include <stddef.h>

#include "cmd/inputs.h"
#include "io/err.h"

enum output_use {
    OUTPUT_NEW,
    OUTPUT_FORCE,  // replaces what is there
    OUTPUT_APPEND, // adds to it
};

// The index's name for an input: "dir/book.txt.gz" gives "book.kvz", a directory "docs/"
// "docs.kvz".
int output_name(char *buf, size_t cap, const char *input, struct err *e);
// OUT, or where the link OUT leads to: what is written there leaves the link as it is.
const char *output_place(const char *out, char buf[PATH_MAX]);
// Whether a file can be written as OUT, which is to be known before minutes or hours of work.
int output_writable(const char *out, struct err *e);
int output_check(const char *out, enum output_use use, const struct inputs *in, struct err *e);

#endif
