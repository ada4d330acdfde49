// How near sentences are to a question word for word: each word of the question has its nearest one
// in a sentence, as both are meant where they stand (late interaction; Khattab and Zaharia, 2020,
// equation 3).
#ifndef LCTOOL_ENGINE_ASK_NEAR_WORDS_H
#define LCTOOL_ENGINE_ASK_NEAR_WORDS_H

#include "cache/kvz.h"
#include "io/err.h"

struct device;

enum { NEAR_WORDS_MOST = 64 }; // of a question: those that follow do not count

// Whether the sentences before and behind number I of S are there and of its document.
struct beside {
    int before, behind;
};
static inline struct beside beside_of(const struct kvz_sentences *s, uint64_t i)
{
    return (struct beside){i && s->v[i - 1].document == s->v[i].document,
                           i + 1 < s->n && s->v[i + 1].document == s->v[i].document};
}

// OUT [s->n]: of each sentence of S the mean over the N words Q [n][w->wide] of a question, N >= 1,
// of the cosine of the nearest one of its words W, as reduced there, 0 where that is less; or a
// part of what the better one of the sentences beside it has of that word, where that is more.
// Scanned by D, whose memory is plain. ERR_NOMEM.
int near_words(const struct kvz_sentences *s, const struct kvz_words *w, struct device *d,
               const float *q, int n, float *out, struct err *e);

// How near the N words of a question Q [n][wide], N >= 1, are to those of a text WORDS
// [n_words][wide], unit vectors, the farthest ones above all: of the cosines of the nearest one of
// each the mean, softened to the least of them. NOT the mean: a question that the text nearly
// answers shares all words with it but one.
double near_words_least(const float *q, int n, const float *words, int n_words, int wide);

#endif
