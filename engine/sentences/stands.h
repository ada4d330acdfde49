// Whether a sentence can be read by itself, as one of a summary.
#ifndef LCTOOL_ENGINE_SENTENCES_STANDS_H
#define LCTOOL_ENGINE_SENTENCES_STANDS_H

#include <stddef.h>

// How well the sentence TEXT [n] stands by itself, 0 to 1. 1: a whole sentence; STANDS_LEANING: one
// that says little without those before it ("This is why ..."); STANDS_IN_LINE: a line of a list, a
// record, or what only announces those behind it ("Here is the plan."); less: a line of a program
// or a table, a fragment.
#define STANDS_LEANING 0.25
#define STANDS_IN_LINE 0.1

double stands_alone(const char *text, size_t n);
// Bytes of TEXT [n] up to what closes it: quotation marks, brackets, marks of emphasis.
size_t stands_closed(const char *text, size_t n);
// Whether TEXT [n] ends with a stop, as a sentence does, whatever closes behind that.
int stands_ended(const char *text, size_t n);

#endif
