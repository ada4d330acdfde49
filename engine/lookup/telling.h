// Which words of a question tell what it is about, so that what is looked up has to have them.
#ifndef LCTOOL_ENGINE_LOOKUP_TELLING_H
#define LCTOOL_ENGINE_LOOKUP_TELLING_H

#include <stddef.h>

#include "engine/words/words.h"

enum {
    TELLING_BYTES = 4, // of a word that tells something, unless it is a number
    TELLING_WORDS = 16
};

// Words of three letters that tell nothing, for IDLE below where LEAST is 3.
#define TELLING_NOTHING                                                                            \
    " all and any are can did does for get had has have her him his how its may not now off one "  \
    "our out own per she that the this was who why with you your "

// Such words of a text, each once.
struct telling {
    char stem[TELLING_WORDS][WORD_STEM]; // [n]
    int n;
};

// Whether WORD [bytes], of STEM, is such a word: a number, or of LEAST bytes or more, not common
// and none of IDLE, words in which questions of the kind are put.
int telling_word(const char *word, size_t bytes, const char stem[WORD_STEM], size_t least,
                 const char *idle);
// Adds those of TEXT [n], as many as there is room for; FIRST: the first word of it is one,
// whatever it is.
void telling_add(struct telling *a, const char *text, size_t n, size_t least, const char *idle,
                 int first);
// Whether A has all words of B.
int telling_has_all(const struct telling *a, const struct telling *b);

#endif
