// Names in a question that all of its document is about: who asks the staff handbook of the
// Larkspur Hotel "How much does lunch in the Larkspur cost?" wants to know of lunch, and a sentence
// with the name tells nothing of it.
//
// Of several documents the name tells which one is meant.
//
//     int rc = named_left_out(&unnamed, &which, question, texts, n, &e);
//     if (!rc && unnamed) ...          // "How much does lunch cost?", of texts[which]
//     free(unnamed);
#ifndef LCTOOL_ENGINE_QUESTION_NAMED_H
#define LCTOOL_ENGINE_QUESTION_NAMED_H

#include <stddef.h>

#include "io/err.h"

struct named_text {
    const char *text;
    size_t n;
};

// *OUT: QUESTION without the names that one document, *WHICH of D [n], bears in its title, or in
// prose of its first lines and nowhere else, and that no other one has; the caller frees it. A name
// that is the subject or the object is "they" there. NULL: there is none, there are such names of
// several documents, nothing else is asked for, or the beginning of the document tells of that.
int named_left_out(char **out, int *which, const char *question, const struct named_text *d, int n,
                   struct err *e);

#endif
