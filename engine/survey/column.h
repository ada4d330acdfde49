// Which column of a table a question asks for.
#ifndef LCTOOL_ENGINE_COLUMN_H
#define LCTOOL_ENGINE_COLUMN_H

#include <stddef.h>

// How well NAME [n], the name of a column, matches what QUESTION asks for; 0: not at all.
double column_fits(const char *name, size_t n, const char *question);
// Whether VALUE [n] may be what QUESTION asks for: a number tells neither who nor where, only one
// tells how many, and no cell tells why.
int column_tells(const char *value, size_t n, const char *question);

#endif
