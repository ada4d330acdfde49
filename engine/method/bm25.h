// The rival that a user has at hand, as one more voter: blocks ranked by the words they share with
// the question (Robertson's BM25, k1 1.2, b 0.75).
#ifndef LCTOOL_ENGINE_BM25_H
#define LCTOOL_ENGINE_BM25_H

#include <stdint.h>

#include "cache/kvz.h"
#include "io/err.h"

// The score of every block of all indexes, one after the other, in SCORE; 0: no word in common.
// Words are those of words.h. COVER, as long: what the words that a block has weigh (their idf), as
// a share of all words of the question; one that no block has weighs most. Reads the text of every
// block, with so many THREADS.
int bm25_scores(struct kvz *const *indexes, int n_indexes, const char *question, int threads,
                double *score, double *cover, struct err *e);

// Words counted in every block, for more than one look at them: those of QUESTION, and OTHERS.
struct bm25;
int bm25_new(struct bm25 **out, struct kvz *const *indexes, int n_indexes, const char *question,
             const char *others, int threads, struct err *e);
void bm25_free(struct bm25 *b);
// What of QUESTION's words TEXT has, as COVER above.
double bm25_cover(const struct bm25 *b, const char *text);
// What TEXT has of QUESTION's words, and what no block has of them, as shares of all, where each
// word weighs something, also where there are too few blocks to tell how rare it is.
double bm25_said(const struct bm25 *b, const char *text);
double bm25_nowhere(const struct bm25 *b);
// Whether one of TEXT's words, of the question or others, is in no block.
int bm25_lacks(const struct bm25 *b, const char *text);
// What those of the others weigh that hardly any block has and that TEXT, or BLOCK, has.
double bm25_rare(const struct bm25 *b, const char *text);
double bm25_rare_in(const struct bm25 *b, int64_t block);

#endif
