// A text file that the command line names, which may be "-", standard input.
//
//     struct textfile t;
//     if (textfile_open(&t, path, &e)) ...
//     while ((rc = textfile_line(&t, '\n', &line, &cap, &n, &e)) == 1) ...
//     int cut = textfile_close(&t, rc ? NULL : &e);
//     free(line);
#ifndef LCTOOL_CMD_TEXTFILE_H
#define LCTOOL_CMD_TEXTFILE_H

#include <stddef.h>
#include <stdio.h>

#include "io/err.h"

struct textfile {
    FILE *f;
    const char *name; // for messages; the path is borrowed
    long n_lines;     // read so far
};

enum { TEXTFILE_LINE = 1 << 20 }; // bytes of a line at most: what has longer ones is no list

int textfile_open(struct textfile *t, const char *path, struct err *e);
// The next line to LINE, which grows, its end END with it: N bytes and a NUL. 1, 0 behind the last
// or where reading fails, or an error.
int textfile_line(struct textfile *t, int end, char **line, size_t *cap, size_t *n, struct err *e);
// ERR_IO where it could not be read to its end. After another error E is NULL, so that the first
// one stays.
int textfile_close(struct textfile *t, struct err *e);

#endif
