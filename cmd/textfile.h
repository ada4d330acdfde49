// A text file that the command line names, which may be "-", standard input.
//
//     struct textfile t;
//     if (textfile_open(&t, path, &e)) ...
//     while (getline(&line, &cap, t.f) >= 0) ...
//     rc = textfile_close(&t, &e);
#ifndef LCTOOL_CMD_TEXTFILE_H
#define LCTOOL_CMD_TEXTFILE_H

#include <stdio.h>

#include "io/err.h"

struct textfile {
    FILE *f;
    const char *name; // for messages; the path is borrowed
};

int textfile_open(struct textfile *t, const char *path, struct err *e);
// ERR_IO where it could not be read to its end. After another error E is NULL, so that the first
// one stays.
int textfile_close(struct textfile *t, struct err *e);

#endif
