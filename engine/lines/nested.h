// Settings that are indented below one another, as in YAML, and in JSON and XML written for people:
// what a line says is about the lines that it is indented under.
#ifndef LCTOOL_ENGINE_LINES_NESTED_H
#define LCTOOL_ENGINE_LINES_NESTED_H

#include "engine/lines/lines.h"

// Whether the lines that begin with bytes LINE and NEXT, the one below it, are settings, or open or
// close a group of them: neither goes on in the other.
int nested_apart(const struct lines *c, size_t line, size_t next);
// Whether the line of byte AT is such a setting that is set in, with only these above it, from the
// first line on: what it is set in under is not there. nested_goes_on: the same for those below it,
// to the last line.
int nested_from_above(const struct lines *c, size_t at);
int nested_goes_on(const struct lines *c, size_t at);
// Whether the element that the line at byte START opens is a list: its parts have one name.
int nested_is_list(const struct lines *c, size_t start);
// Extends FROM to TO, within a line of such settings, to the largest group around it that is no
// longer than a sentence (LONGEST_SENTENCE), or to what fits of a record that is longer: an item,
// an object of a list, an element. LEAD to LEAD_END is the line that the group is indented under,
// or the first two of the record that it is in; equal when there is none. Returns 0 and changes
// nothing when there is no such group.
int nested_group(const struct lines *c, size_t *from, size_t *to, size_t *lead, size_t *lead_end);

#endif
