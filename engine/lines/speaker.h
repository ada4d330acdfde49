// Who speaks: the name that a line begins with in a play ("AGNES. Hold it straight.") or, with a
// time before it, in what was taken down ("[00:12:08] MS LUND: On Monday.").
#ifndef LCTOOL_ENGINE_LINES_SPEAKER_H
#define LCTOOL_ENGINE_LINES_SPEAKER_H

#include "engine/lines/lines.h"

// Bytes of the name that the line which begins with byte LINE begins with, with the time before it
// and the mark behind it; 0: there is none, or no other one speaks nearby.
size_t speaker_at(const struct lines *c, size_t line);
// Whether the line that begins with byte LINE begins an entry: with a time in brackets and a name.
int speaker_enters(const struct lines *c, size_t line);
// Finds the name, FROM to TO, with which the paragraph of byte AT begins, or goes on above it,
// before that byte. Returns 0 if there is none.
int speaker_of(const struct lines *c, size_t at, size_t *from, size_t *to);

#endif
