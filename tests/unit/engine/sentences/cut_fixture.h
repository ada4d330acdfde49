// What the tests of cutting share.
#ifndef LCTOOL_TESTS_UNIT_ENGINE_SENTENCES_CUT_FIXTURE_H
#define LCTOOL_TESTS_UNIT_ENGINE_SENTENCES_CUT_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/lines/lines.h"

// Every cut of MARKED falls on one of its bars, and there is no other; whatever byte is asked for,
// its sentence is the one it stands in.
void falls_into(const char *marked);
// TEXT for reading is WANT.
void mends_to(const char *text, const char *want);
// The sentence of TEXT in which WORD stands is ALL, in company, and WANT_LEAD leads it in; NULL:
// nothing does.
void says(const char *text, const char *word, const char *want_lead, const char *all);

#endif
