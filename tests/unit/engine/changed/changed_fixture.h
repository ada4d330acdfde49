// What a text says later of what it said before, for tests of engine/changed/.
#ifndef LCTOOL_TESTS_UNIT_ENGINE_CHANGED_CHANGED_FIXTURE_H
#define LCTOOL_TESTS_UNIT_ENGINE_CHANGED_CHANGED_FIXTURE_H

#include "engine/changed/changed.h"

// Fails unless what is found of S begins with BEGINS; NULL: nothing is.
void finds_that(const struct changed_said *s, const char *begins);
// The same of TEXT, whose sentence with SAID answers QUESTION with ANSWER.
void finds_of(const char *text, const char *said, const char *question, const char *answer,
              const char *begins);
// The same where the answer is that sentence.
void finds(const char *text, const char *said, const char *question, const char *begins);

#endif
