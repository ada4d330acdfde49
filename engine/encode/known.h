// Documents that an index which grows has already: one of the same name and the same text is not
// added a second time.
//
//     struct known *k;
//     if ((rc = known_open(&k, "book.kvz", &e))) ...
//     struct known_source in = {.docs = reader};
//     if ((rc = known_look(k, &in, "a.txt", &e)) < 0) ...    // 1: it is there, and has been read
//     while ((n = known_read(&in, buf, cap, &e)) > 0) ...    // what was compared comes again
//     known_free(k);
#ifndef LCTOOL_ENGINE_KNOWN_H
#define LCTOOL_ENGINE_KNOWN_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "io/doc/doc.h"
#include "io/err.h"

struct known;

// The document that DOCS is at. What has been compared of it lies in the index as well, but for the
// last piece: neither grows with it.
struct known_source {
    struct doc_reader *docs;
    const char *same; // [n_same] in the map of the index
    size_t n_same;
    char *rest; // [n_rest] of what was read and differs, from byte AT of its allocation on
    size_t at, n_rest;
    int has_ended;
};

// An index of an earlier version, which does not keep its texts in one place, knows none.
int known_open(struct known **out, const char *path, struct err *e);
void known_free(struct known *k); // accepts NULL
uint64_t known_file_bytes(const struct known *k);

// Reads the document as far as it is one of K's: 1 when all of it is, which is then at its end; 0,
// after which known_read gives it from its beginning; or an error of the reader. *OTHER: there is
// one of that name.
int known_look(const struct known *k, struct known_source *in, const char *name, int *other,
               struct err *e);
// As doc_read.
ssize_t known_read(struct known_source *in, void *buf, size_t cap, struct err *e);
void known_source_done(struct known_source *in);

#endif
