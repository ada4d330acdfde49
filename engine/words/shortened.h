// Abbreviations, whose full stop does not end a sentence: titles, "Nr. 7", "z. B.", "1. April".
#ifndef LCTOOL_ENGINE_WORDS_SHORTENED_H
#define LCTOOL_ENGINE_WORDS_SHORTENED_H

#include <stddef.h>

// Whether the full stop behind WORD [n] is an abbreviation's; NEXT [n_next] is the text behind it.
int shortened_word(const char *word, size_t n, const char *next, size_t n_next);
// Whether the full stop that ends TEXT [n > 0], before NEXT [n_next], may be an abbreviation's, an
// initial's ("J."), that of "e.g.", or of a number at the beginning of a line ("1."). For text that
// is being written, where a sentence that is too long does less harm than half a one.
int shortened_stop(const char *text, size_t n, const char *next, size_t n_next);

#endif
