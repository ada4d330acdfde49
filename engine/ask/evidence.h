// The passages that an answer or a summary rests on.
#ifndef LCTOOL_ENGINE_ASK_EVIDENCE_H
#define LCTOOL_ENGINE_ASK_EVIDENCE_H

#include "engine/answer/attention.h"
#include "engine/engine.h"

struct asking;

// The passage of one block; its focus is all of it.
int evidence_of(struct evidence *v, const struct kvz *k, int index, uint64_t block, double score,
                struct err *e);
// Sorts those of ORDER's N blocks that are in L among themselves, by falling mass; the others stay
// where they are.
void evidence_by_mass(int64_t *order, int64_t n, const struct attention *l);
// Merges two rankings of blocks: OUT [n] gets by turns the next block of VOTES [n] and of WORDS
// [n_words], VOTES first, that is not yet TAKEN [all blocks].
void evidence_by_turns(const int64_t *votes, const int64_t *words, int64_t n_words, int64_t n,
                       unsigned char *taken, int64_t *out);

// Fills in the passages of q->a; after the answer is written, if one is.
int evidence_gather(struct asking *q, struct err *e);
// Sets the focus of V to the sentence around TOKEN of its block and the ON sentences behind it, and
// extends the passage where these begin before the block or end after it.
int evidence_focus(struct evidence *v, const struct kvz *k, uint32_t token, int on, struct err *e);
// The same with bytes START to END of its document.
int evidence_show(struct evidence *v, const struct kvz *k, uint64_t start, uint64_t end,
                  struct err *e);
// Adds to V, a passage of K, what it lacks of the words at its ends, or, where these are endless,
// of the characters: blocks end where tokens do.
int evidence_whole(struct evidence *v, struct kvz *k, struct err *e);
// The passage of one block with bytes START to END of its document, its focus, in whole words; no
// votes gave it a score. After an error V's text may be there.
int evidence_at(struct evidence *v, struct kvz *k, int index, uint64_t block, uint64_t start,
                uint64_t end, struct err *e);
// Cuts from V what any of the N passages BETTER has, and returns 1; or 0, leaving V as it is, when
// but a word's end would be left. A focus that is cut away becomes the whole passage.
int evidence_apart(struct evidence *v, const struct evidence *better, int n);

#endif
