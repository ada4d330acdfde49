// The passages that an answer or a summary rests on.
#ifndef LCTOOL_ENGINE_EVIDENCE_H
#define LCTOOL_ENGINE_EVIDENCE_H

#include "engine/answer/shown.h"
#include "engine/engine.h"

struct asking;

// The passage of one block, for an answer; its focus is all of it.
int evidence_of(struct evidence *v, const struct kvz *k, int index, uint64_t block, double score,
                struct err *e);
// The N blocks of ORDER that are in L, by falling mass, in the places that they have together.
void evidence_by_mass(int64_t *order, int64_t n, const struct shown_list *l);
// OUT [n]: of VOTES [n] and WORDS [n_words] by turns the next one that is not TAKEN [all blocks]
// yet, first of VOTES.
void evidence_by_turns(const int64_t *votes, const int64_t *words, int64_t n_words, int64_t n,
                       unsigned char *taken, int64_t *out);

// The passages that the answer rests on: after it is written, where one is.
int evidence_gather(struct asking *q, struct err *e);
// The focus of evidence V becomes the sentence around TOKEN of its block and the ON sentences
// behind it; where these begin before the block or go on behind it, the passage does so with them.
int evidence_focus(struct evidence *v, const struct kvz *k, uint32_t token, int on, struct err *e);
// Leaves of V what none of the N passages BETTER has: 0 where that is nothing, and V stays as it
// is, else 1. A focus of which nothing is left becomes all of it.
int evidence_apart(struct evidence *v, const struct evidence *better, int n);

#endif
