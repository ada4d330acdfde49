// The text of blocks that follow one another in a document.
//
//     struct stretch s = {0};
//     rc = stretch_new(&s, k, document, first, end, at, e); // s.text [s.n], from byte s.start
//     stretch_cut(&s, from, to);
//     stretch_done(&s);                                     // even where it failed
#ifndef LCTOOL_ENGINE_PASSAGE_STRETCH_H
#define LCTOOL_ENGINE_PASSAGE_STRETCH_H

#include <stddef.h>

#include "cache/kvz.h"
#include "io/err.h"

struct stretch {
    char *text;     // [n], and a NUL; those that the document has are blanks
    size_t n;       // bytes
    uint64_t start; // byte of the document
};

// Of the blocks FIRST .. END - 1 of K those of DOCUMENT. AT, which may be NULL: [END - FIRST + 1]
// the byte of S->text where each of them begins, and S->n. A damaged index may say that they lie
// anywhere, so their bytes are counted, not taken from where the first and the last one lie.
int stretch_new(struct stretch *s, const struct kvz *k, uint64_t document, uint64_t first,
                uint64_t end, size_t *at, struct err *e);
// Leaves bytes FROM .. TO - 1 of its text.
void stretch_cut(struct stretch *s, size_t from, size_t to);
void stretch_done(struct stretch *s);

#endif
