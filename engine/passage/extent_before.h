// What a question wants read before a sentence.
#ifndef LCTOOL_ENGINE_PASSAGE_EXTENT_BEFORE_H
#define LCTOOL_ENGINE_PASSAGE_EXTENT_BEFORE_H

#include "engine/passage/extent.h"

// F begins with what stands before it where QUESTION asks for that: who "he" is, what "therefore"
// follows from, the time of the entry that the sentence is in.
void extent_before(struct extent *f, const char *question);

#endif
