// Whether a sentence can be read by itself, as one of a summary.
#ifndef LCTOOL_ENGINE_STANDS_H
#define LCTOOL_ENGINE_STANDS_H

#include <stddef.h>

// 1: a whole sentence; SENTENCE_LEANS: one that says little without those before it ("This is why
// ..."); SENTENCE_NONE: the line of a list, a record; less: of a program, a table, a piece.
#define SENTENCE_LEANS 0.25
#define SENTENCE_NONE  0.1

double sentence_stands(const char *text, size_t n);

#endif
