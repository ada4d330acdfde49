// A question in the words of the texts: a "blinking light" is what they call a "flashing lamp", "by
// default" what is so "as delivered".
#ifndef LCTOOL_ENGINE_SURVEY_SAME_WORDS_H
#define LCTOOL_ENGINE_SURVEY_SAME_WORDS_H

#include "cache/kvz.h"

// Makes of QUESTION one with words that the texts of K [n_k] have for those of its words that they
// have nowhere: 1 with *OUT, which the caller frees, 0 where there are none, or an error.
int same_words(struct kvz *const *k, int n_k, const char *question, char **out, struct err *e);

#endif
