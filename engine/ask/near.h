// How near the sentences of the indexes are to a question, by the vectors of an embedder: what says
// in other words what is asked has few of its words, and may have few votes. A sentence's nearness
// is the cosine of its vector and the question's, with a part of that of the better one beside it,
// which often names what the sentence is about, and, where the index has vectors of words, for the
// most part how near its words are to the question's, one by one; hardly more than 1.
//
//     struct near *n;
//     if ((rc = near_new(&n, q, e))) ...                      // n NULL: nothing is known
//     double near = near_block(n, global);                    // of the block's nearest sentence
//     near_free(n);
#ifndef LCTOOL_ENGINE_ASK_NEAR_H
#define LCTOOL_ENGINE_ASK_NEAR_H

#include <stdint.h>

#include "io/err.h"

struct asking;
struct near;

// The nearness to Q's question of all sentences that have vectors by the embedder of its
// options. *OUT NULL: there is none, or no such sentence. Q's ballot must be there.
int near_new(struct near **out, const struct asking *q, struct err *e);
void near_free(struct near *n); // accepts NULL
// The largest nearness of a sentence most of which is in block GLOBAL; 0: there is none.
double near_block(const struct near *n, int64_t global);
// The token of block GLOBAL of Q's ballot with which that sentence begins, or its first one.
int near_token(const struct near *n, const struct asking *q, int64_t global, uint32_t *token,
               struct err *e);
// Of the blocks whose largest nearness is less than BELOW the one with the largest, *GLOBAL.
// Returns that, 0: there is none.
double near_best(const struct near *n, double below, int64_t *global);
// The largest nearness of a sentence that shares half of its bytes, or of these, with bytes START
// to END of DOCUMENT of index INDEX; 0: there is none.
double near_bytes(const struct near *n, int index, uint32_t document, uint64_t start, uint64_t end);
// The largest cosine of a sentence that begins in bytes START to END of DOCUMENT of index INDEX and
// one that begins behind them, before LAST: whether both are about the same; 0: there is none.
double near_alike(const struct near *n, int index, uint32_t document, uint64_t start, uint64_t end,
                  uint64_t last);
// How near the words of Q's question are to those of TEXT, the farthest ones above all, *LEAST
// (near_words_least); NOT_KNOWN (confidence.h) where one has no words.
int near_least(const struct near *n, const struct asking *q, const char *text, double *least,
               struct err *e);

#endif
