// Headings of plain text: short lines that stand alone above what they are of.
#ifndef LCTOOL_ENGINE_HEADING_H
#define LCTOOL_ENGINE_HEADING_H

#include <stddef.h>

#include "engine/text/cut.h"

enum { HEADING_LONGEST = 80 }; // bytes; a longer line heads nothing

// Whether the line of C that begins with byte LINE is one: FROM to TO.
int heading_is(const struct cut *c, size_t line, size_t *from, size_t *to);
// The last heading of C, whose text begins where a line does, that ends before byte AT: FROM to TO.
// Of a mail that is all of its head, and above that there is none. 0: there is none.
int heading_before(const struct cut *c, size_t at, size_t *from, size_t *to);
// How deep it is, text[0..n), by its number ("2.10.3" is 3) or its marks ("## Rent" is 2); 0: it
// does not say.
int heading_level(const char *text, size_t n);
// Whether HEADING [n] has a word of QUESTION, or, where they count, a NUMBER, that says what is
// asked for and that TEXT lacks.
int heading_tells(const char *heading, size_t n, int numbers, const char *question,
                  const char *text);

#endif
