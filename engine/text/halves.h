// What is asked, in English: questions of two halves ("Who pays the rent and when does the lease
// end?"), and what is said before them.
#ifndef LCTOOL_ENGINE_HALVES_H
#define LCTOOL_ENGINE_HALVES_H

#include "io/err.h"

// The two questions that QUESTION joins by "and", for the caller to free; behind the second one
// stands, in brackets, what the first is about where the second says "it" or the like. Returns 1,
// or 0 where it is one question, as anything of more than a kilobyte is.
int halves_split(const char *question, char **first, char **second, struct err *e);

// Behind what is said before it ("Answer in a few words."), the question of QUESTION, which begins
// with "who" or the like; all of QUESTION where there is none.
const char *question_itself(const char *question);

// Whether QUESTION asks, in English, for all or each of several things.
int asks_for_several(const char *question);

#endif
