// The files below a path.
#ifndef LCTOOL_IO_DOC_WALK_H
#define LCTOOL_IO_DOC_WALK_H

#include <stdint.h>

#include "io/err.h"
#include "io/source/stream.h"

#define WALK_NO_TEXT "no text in it; passed over" // of a directory or an archive

struct doc_walk;

struct doc_file {
    const char *path; // valid until walk_next
    uint64_t size;    // of a regular file, else 0
    int is_regular;
    int in_dir;        // 1: found in a directory or a list, not named by the user
    uint64_t dev, ino; // identify the file, whatever its name
};

// NOTE and OUT (doc_options) may be NULL. Directories come in byte order of names, each file before
// what follows it.
int walk_open(struct doc_walk **walk, const char *path, const char *out, doc_note_fn *note,
              void *arg, struct err *e);
void walk_close(struct doc_walk *w);
int walk_next(struct doc_walk *w, struct doc_file *f, struct err *e); // 1, 0 or an error
// A text has been found; of a directory in which none is, there is a note at its end. W may be
// NULL.
void walk_found(struct doc_walk *w);

#endif
