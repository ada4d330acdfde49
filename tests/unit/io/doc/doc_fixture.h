// What the tests of document readers share: writing inputs, and saying what is to be read from
// them.
#ifndef LCTOOL_TESTS_UNIT_IO_DOC_DOC_FIXTURE_H
#define LCTOOL_TESTS_UNIT_IO_DOC_DOC_FIXTURE_H

#include <stddef.h>

#include "io/err.h"

void put_bytes(const char *path, const void *p, size_t n);
void put_text(const char *path, const char *s);
void put_utf16(const char *path, const char *ascii, int is_big); // with a byte order mark
char *slurp(const char *path, size_t *n);                        // to be freed

struct member {
    const char *name, *text;
    size_t n; // 0: strlen
};

enum format { RAW, TAR, ZIP, SEVEN };

// 1: in zips a member "mimetype" is compressed, too.
extern int zip_deflates_all;

// FILTER: a compression of libarchive's, or NULL.
void put_archive(const char *path, enum format format, const char *filter, const struct member *m,
                 size_t n);
void put_packed(const char *path, const char *filter, const void *p, size_t n); // no archive

// Has a member of the zip PATH, counted from 0, say that it is encrypted.
void lock_member(const char *path, size_t member);

// What the last reading said, a line each.
extern char notes[4096];

// All documents as "name|format|text;", read in pieces of STEP bytes; NULL with ERR filled in.
char *read_all(const char *const *inputs, int n, const char *format, size_t step, struct err *e);

void expect(const char *input, const char *expected);
void expect_as(const char *input, const char *format, const char *expected);
void expect_stdin(const char *path, const char *expected); // from a file, through a pipe
void expect_error(const char *input, int code, const char *why);

// Whether reading INPUT fails; if it does not, its text is TEXT.
int fails(const char *input, const char *text);

#endif
