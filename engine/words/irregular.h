// English words whose forms no rule gives: "lost" of "lose", "teeth" of "tooth".
#ifndef LCTOOL_ENGINE_WORDS_IRREGULAR_H
#define LCTOOL_ENGINE_WORDS_IRREGULAR_H

#include <stddef.h>

enum { IRREGULAR_LONGEST = 9 }; // bytes of a form

struct irregular {
    const char *form, *base; // both begin with the same letter
};

// What WORD [n], in small letters, is a form of; NULL: a rule tells it.
const char *irregular_base(const char *word, size_t n);
// The form behind F, the first one behind NULL; NULL behind the last.
const struct irregular *irregular_next(const struct irregular *f);

#endif
