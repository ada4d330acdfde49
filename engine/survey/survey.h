// Questions that no few passages answer: how often something stands in a text, in which lines,
// which words are the most common, what a name leads to by way of others; and those that are
// answered better by looking them up: a section, a list, the first or last of something, an entry
// of a change log, a cell or rows of a table, a field of a record, a term of a manual, what a term
// or a code means, who is called something, who wrote or signed it, how something in a log ended.
// No model is asked; the texts are looked through from the first byte to the last, in memory that
// does not grow with them.
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

// A place that an answer rests on, and the passage around it: a block of the index, extended where
// the place goes on behind the block.
struct survey_place {
    int index;
    uint64_t block;
    const char *document, *text; // valid while the index is open; the passage's text
    uint64_t from, to;           // the passage, bytes of the document, end exclusive
    uint64_t start, end;         // the place in it, likewise
    int n;                       // number of things in this passage that the answer counts
};

struct survey {
    char *text; // NUL-terminated
    size_t bytes;
    struct survey_place *places; // [n] in the order of the document, or as one leads to the next
    int n, most;                 // at most MOST, as survey() was told
};

// Answers QUESTION from indexes K [n_k] with at most MOST places. 1, or 0 when it is no such
// question, when nothing in the texts answers it, or when an index of an earlier version does not
// have its texts in one place; or an error. S is the caller's to release in any case.
int survey(struct survey *s, struct kvz *const *k, int n_k, const char *question, int most,
           struct err *e);
void survey_done(struct survey *s);

#endif
