// Which column of a table a question asks for.
#ifndef LCTOOL_ENGINE_COLUMN_H
#define LCTOOL_ENGINE_COLUMN_H

#include <stddef.h>

// How well NAME [n], the name of a column, matches what QUESTION asks for; 0: not at all.
double column_fits(const char *name, size_t n, const char *question);
// Whether VALUE [n] below NAME [n_name] may be what QUESTION asks for: a number tells neither who
// nor where, only one tells how many, a number alone how long only where the name is about time,
// and no cell tells why.
int column_tells(const char *name, size_t n_name, const char *value, size_t n,
                 const char *question);
// Whether ASKED, a question without what names a row, asks for more than a column NAMES [n] may
// tell: for what was before something, without it or not so.
int column_falls_short(const char *names, size_t n, const char *asked);

#endif
