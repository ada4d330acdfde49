// Inside of term.c.
#ifndef LCTOOL_ENGINE_SURVEY_TERM_IMPL_H
#define LCTOOL_ENGINE_SURVEY_TERM_IMPL_H

#include "engine/lookup/lookup.h"

// Prints the rows of tables that are about TERM and have all of WORDS, or of these the cell with
// its default (term_row.c). One that is not CODED is a word of prose as well: their cell is nothing
// else and marked as code. Returns as survey() does.
int term_row(struct lookup *v, const char *term, int coded, const char *words, int wants_default,
             struct err *e);

#endif
