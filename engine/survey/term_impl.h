// Inside of term.c.
#ifndef LCTOOL_ENGINE_SURVEY_TERM_IMPL_H
#define LCTOOL_ENGINE_SURVEY_TERM_IMPL_H

#include "engine/lookup/lookup.h"

// Where the section ends whose heading is the line S of C with the term of N bytes at byte AT, and
// little else; 0: it heads none. One that is not CODED is a word of prose as well: its heading has
// the marks of one, or a number (term_headed.c).
size_t term_section(const struct lines *c, size_t at, size_t n, int coded, struct span_of_text s);
// Prints the rows of tables that are about TERM and have all of WORDS, or of these the cell with
// its default (term_row.c). One that is not CODED is a word of prose as well: their cell is nothing
// else and marked as code. Returns as survey() does.
int term_row(struct lookup *v, const char *term, int coded, const char *words, int wants_default,
             struct err *e);

#endif
