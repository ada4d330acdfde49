// The inputs of a command: its operands, then the names in a file.
//
//     struct inputs in = {0};
//     if (inputs_add(&in, "book.txt", &e) || inputs_read(&in, "-", 0, &e)) ...
//     ... in.v[0 .. in.n) ...
//     inputs_done(&in);
#ifndef LCTOOL_CMD_INPUTS_H
#define LCTOOL_CMD_INPUTS_H

#include <stddef.h>

#include "io/err.h"

struct inputs {
    char **v;
    size_t n, cap;
};

// ERR_USAGE where NAME is empty.
int inputs_add(struct inputs *in, const char *name, struct err *e);
// Adds each name in the file at PATH, "-" is standard input: one a line, which may end in CR LF,
// the first one behind a byte order mark, or with NULS up to a NUL each, so that it may have a
// newline. A name is always a file's: "-" is not standard input there. ERR_USAGE where there is no
// name.
int inputs_read(struct inputs *in, const char *path, int nuls, struct err *e);
void inputs_done(struct inputs *in);

#endif
