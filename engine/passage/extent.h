// A sentence and what it is read with, as places in the text around its block.
//
//     struct extent f;
//     rc = extent_new(&f, k, block, &token, 0, question, e);  // f.c.text[f.from..f.to)
//     stretch_done(&f.near.s);                                // even where it failed
#ifndef LCTOOL_ENGINE_PASSAGE_EXTENT_H
#define LCTOOL_ENGINE_PASSAGE_EXTENT_H

#include "engine/passage/vicinity.h"
#include "engine/sentences/cut.h"

struct extent {
    struct vicinity near;
    struct lines c; // of near
    size_t from, to;
    size_t own;                 // where the sentence itself begins
    size_t lead, lead_end;      // as of company_extend
    int is_sentence;            // 0: it is all of the block
    int refers;                 // company_refers
    int speaks;                 // 1: what leads it in is the name of who says it
    int cut_before, cut_behind; // whether clauses of it are left out
};

// Finds the sentence around *TOKEN of BLOCK, with the ON sentences behind it; of a long one, where
// QUESTION is not NULL, what that asks for. F->near is the caller's to release even where it
// failed.
int extent_new(struct extent *f, const struct kvz *k, uint64_t block, const uint32_t *token, int on,
               const char *question, struct err *e);
// Whether byte AT of F is within a sentence.
int extent_within(const struct extent *f, size_t at);
// Where the token at byte AT of V's own block says something: past the space before a word. A stop
// has none.
size_t extent_says(const struct vicinity *v, size_t at);
// The sentence of V, around BLOCK, in which TOKEN says something, at byte *AT of the block.
int extent_sentence(struct lines *c, const struct vicinity *v, const struct kvz *k, uint64_t block,
                    uint32_t token, size_t *at, size_t *from, size_t *to, struct err *e);
// The end of the ON-th sentence behind byte TO; of the last one where there are fewer.
size_t extent_end_behind(const struct lines *c, size_t to, int on);
// Whether text[FROM..TO) ends with the line that names the columns of a table: the next one is a
// row, or a rule between them.
int extent_head_ends(const struct lines *c, size_t from, size_t to);
// The same of columns that are divided by blanks, with rows below them.
int extent_names_columns(const struct lines *c, size_t from, size_t to);

#endif
