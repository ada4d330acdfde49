// Entries of dictionaries: their terms stand at the beginning of a line with marks that nothing
// else has, ":rent: n.", "rent::", "RENT, n. ".
#ifndef LCTOOL_ENGINE_SURVEY_HEADWORD_H
#define LCTOOL_ENGINE_SURVEY_HEADWORD_H

#include "engine/lines/lines.h"

// Whether S of C is the term of an entry: it becomes that line and what is below it, to the end of
// the first paragraph that is no note in square brackets on where the word comes from, or to that
// of the first of several senses.
int headword_entry(const struct lines *c, struct span_of_text *s);

#endif
