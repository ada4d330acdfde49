// Settings that are set in under one another, as in YAML and JSON that is written for people: what
// a line says, it says of the lines it is set in under.
#ifndef LCTOOL_ENGINE_NESTED_H
#define LCTOOL_ENGINE_NESTED_H

#include "engine/text/cut.h"

// Whether the lines that begin with bytes LINE and NEXT, the one below it, are settings, or open or
// close a group of them: neither goes on in the other.
int nested_apart(const struct cut *c, size_t line, size_t next);
// FROM to TO, within a line of such settings, become the largest group around it that is no longer
// than a sentence, and LEAD to LEAD_END the line under which that group is set in; these are equal
// where there is none. Returns 0, and changes nothing, where there is no such group.
int nested_group(const struct cut *c, size_t *from, size_t *to, size_t *lead, size_t *lead_end);

#endif
