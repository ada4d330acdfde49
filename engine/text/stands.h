// Whether a sentence can be read by itself, as one of a summary.
#ifndef LCTOOL_ENGINE_STANDS_H
#define LCTOOL_ENGINE_STANDS_H

#include <stddef.h>

// How well the sentence TEXT [n] stands by itself, 0 to 1. 1: a whole sentence; SENTENCE_LEANS: one
// that says little without those before it ("This is why ..."); SENTENCE_NONE: a line of a list, a
// record; less: a line of a program or a table, a fragment.
#define SENTENCE_LEANS 0.25
#define SENTENCE_NONE  0.1

double sentence_stands(const char *text, size_t n);

#endif
