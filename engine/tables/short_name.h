// Names of three letters, which may be other words as well: "the price of the saw" is told by a row
// "Saw", "she saw the price" by none.
#ifndef LCTOOL_ENGINE_TABLES_SHORT_NAME_H
#define LCTOOL_ENGINE_TABLES_SHORT_NAME_H

#include <stddef.h>

// Whether TEXT [n] may be one.
int short_name_is(const char *text, size_t n);
// Whether QUESTION has NAME [n], which it is, at AT as a name: in its capitals, with "'s", behind
// what a name is behind, or behind an article with nothing that it could tell more of.
int short_name_stands(const char *question, const char *at, const char *name, size_t n);

#endif
