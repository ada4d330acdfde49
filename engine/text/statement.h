// Whether a text is prose, and which of several texts a sentence rests on, by the words that they
// share.
#ifndef LCTOOL_ENGINE_STATEMENT_H
#define LCTOOL_ENGINE_STATEMENT_H

#include <stddef.h>

// Whether TEXT ends as a sentence does: no line of a table, a log or the like.
int statement_is_prose(const char *text);

// The one of N texts that shares most with the sentence: each word of four letters and more counts
// once, by one over the number of texts that have it. The first of equals; 0 when nothing is
// shared.
int statement_best(const char *sentence, size_t bytes, const char *const *texts, int n);

#endif
