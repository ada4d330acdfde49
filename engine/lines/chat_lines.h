// Conversations that are written down line by line, each with its time and who speaks.
#ifndef LCTOOL_ENGINE_LINES_CHAT_LINES_H
#define LCTOOL_ENGINE_LINES_CHAT_LINES_H

#include <stddef.h>

#include "engine/words/text_span.h"

// Whether the line TEXT [n] is one of a conversation: "[10:02] <ann> so", "10:02 Ann Mill: so",
// "12/03/2023, 10:02 - Ann: so". Then *WHEN is its time, with its day where it has that, and *WHO
// is who speaks; the words follow behind byte WHO->to.
int chat_line(const char *text, size_t n, struct span_of_text *when, struct span_of_text *who);
// The bytes of the name that TEXT [n] begins with, words with capitals before ": "; 0: none.
size_t chat_name(const char *text, size_t n);

#endif
