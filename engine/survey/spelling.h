// Words of a question that are those of a document but for a slip of the keyboard: "lanlord", where
// the document tells of a landlord.
//
//     int rc = spelling_mended(&mended, question, k, n_k, is_word, tokenizer, &e);
//     if (!rc && mended) ...           // "Who is the landlord?"
//     free(mended);
#ifndef LCTOOL_ENGINE_SURVEY_SPELLING_H
#define LCTOOL_ENGINE_SURVEY_SPELLING_H

#include <stddef.h>

#include "cache/kvz.h"
#include "io/err.h"

// Whether WORD [n], in small letters, is one of the language, and so is meant as it stands.
typedef int spelling_is_word(const void *ctx, const char *word, size_t n);

// *OUT: QUESTION with words of the documents of K [n_k] in the place of those that none of them has
// and that are no words of the language either, where one letter more, less, another one (of six or
// more), or two in the other order make one of them; the first letter is as it should be, and
// a word with a capital within a sentence is a name. The caller frees it. NULL: there is none, or
// several come into question. What stands in quotation marks is meant as it stands. Returns 0, or
// an error.
int spelling_mended(char **out, const char *question, struct kvz *const *k, int n_k,
                    spelling_is_word *is_word, const void *ctx, struct err *e);

#endif
