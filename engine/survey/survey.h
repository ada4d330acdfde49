// Questions that no few passages answer: how often something stands in a text, in which lines,
// which words are the most common, what a name leads to by way of others. No model is asked; the
// texts are looked through from the first byte to the last, in memory that does not grow with them.
//
//     struct survey s;
//     if (survey(&s, k, n_k, "How often is the rent mentioned?", 4, e) > 0)
//         puts(s.text); // "rent" stands in the text 17 times.
//     survey_done(&s);
#ifndef LCTOOL_ENGINE_SURVEY_H
#define LCTOOL_ENGINE_SURVEY_H

#include <stddef.h>
#include <stdint.h>

#include "cache/kvz.h"
#include "io/err.h"

// A place that an answer rests on, in a passage: a block of the index, or more where the place goes
// on behind it.
struct survey_place {
    int index;
    uint64_t block;
    const char *document, *text; // valid while the index is open; the passage's text
    uint64_t from, to;           // bytes of the document: the passage,
    uint64_t start, end;         // and the place
    int n;                       // what the answer counts in this passage
};

struct survey {
    char *text; // NUL-terminated
    size_t bytes;
    // [n], in the order of the document, or as they lead from one to the next.
    struct survey_place *places;
    int n, most; // most: what was asked for
};

// Answers QUESTION with at most MOST places: 1, or 0 where it does not ask for such a thing, where
// nothing in the texts says it, or where an index of an earlier version does not have its texts in
// one place. S is to be done in any case.
int survey(struct survey *s, struct kvz *const *k, int n_k, const char *question, int most,
           struct err *e);
void survey_done(struct survey *s);

#endif
