// The texts of all documents of some indexes, one after the other, where they lie in the files. A
// document that several of the indexes have is there once.
//
//     struct texts t;
//     texts_begin(&t, k, n_k);
//     while ((rc = texts_next(&t, e)) > 0)
//         look_at(t.text, t.n);
#ifndef LCTOOL_ENGINE_LOOKUP_TEXTS_H
#define LCTOOL_ENGINE_LOOKUP_TEXTS_H

#include <stddef.h>
#include <stdint.h>

#include "cache/kvz.h"
#include "engine/words/text_span.h"
#include "io/err.h"

struct texts {
    struct kvz *const *k; // [n_k] borrowed
    int n_k, index;       // the index that the document is of
    uint64_t next;        // number of its next document
    struct kvz_document d;
    const char *text; // [n] of the document
    size_t n;
};

void texts_begin(struct texts *t, struct kvz *const *k, int n_k);
// 1: the next document is there, 0: there is none. ERR_FORMAT where an index is damaged.
int texts_next(struct texts *t, struct err *e);
// Whether all of the indexes have their texts in one place, unlike those of earlier versions: 1, 0,
// or an error.
int texts_are_there(struct kvz *const *k, int n_k, struct err *e);

// The next place in the texts where NAME stands exactly as it is written, from byte *AT of T's
// document on; *AT becomes its first byte. 1, 0 when there is none, or an error. Call texts_begin
// and set *AT to 0 before the first call.
int texts_find(struct texts *t, const char *name, size_t *at, struct err *e);

// The block of K's document D that has byte AT: its number and entry.
int texts_block(const struct kvz *k, const struct kvz_document *d, uint64_t at, uint64_t *block,
                struct kvz_block *b, struct err *e);

// The line around byte AT of TEXT [n]; and the sentence (cut.h).
struct span_of_text texts_line(const char *text, size_t n, size_t at);
struct span_of_text texts_sentence(const char *text, size_t n, size_t at);

#endif
