// What finds an extent, shared by its files. Used by engine/ask/extent*.c alone.
#ifndef LCTOOL_ENGINE_ASK_EXTENT_IMPL_H
#define LCTOOL_ENGINE_ASK_EXTENT_IMPL_H

#include "engine/ask/extent.h"

// Whether what was said from byte LAST on ends with a stop, and an empty line behind byte TO.
int extent_ends_paragraph(const struct lines *c, size_t last, size_t to);
// Whether text[FROM..TO) of NEAR is a sentence of prose, all of it: lines of a program or a log may
// seem to go on for ever.
int extent_is_whole(const struct vicinity *near, size_t from, size_t to);

// extent_before.c: F begins with what stands before it where QUESTION asks for that: who "he" is,
// what "therefore" follows from, the time of the entry that the sentence is in.
void extent_before(struct extent *f, const char *question);

#endif
