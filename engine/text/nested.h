// Settings that are indented below one another, as in YAML and in JSON written for people: what a
// line says is about the lines that it is indented under.
#ifndef LCTOOL_ENGINE_NESTED_H
#define LCTOOL_ENGINE_NESTED_H

#include "engine/text/cut.h"

// Whether the lines that begin with bytes LINE and NEXT, the one below it, are settings, or open or
// close a group of them: neither goes on in the other.
int nested_apart(const struct cut *c, size_t line, size_t next);
// Extends FROM to TO, within a line of such settings, to the largest group around it that is no
// longer than a sentence (CUT_LONGEST); LEAD to LEAD_END is the line that the group is indented
// under, equal when there is none. Returns 0 and changes nothing when there is no such group.
int nested_group(const struct cut *c, size_t *from, size_t *to, size_t *lead, size_t *lead_end);

#endif
