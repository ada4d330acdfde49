// Text that is quoted line by line, as in mail and forums, and the replies below it.
#ifndef LCTOOL_ENGINE_SENTENCES_REPLY_H
#define LCTOOL_ENGINE_SENTENCES_REPLY_H

#include "engine/lines/lines.h"

// Whether text[FROM..*TO) is in a quoted paragraph that has a reply below it. Then *TO becomes the
// end of the reply's first sentence, or of more when these are short, as far as a sentence has room
// (LONGEST_SENTENCE).
int reply_below(const struct lines *c, size_t from, size_t *to);
// Whether the paragraph of byte AT is the reply to a quoted paragraph above it. FROM to TO is then
// the sentence of that paragraph which it replies to: the last question, or else the last sentence.
int reply_above(const struct lines *c, size_t at, size_t *from, size_t *to);
// The byte where the reply begins in text[FROM..TO), which begins with quoted text or with who
// wrote that ("Ada wrote:"); FROM: there is none.
size_t reply_start(const struct lines *c, size_t from, size_t to);

#endif
