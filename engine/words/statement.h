// Which of several texts a sentence rests on, by the words that they share.
#ifndef LCTOOL_ENGINE_WORDS_STATEMENT_H
#define LCTOOL_ENGINE_WORDS_STATEMENT_H

#include <stddef.h>

// The index of that of TEXTS [n] which shares most words with SENTENCE [bytes]: each word of four
// letters or more counts once, one divided by the number of texts that have it. The first of equal
// ones; 0 when nothing is shared.
int statement_best(const char *sentence, size_t bytes, const char *const *texts, int n);

#endif
