// A question that is written anew, with other words in the place of some of its own.
//
//     struct anew w = {.question = question, .text = room};
//     anew_words(&w);
//     anew_put(&w, w.v[2].from, w.v[2].to, "they");  // in the place of the third word
//     anew_end(&w);                                  // w.text [w.n]
#ifndef LCTOOL_ENGINE_QUESTION_ANEW_H
#define LCTOOL_ENGINE_QUESTION_ANEW_H

#include <stddef.h>

#include "engine/words/text_span.h"

enum { ANEW_WORDS = 64 };

struct anew {
    const char *question;              // borrowed
    struct span_of_text v[ANEW_WORDS]; // [n_words] its first words
    int n_words;
    char *text;   // borrowed: what is written, of which the caller knows how long it may be
    size_t n, at; // bytes of it, and of the question that have been taken over
};

// Finds the words of W's question.
void anew_words(struct anew *w);
// Whether there is an I-th word, which is one of LIST (words.h).
int anew_is(const struct anew *w, int i, const char *list);
// Takes over the question up to byte FROM, and WORDS in the place of what is before byte TO.
void anew_put(struct anew *w, size_t from, size_t to, const char *words);
// Takes over the rest, and ends the text with a NUL.
void anew_end(struct anew *w);

#endif
