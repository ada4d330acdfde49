// Where a command writes: the index's name, and whether it can be written there.
#ifndef LCTOOL_CMD_OUTPUT_H
#define LCTOOL_CMD_OUTPUT_H

#include <limits.h>
#include <stddef.h>

#include "cmd/inputs.h"
#include "io/err.h"

enum output_use {
    OUTPUT_NEW,
    OUTPUT_FORCE,  // replaces the index that is there
    OUTPUT_APPEND, // adds to it
};

// The index's name for an input: "dir/book.txt.gz" gives "book.kvz", a directory "docs/"
// "docs.kvz".
int output_name(char *buf, size_t cap, const char *input, struct err *e);
// OUT or, when that is a link, the file that it leads to, so that the link stays.
const char *output_place(const char *out, char buf[PATH_MAX]);
// A file that the command reads, and WHAT it is to it; PATH may be NULL.
struct output_read {
    const char *what, *path;
};
// ERR_USAGE where OUT is one of the N files R.
int output_apart(const char *out, const struct output_read *r, size_t n, struct err *e);
// 0, or an error that says why no file can be written as OUT, before minutes or hours of work.
int output_writable(const char *out, struct err *e);
// The same for an index, and whether USE fits what is there: OUT must not be one of the inputs,
// must exist with OUTPUT_APPEND, must not be there with OUTPUT_NEW unless what takes its place was
// begun, and be nothing but an index or empty with OUTPUT_FORCE.
int output_check(const char *out, enum output_use use, const struct inputs *in, struct err *e);

#endif
