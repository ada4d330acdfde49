// The sentences that say most of a part of a document: what a summary is written from, and what it
// falls back on.
#ifndef LCTOOL_ENGINE_SUMMARIZE_POINTS_H
#define LCTOOL_ENGINE_SUMMARIZE_POINTS_H

#include "engine/ask/evidence.h"
#include "engine/passage/sentence.h"

struct point {
    struct sentence v;
    char *heading;          // the heading above it; NULL or empty: none
    uint64_t block;         // the block that it begins in
    int whole;              // 1: it is all of the block
    double mass;            // attention received by the block
    double stands;          // stands_alone, and more for one that begins a section
    double worth;           // see points_new
    uint64_t of_heading;    // sentences.of_heading
    int words, part, taken; // number of words; which equal part it is in; 1: it was taken
    int64_t times;          // number of lines of its kind; 0: it is no line of a log
};
struct sentences;
// The sentence that W is at; its worth is not known yet.
int point_new(struct point *x, const struct sentences *w, double stands, struct err *e);
void point_done(struct point *x);

struct points {
    struct point *v; // [n], in document order, unless they are kinds (kinds.h)
    int n;
    size_t cap;
};

// Takes sentences of about WORDS words together from blocks FROM .. TO - 1 of K, in document order;
// with HALF of at most half of all words there, because more is no summary.
//
// The sentence that is worth most is taken next. A sentence is worth the mean of its words, of five
// at least, each counted once; a word is worth its share of all words there, less when a sentence
// that was taken has it, so that what is said often is said once (SumBasic: Nenkova and
// Vanderwende, The Impact of Frequency on Summarization, 2005). The first sentence under a heading
// is worth more, one that says little alone less. The text is divided into as many equal parts as
// sentences will be taken, and each sentence taken from a part halves the worth of the others there
// (Lin and Bilmes, A Class of Submodular Functions for Document Summarization, 2011). Lines that
// are no prose are taken only where there is next to nothing else.
int points_new(struct points *p, struct kvz *k, uint64_t from, uint64_t to, int words, int half,
               struct err *e);
// Takes the whole BLOCKS [n].
int points_of_blocks(struct points *p, const struct kvz *k, const uint64_t *blocks, int n,
                     struct err *e);
void points_done(struct points *p);
// The words of TEXT [n], as WORDS counts them: what stands between white space.
int points_words(const char *text, size_t n);
// *OUT: their text, in document order, a line each; the caller frees it.
int points_text(char **out, const struct points *p, struct err *e);
// The passage that X is in, widened to all of X.
int point_evidence(struct evidence *v, const struct point *x, struct kvz *k, struct err *e);
// *BEST: the point that SENTENCE [n] shares most words with; NULL when P is empty.
int points_best(const struct point **best, const struct points *p, const char *sentence, size_t n,
                struct err *e);

#endif
