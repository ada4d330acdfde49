// Questions as they are asked plainly: without greeting, "please" and "could you tell me", in the
// order of a question, with "what is" for "what's", and not in capitals.
#ifndef LCTOOL_ENGINE_QUESTION_PLAINLY_H
#define LCTOOL_ENGINE_QUESTION_PLAINLY_H

#include "io/err.h"

// *PLAIN: the English QUESTION asked plainly, for the caller to free; NULL where it is asked so
// already. What is said before its last sentence stays, unless it is a greeting.
//
//     "Hi, could you please tell me what section 6.5 says?"    "What does section 6.5 say?"
//     "Tell me the price of the smoke alarm."                  "What is the price of the smoke alarm?"
//     "WHAT DOES E7 MEAN?"                                     "What does E7 mean?"
//
// Returns 0, or an error.
int plainly_asked(const char *question, char **plain, struct err *e);

// *TYPED: QUESTION without what no one types, for the caller to free; NULL where it has nothing of
// that. Control characters, also sequences of them that command a terminal, are left out, as are
// the ones of Unicode that turn the direction of text; white space with a tab or the end of a line
// in it becomes one blank, and none at the ends. Returns 0, or an error.
int plainly_typed(const char *question, char **typed, struct err *e);

#endif
