// The rival that a user has at hand, as one more voter: blocks ranked by the words they share with
// the question (Robertson's BM25, k1 1.2, b 0.75).
#ifndef LCTOOL_ENGINE_BM25_H
#define LCTOOL_ENGINE_BM25_H

#include <stdint.h>

#include "cache/kvz.h"
#include "io/err.h"

// The score of every block of all indexes, one after the other, in SCORE; 0: no word in common.
// Words are runs of letters and digits, case folded in ASCII, the same when their first five bytes
// are. COVER, as long: what the words that a block has weigh (their idf), as a share of all words of
// the question; one that no block has weighs most. Reads the text of every block.
int bm25_scores(struct kvz *const *indexes, int n_indexes, const char *question, double *score,
                double *cover, struct err *e);

#endif
