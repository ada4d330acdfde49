// The tokenizer of BERT's uncased models: WordPiece.
//
//     struct wordpiece *w;
//     if ((rc = wordpiece_new(&w, g, e)))                  // g: an open GGUF file, which outlives w
//         return rc;
//     uint32_t ids[256];
//     int n = wordpiece_encode(w, text, n_text, ids, 256); // [CLS] ... [SEP]
//     wordpiece_free(w);
//
// A text is cut at white space; CJK characters and punctuation are words of their own; letters lose
// their case and their accents (NFD without marks of category Mn). What is not UTF-8, U+FFFD and
// control characters are left out, form feeds and other rare breaks of lines too. A word is the
// longest piece that it begins with, then the longest that goes on, and so forth; one of more than
// 100 characters, or that has no such pieces, is [UNK]. The names of special tokens are text like
// any other. An object may be used by several threads at a time.
#ifndef LCTOOL_ENGINE_EMBED_WORDPIECE_H
#define LCTOOL_ENGINE_EMBED_WORDPIECE_H

#include <stddef.h>
#include <stdint.h>

#include "io/err.h"
#include "io/gguf.h"

struct wordpiece;

// The vocabulary in the metadata of G. ERR_UNSUPPORTED: another kind of tokenizer; ERR_FORMAT: a
// damaged one; ERR_NOMEM. Of equal pieces the first one counts.
int wordpiece_new(struct wordpiece **out, const struct gguf *g, struct err *e);
void wordpiece_free(struct wordpiece *w);
int wordpiece_size(const struct wordpiece *w); // tokens: every id is below it
// Whether ID is no part of a word: [CLS], [SEP], or a mark of punctuation.
int wordpiece_is_mark(const struct wordpiece *w, uint32_t id);

// Tokens of TEXT, N bytes of anything, as IDS [MOST], MOST >= 2: [CLS], the pieces of as many words
// as there is room for, of the last one perhaps not all, [SEP]. Returns how many.
int wordpiece_encode(const struct wordpiece *w, const char *text, size_t n, uint32_t *ids,
                     int most);

#endif
