// Words that end in a stop without a sentence's ending there: titles, "Nr. 7", "z. B.", "1. April".
#ifndef LCTOOL_ENGINE_SHORTENED_H
#define LCTOOL_ENGINE_SHORTENED_H

#include <stddef.h>

// Whether the stop behind WORD [n], with NEXT [n_next] behind it and what parts them, is such a
// one's.
int word_is_shortened(const char *word, size_t n, const char *next, size_t n_next);
// Whether the stop that ends TEXT [n > 0], with NEXT [n_next] behind it, may be such a one's, or of
// "J.", "e.g.", or "1." at the beginning of a line: of what is being written, which a sentence too
// long does less harm than half a one.
int stop_is_part_of_word(const char *text, size_t n, const char *next, size_t n_next);

#endif
