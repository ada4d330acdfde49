// Tables of contents, and lists of key words: their lines ask what a question asks, in its very
// words, and answer nothing.
#ifndef LCTOOL_ENGINE_PASSAGE_CONTENTS_H
#define LCTOOL_ENGINE_PASSAGE_CONTENTS_H

#include "cache/kvz.h"

// Whether the first or the last line of bytes START to END of DOCUMENT of K is one of its table of
// contents: the last may be one alone. *ENTRY is 0 where an index of an earlier version does not
// tell.
int contents_has(struct kvz *k, uint32_t document, uint64_t start, uint64_t end, int *entry,
                 struct err *e);
// Whether the line of byte AT of TEXT [n] is one: its words stand again below, at the beginning of
// a line, and dots lead to a page, or those of the next line stand again behind them.
int contents_entry(const char *text, size_t n, size_t at);
// Whether TEXT, a sentence, is a list of key words ("Key words: eels, weirs"), for which QUESTION
// does not ask.
int contents_keywords(const char *text, const char *question);

#endif
