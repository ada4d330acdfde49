// Sentences of a document, across its blocks.
#ifndef LCTOOL_ENGINE_SENTENCE_H
#define LCTOOL_ENGINE_SENTENCE_H

#include "cache/kvz.h"
#include "engine/text/cut.h"
#include "io/err.h"

struct asking;

// A sentence of a document.
struct sentence {
    int index;           // which of the indexes
    uint32_t document;   // of the index
    uint64_t start, end; // bytes of the document
    char *text; // NUL-terminated; before it, on a line of its own, what leads in the list it is a
                // part of
    size_t own; // the byte of TEXT where the sentence itself begins, which goes on with "it" or the
                // like from what is before that; 0: it does not
    size_t said; // the byte of TEXT where the reply to what is quoted begins; 0: there is none
    int names_columns; // whether it ends with the head of a table, whose rows are below it
};
// The sentence around *TOKEN of BLOCK, whole where it goes on into the block before or after, in
// company where it says little alone (cut.h); all of the block for TOKEN NULL.
int sentence_around(struct sentence *v, const struct kvz *k, uint64_t block, const uint32_t *token,
                    struct err *e);
// Puts the heading that V, around a token of BLOCK, stands under before its text, and an empty line
// between them, where it has a word of QUESTION that V lacks.
int sentence_headed(struct sentence *v, const struct kvz *k, uint64_t block, const char *question,
                    struct err *e);
// The line that names the columns where ROW [n], which begins with byte START of its document and
// is near BLOCK, is one of a table: what is above its rows, or the first line of the document; else
// LINE is empty.
int sentence_table_head(char line[CUT_LONGEST], const struct kvz *k, uint64_t block, uint64_t start,
                        const char *row, size_t n, struct err *e);
// The first token of each sentence of BLOCK, MOST of them at most.
int sentence_tokens(const struct kvz *k, uint64_t block, uint32_t *tokens, int most, int *n,
                    struct err *e);
// The same with the ON sentences behind it, as far as there are any.
int sentence_and_next(struct sentence *v, const struct kvz *k, uint64_t block, uint32_t token,
                      int on, struct err *e);
// The one of a block, by its number in the ballot, where the votes fall, with what it goes on in
// (focus_go_on).
int sentence_new(struct sentence *v, struct asking *q, int64_t global, struct err *e);
void sentence_done(struct sentence *v);
int sentences_overlap(const struct sentence *a, const struct sentence *b);

#endif
