// The members of an archive.
#ifndef LCTOOL_IO_ARCHIVE_ARCHIVE_H
#define LCTOOL_IO_ARCHIVE_ARCHIVE_H

#include <stdint.h>

#include "io/err.h"
#include "io/source/sniff.h"
#include "io/source/source.h"
#include "io/source/stream.h"

struct doc_archive;

struct doc_member {
    const char *name; // fit for a terminal; valid until members_next
    uint64_t size;    // 0 when unknown
    int is_file;
    int is_encrypted; // cannot be read; the members behind it can
};

// Reads the source from where it stands. It is borrowed. An encrypted member of a book
// (sniff_is_book(KIND)) is ERR_UNSUPPORTED.
int members_open(struct doc_archive **out, struct doc_source *s, enum doc_kind kind, struct err *e);
void members_close(struct doc_archive *a);
int members_next(struct doc_archive *a, struct doc_member *m, struct err *e); // 1, 0 or an error
struct doc_stream *members_stream(struct doc_archive *a); // of the current member

#endif
