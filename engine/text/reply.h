// What is quoted line by line, as mail and forums do, and what is replied to it below.
#ifndef LCTOOL_ENGINE_REPLY_H
#define LCTOOL_ENGINE_REPLY_H

#include "engine/text/cut.h"

// Whether text[FROM..*TO) is of a quoted paragraph that somebody replies to: *TO is the end of the
// first sentence of that then, or of two where it is short, if there is room for it.
int reply_below(const struct cut *c, size_t from, size_t *to);
// Whether the paragraph of byte AT replies to a quoted one: to FROM to TO of it, its last sentence
// that asks, or its last one.
int reply_above(const struct cut *c, size_t at, size_t *from, size_t *to);
// Where the reply begins in text[FROM..TO), which begins with what is quoted; FROM: there is none.
size_t reply_start(const struct cut *c, size_t from, size_t to);

#endif
