// Tables of contents, and lists of key words: their lines ask what a question asks, in its very
// words, and answer nothing.
#ifndef LCTOOL_ENGINE_PASSAGE_CONTENTS_H
#define LCTOOL_ENGINE_PASSAGE_CONTENTS_H

#include "cache/kvz.h"

struct reference;

// Whether the first or the last line of bytes START to END of DOCUMENT of K is one of its table of
// contents, or of one of all of K's documents: the last may be one alone. *ENTRY is 0 where an
// index of an earlier version does not tell.
int contents_has(struct kvz *k, uint32_t document, uint64_t start, uint64_t end, int *entry,
                 struct err *e);
// Where the text of a section begins whose title bytes START to END of *DOCUMENT of K have, in its
// table of contents or where it heads the section: byte *AT of *DOCUMENT, which may be another one.
// Of several titles it is the one that has most words of QUESTION. 1; 0: they are of no title, or
// more than that; or an error.
int contents_below(struct kvz *k, uint32_t *document, uint64_t start, uint64_t end,
                   const char *question, uint64_t *at, struct err *e);
// Where the part of DOCUMENT of K begins that R, of the sentence TEXT, names (refers.h): byte *AT,
// behind its title if that stands alone. 1; 0: there is no such part; or an error.
int contents_referred(struct kvz *k, uint32_t document, const char *text, const struct reference *r,
                      uint64_t *at, struct err *e);
// Whether the line of byte AT of TEXT [n] is one: its words stand again below, at the beginning of
// a line, and dots lead to a page, or those of the next line stand again behind them.
int contents_entry(const char *text, size_t n, size_t at);
// Whether TEXT, a sentence, is a list of key words ("Key words: eels, weirs"), for which QUESTION
// does not ask.
int contents_keywords(const char *text, const char *question);

#endif
