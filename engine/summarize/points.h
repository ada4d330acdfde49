// The sentences that say most of a part of a document: what a summary is written from, and what it
// falls back on.
#ifndef LCTOOL_ENGINE_POINTS_H
#define LCTOOL_ENGINE_POINTS_H

#include "engine/ask/evidence.h"
#include "engine/ask/sentence.h"

struct point {
    struct sentence v;
    char *heading;  // that it stands under; NULL or empty: none
    uint64_t block; // that it begins in
    int whole;      // it is all of the block
    double mass;    // attention received by the block
    double stands;  // see stands.h; more for one that leads
    double worth;   // see points_new
    uint64_t of_heading;
    int words, part, taken;
    int64_t times; // lines of its kind; 0: it is no line of a log
};
struct sentences;
// The sentence at which W stands, which is worth nothing yet.
int point_new(struct point *x, const struct sentences *w, double stands, struct err *e);
void point_done(struct point *x);

struct points {
    struct point *v; // [n], in document order, unless they are kinds (kinds.h)
    int n;
    size_t cap;
};

// Of the blocks FROM .. TO of K sentences of about WORDS words together, in document order; with
// HALF of no more than half of all there are, for what is longer is no summary of them. A
// sentence is worth what its words are on average, each counted once; a word is worth its share of
// all words there, less when a sentence that was taken has it, so that what is said often is said
// once (SumBasic: Nenkova and Vanderwende, The Impact of Frequency on Summarization, 2005). It is
// worth more as the first one under its heading, less where it says little alone, and half as much
// with each that was taken of the same one of as many equal parts as there is to be one of each
// (Lin and Bilmes, A Class of Submodular Functions for Document Summarization, 2011). What is no
// prose is taken where there is next to nothing else.
int points_new(struct points *p, struct kvz *k, uint64_t from, uint64_t to, int words, int half,
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
