// What the bytes of a text say of its character set.
#ifndef LCTOOL_IO_SOURCE_TALLY_H
#define LCTOOL_IO_SOURCE_TALLY_H

#include <stddef.h>
#include <stdint.h>

struct doc_tally {
    uint8_t part[4]; // of a character that has not come to its end
    size_t n_part;
    uint64_t n_wide, n_bad; // characters of several bytes in UTF-8; bytes that are none
    uint64_t n_controls;    // of those, controls in Latin-1, which texts do not have
    int not_windows;        // one of them is no character in Windows-1252 either
};

void tally_begin(struct doc_tally *t);
void tally_add(struct doc_tally *t, const void *text, size_t n);
void tally_end(struct doc_tally *t); // no more bytes come
// Whether the text is meant as UTF-8, though bytes of it may not be: it has more characters of it
// than such bytes.
int tally_is_utf8(const struct doc_tally *t);
// What a note says of a text of which some bytes are not, and what to do about it, in BUF [cap];
// NULL: all are.
const char *tally_says(const struct doc_tally *t, char *buf, size_t cap);

#endif
