// How near the sentences of the indexes are to a question, by the vectors of an embedder: what says
// in other words what is asked has few of its words, and may have few votes.
//
//     struct near *n;
//     if ((rc = near_new(&n, q, e))) ...                      // n NULL: nothing is known
//     uint64_t start;
//     double cosine = near_block(n, global, &start);          // of the block's nearest sentence
//     near_free(n);
#ifndef LCTOOL_ENGINE_NEAR_H
#define LCTOOL_ENGINE_NEAR_H

#include <stdint.h>

#include "io/err.h"

struct asking;
struct near;

// The cosines between Q's question and all sentences that have vectors by the embedder of its
// options. *OUT NULL: there is none, or no such sentence. Q's ballot must be there.
int near_new(struct near **out, const struct asking *q, struct err *e);
void near_free(struct near *n); // accepts NULL
// The largest cosine of a sentence most of which is in block GLOBAL, *START its first byte in the
// document; 0: there is none.
double near_block(const struct near *n, int64_t global, uint64_t *start);
// The largest cosine of a sentence that shares half of its bytes, or of these, with bytes START to
// END of DOCUMENT of index INDEX; 0: there is none.
double near_bytes(const struct near *n, int index, uint32_t document, uint64_t start, uint64_t end);

#endif
