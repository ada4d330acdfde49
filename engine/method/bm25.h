// The rival that a user has at hand, as one more voter: blocks ranked by the words they share with
// the question (Robertson's BM25, k1 1.2, b 0.75).
#ifndef LCTOOL_ENGINE_METHOD_BM25_H
#define LCTOOL_ENGINE_METHOD_BM25_H

#include <stdint.h>

#include "cache/kvz.h"
#include "io/err.h"

// The words of QUESTION, and of OTHERS, counted in every block once, to be looked at several times.
// Words are those of words.h. Reads the text of every block, with THREADS threads.
struct bm25;
int bm25_new(struct bm25 **out, struct kvz *const *indexes, int n_indexes, const char *question,
             const char *others, int threads, struct err *e);
// The same of words that B, which may be NULL, has counted: nothing is read, and single blocks are
// not known. *OUT NULL: B lacks one of them.
int bm25_of(struct bm25 **out, const struct bm25 *b, const char *question, const char *others,
            struct err *e);
void bm25_free(struct bm25 *b);
// SCORE [blocks of all indexes, one index after the other]: each block's BM25 score; 0: no word in
// common. COVER, likewise: the weight (idf) of the question's words that the block has, as a share
// of the weight of all of them; a word that no block has weighs most.
void bm25_scores(const struct bm25 *b, double *score, double *cover);
// The share of the weight of QUESTION's words that TEXT has, as COVER above.
double bm25_cover(const struct bm25 *b, const char *text);
// The same, and the share of those that no block has, with weights that are never 0, even where
// there are too few blocks to tell how rare a word is.
double bm25_said(const struct bm25 *b, const char *text);
double bm25_nowhere(const struct bm25 *b);
// Whether one of the counted words that TEXT has is in no block.
int bm25_lacks(const struct bm25 *b, const char *text);
// The weight of those words of OTHERS that are rare among the blocks and that TEXT, or BLOCK, has.
double bm25_rare(const struct bm25 *b, const char *text);
double bm25_rare_in(const struct bm25 *b, int64_t block);

#endif
