// In which order the chapters of an EPUB are read.
#ifndef LCTOOL_IO_ARCHIVE_EPUB_H
#define LCTOOL_IO_ARCHIVE_EPUB_H

#include <stddef.h>

#include "io/err.h"
#include "io/source/source.h"

// A part of a book, its place among the members, and when it is read: by rank, and by name where
// ranks are equal.
struct doc_chapter {
    char *name;
    size_t place, rank;
};

// Sets the ranks of the N chapters V of an EPUB to their places in its spine; N for chapters that
// the spine does not name, and for all when the book has no spine that can be read. *LACKS says
// what is named and is not in the book, to be freed; it stays as it is where nothing is.
int epub_rank(struct doc_source *s, struct doc_chapter *v, size_t n, char **lacks, struct err *e);

#endif
