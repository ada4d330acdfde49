// The kinds of lines of a log or a table: lines that are alike but for their numbers and a few
// words.
#ifndef LCTOOL_ENGINE_SUMMARIZE_KINDS_H
#define LCTOOL_ENGINE_SUMMARIZE_KINDS_H

#include "engine/summarize/points.h"

// When most of the text of blocks FROM .. TO - 1 of K is such lines, P gets the first line of each
// kind, the most frequent kinds first, then the rarest, about WORDS words together. 1, 0 when it is
// other text, or an error.
int points_of_kinds(struct points *p, struct kvz *k, uint64_t from, uint64_t to, int words,
                    struct err *e);

#endif
