// Letters of all scripts in UTF-8, and their cases. A byte that is no UTF-8 is a letter by itself.
#ifndef LCTOOL_ENGINE_WORDS_LETTER_H
#define LCTOOL_ENGINE_WORDS_LETTER_H

#include <stddef.h>

enum { LETTER_BYTES = 4 };

// Bytes of the letter, accent or digit that TEXT [n] begins with; 0: it begins with none.
size_t letter_at(const char *text, size_t n);
// Whether one ends before byte AT of TEXT.
int letter_ends(const char *text, size_t at);
// Whether TEXT [n] begins with a small letter.
int letter_is_small(const char *text, size_t n);
// Writes the small form of the letter TEXT [n] to OUT and returns its bytes.
size_t letter_small(const char *text, size_t n, char out[LETTER_BYTES]);
// Bytes of the character that TEXT [n] begins with if it is the first one of WANT or that is small
// and this its capital; else 0. *N_WANT: bytes of the first one of WANT.
size_t letter_is(const char *want, size_t *n_want, const char *text, size_t n);
// Whether A and B, both of N bytes, are the same but for their cases.
int letters_same(const char *a, const char *b, size_t n);

#endif
