// Questions that no few passages answer: how often something stands in a text, in which lines,
// which words are the most common, what a name leads to by way of others; and those that are
// answered better by looking them up: a section, a list, the first or last of something, an entry
// of a change log, a cell or rows of a table, a field of a record, a term of a manual, what a term
// or a code means, who is called something, who wrote or signed it, how something in a log ended.
// No model is asked; the texts are looked through from the first byte to the last, in memory that
// does not grow with them.
//
//     struct lookup_answer s;
//     if (survey(&s, k, n_k, "How often is the rent mentioned?", 4, e) > 0)
//         puts(s.text); // "rent" stands in the text 17 times.
//     lookup_answer_done(&s);
#ifndef LCTOOL_ENGINE_SURVEY_SURVEY_H
#define LCTOOL_ENGINE_SURVEY_SURVEY_H

#include "cache/kvz.h"
#include "engine/lookup/answer.h"
#include "io/err.h"

// Answers QUESTION from indexes K [n_k] with at most MOST places. 1, or 0 when it is no such
// question, when nothing in the texts answers it, or when an index of an earlier version does not
// have its texts in one place; or an error. S is the caller's to release in any case.
int survey(struct lookup_answer *s, struct kvz *const *k, int n_k, const char *question, int most,
           struct err *e);

#endif
