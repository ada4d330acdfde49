// English words whose forms no rule gives: "lost" of "lose", "teeth" of "tooth".
#ifndef LCTOOL_ENGINE_WORDS_IRREGULAR_H
#define LCTOOL_ENGINE_WORDS_IRREGULAR_H

#include <stddef.h>

enum { IRREGULAR_LONGEST = 8 }; // bytes of a form, and of what it is one of

struct irregular { // without a NUL where a word has as many bytes
    char form[IRREGULAR_LONGEST], base[IRREGULAR_LONGEST]; // both begin with the same letter
};

// What WORD [n], in small letters, is a form of, in *BYTES; NULL: a rule tells it.
const char *irregular_base(const char *word, size_t n, size_t *bytes);
// The bytes of a word that stands in WORD.
size_t irregular_bytes(const char word[IRREGULAR_LONGEST]);
// The form behind F, the first one behind NULL; NULL behind the last.
const struct irregular *irregular_next(const struct irregular *f);

#endif
