// The sentences that say most of a part of a document: what a summary is written from, and what it
// falls back on.
#ifndef LCTOOL_ENGINE_POINTS_H
#define LCTOOL_ENGINE_POINTS_H

#include "engine/ask/evidence.h"
#include "engine/ask/sentence.h"

struct point {
    struct sentence v;
    uint64_t block; // that it begins in
    int whole;      // it is all of the block
    double mass;    // attention received by the block that it was found in
    double worth;   // see points_new
};
struct points {
    struct point *v; // [n], in document order
    int n;
    size_t cap;
};

// Of the blocks FROM .. TO of K sentences of TOKENS tokens together, spread over all of it: of each
// of as many equal parts as TOKENS has blocks, those of its eight blocks that received most
// attention, the worthiest first. A sentence is worth what its words are, each counted once, over
// the square root of their number; a word is worth its share of all words that were looked at,
// squared with each sentence taken that has it (SumBasic: Nenkova and Vanderwende, The Impact of
// Frequency on Summarization, 2005), so that what is said often is said once. What is no prose
// counts little. Where a block has no sentences, all of it is one.
int points_new(struct points *p, const struct kvz *k, uint64_t from, uint64_t to, int tokens,
               struct err *e);
// The blocks themselves, BLOCKS [n].
int points_of_blocks(struct points *p, const struct kvz *k, const uint64_t *blocks, int n,
                     struct err *e);
void points_done(struct points *p);
// Their text, in document order, a line each; the caller frees it.
int points_text(char **out, const struct points *p, struct err *e);
// The passage of one.
int point_evidence(struct evidence *v, const struct point *x, const struct kvz *k, struct err *e);
// The one that a sentence [n] shares most words with; NULL: there are none. Returns an error or 0.
int points_best(const struct point **best, const struct points *p, const char *sentence, size_t n,
                struct err *e);

#endif
