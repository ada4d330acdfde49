// Rows whose dots lead from a label to its value: of a schedule, a price list, a list of contents.
//
//     if (leader_is_row(text + line, end - line))
//         ...                                       // "Rent ............ 1,200 a year"
#ifndef LCTOOL_ENGINE_LINES_LEADER_H
#define LCTOOL_ENGINE_LINES_LEADER_H

#include "engine/lines/lines.h"

// Whether the line TEXT [n] is one, whose label is TEXT [label] and whose value begins with byte
// VALUE.
int leader_split(const char *text, size_t n, size_t *label, size_t *value);
// Only whether it is one.
int leader_is_row(const char *text, size_t n);
// Whether the line of C at byte LINE is one of several, so that none of its dots ends a sentence;
// between others fewer dots are enough.
int leader_is_among(const struct lines *c, size_t line);
// The bytes of the label TEXT [n] without the dots that it ends with.
size_t leader_label(const char *text, size_t n);

#endif
