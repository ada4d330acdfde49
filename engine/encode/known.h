// Documents that an index which grows has already: one of the same name and the same text is not
// added a second time.
//
//     struct known *k;
//     if ((rc = known_open(&k, "book.kvz", &e))) ...
//     struct known_source in = {.docs = reader};
//     if ((rc = known_look(k, &in, "a.txt", &e)) < 0) ...    // 1: it is there, and has been read
//     while ((n = known_read(&in, buf, cap, &e)) > 0) ...    // what was compared comes again
//     known_free(k);
#ifndef LCTOOL_ENGINE_ENCODE_KNOWN_H
#define LCTOOL_ENGINE_ENCODE_KNOWN_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "io/doc/doc.h"
#include "io/err.h"

struct known;

// The document that DOCS is at. What was read for comparing is not buffered, because the index has
// it too, but for the last piece, which differs; so memory does not grow with the document.
struct known_source {
    struct doc_reader *docs;
    const char *same; // [n_same] bytes that were equal, in the map of the index
    size_t n_same;
    char *rest; // [n_rest] bytes that were read and differ, at byte AT of this allocation
    size_t at, n_rest;
    int has_ended;
};

// Opens the index at PATH to compare with. One of an earlier version, which does not keep its texts
// in one place, knows no documents.
int known_open(struct known **out, const char *path, struct err *e);
void known_free(struct known *k); // accepts NULL
uint64_t known_file_bytes(const struct known *k);
const struct kvz *known_index(const struct known *k); // valid until known_free

// Compares the document with those of K that are called NAME. 1: K has the same text, and the
// reader is at the document's end; 0: it has not, and known_read gives the document from its
// beginning; or an error of the reader. *OTHER: 1 when K has a document of that name with another
// text.
int known_look(const struct known *k, struct known_source *in, const char *name, int *other,
               struct err *e);
// As doc_read.
ssize_t known_read(struct known_source *in, void *buf, size_t cap, struct err *e);
void known_source_done(struct known_source *in);

#endif
