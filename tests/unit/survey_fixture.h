// Questions that a survey of texts answers.
#ifndef LCTOOL_TESTS_UNIT_SURVEY_FIXTURE_H
#define LCTOOL_TESTS_UNIT_SURVEY_FIXTURE_H

#include "cache/kvz.h"

// Fails unless ANSWER is what indexes K [n_k] say to QUESTION; NULL: they say nothing.
void asked(struct kvz *const *k, int n_k, const char *question, const char *answer);

#endif
