// Code between fences, as Markdown has it: its lines stay lines.
//
//     if (fence_holds(&c, line))
//         ...                         // "```", or a line between two of these
#ifndef LCTOOL_ENGINE_LINES_FENCE_H
#define LCTOOL_ENGINE_LINES_FENCE_H

#include "engine/lines/lines.h"

// Whether the line of C that begins with byte LINE is a fence: "```", with or without the name of a
// language, but no words that are code between two of these.
int fence_is(const struct lines *c, size_t line);
// Whether it is one or between two fences; one that is too far below the first of these is not
// known to be.
int fence_holds(const struct lines *c, size_t line);

#endif
