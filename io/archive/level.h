// A file, or a member of the archive that holds it, which may be an archive itself.
#ifndef LCTOOL_IO_ARCHIVE_LEVEL_H
#define LCTOOL_IO_ARCHIVE_LEVEL_H

#include <stddef.h>
#include <stdint.h>

#include "io/archive/archive.h"
#include "io/archive/epub.h"
#include "io/err.h"
#include "io/source/sniff.h"
#include "io/source/source.h"

struct doc_level {
    struct doc_source *source;
    char *name;                  // as messages and documents have it
    struct doc_archive *members; // of the source, where it is an archive
    enum doc_kind book;          // DOC_EPUB, DOC_DOCX, DOC_ODT, or 0: every member is a document
    int is_listed; // of a book that can be read out of order, by the names of its chapters:
    struct doc_chapter *chapters;
    size_t n_chapters, cap_chapters, at_chapter;
    size_t at_place; // of the member that comes next
    char *lacks;     // what a listed book names and has not: for a note; NULL: nothing
    int has_text;    // a member has been found that is a document
    int has_begun;   // a document of it has been handed out
    int has_given;   // one that has text
    int is_locked;   // a member is encrypted
};

// Opens the source of L, which has only been peeked at, as an archive of KIND.
int level_unpack(struct doc_level *l, enum doc_kind kind, struct err *e);
// The next member that may be a document: 1, 0 after the last, or an error.
int level_next(struct doc_level *l, struct doc_member *m, struct err *e);
// How many of the SIZE bytes of L's source have been read, or come to the same: a book's chapters
// are read out of order, and a document whose source was read at once tells how much of its text
// was taken, PART, 0 to 1; negative: it does not.
uint64_t level_done(const struct doc_level *l, double part, uint64_t size);
void level_close(struct doc_level *l);

#endif
