// Tables of contents: their lines ask what a question asks, in its very words, and answer nothing.
#ifndef LCTOOL_ENGINE_CONTENTS_H
#define LCTOOL_ENGINE_CONTENTS_H

#include "cache/kvz.h"

// Whether byte START of DOCUMENT of K begins a line of its table of contents: its words stand again
// below, at the beginning of a line, and dots lead to a page, or those of the next line stand again
// behind them. *ENTRY is 0 where an index of an earlier version does not tell.
int contents_has(struct kvz *k, uint32_t document, uint64_t start, int *entry, struct err *e);
// The same of byte AT of TEXT [n].
int contents_entry(const char *text, size_t n, size_t at);

#endif
