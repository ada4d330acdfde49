// What the tests of questions that are written anew share.
#ifndef LCTOOL_TESTS_UNIT_ENGINE_QUESTION_ANEW_FIXTURE_H
#define LCTOOL_TESTS_UNIT_ENGINE_QUESTION_ANEW_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/question/named.h"

// named_left_out, narrator_asked
typedef int anew_function(char **out, int *which, const char *question, const struct named_text *d,
                          int n, struct err *e);

// What OF makes of QUESTION to TEXTS [n, at most 4]; the caller frees it.
char *anew_of(anew_function *of, const char *question, const char *const *texts, int n, int *which);
// Of QUESTION to TEXT it makes WANT; nothing where that is NULL.
void anew_check(anew_function *of, const char *question, const char *text, const char *want);

#endif
