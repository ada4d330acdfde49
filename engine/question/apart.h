// Questions about two things at once that may be asked of each apart.
#ifndef LCTOOL_ENGINE_QUESTION_APART_H
#define LCTOOL_ENGINE_QUESTION_APART_H

#include "io/err.h"

// Divides the English QUESTION, *FIRST and *SECOND for the caller to free:
//
//     "What is the difference between -X and -Y?"       "What is -X?"  "What is -Y?"
//     "What is the age and the height of Ada Nagel?"    "What is the age of Ada Nagel?"  "What is the ..."
//
// Whether they are better asked so depends on what is found. Returns 1, 0 when it is no such
// question, or an error.
int apart_divide(const char *question, char **first, char **second, struct err *e);

#endif
