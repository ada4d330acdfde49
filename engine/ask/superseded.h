// Documents that were read again later, under the same name, when most of their lines had stayed:
// the index keeps both, and what is asked is answered by the last one.
#ifndef LCTOOL_ENGINE_ASK_SUPERSEDED_H
#define LCTOOL_ENGINE_ASK_SUPERSEDED_H

#include "engine/method/ballot.h"
#include "io/err.h"

// Whether a text is another one as it was before: half of the lines of EARLIER [n_earlier] or more
// are lines of LATER [n_later] as well, blank ones aside. 1, 0, or an error; of texts of more than
// some megabytes it is not told (0).
int superseded_by(const char *earlier, size_t n_earlier, const char *later, size_t n_later,
                  struct err *e);
// Puts the blocks of such documents behind all others of B, whose votes have been cast, and their
// scores below these. Of an index of more than a thousand documents none are.
int superseded_last(struct ballot *b, struct err *e);

#endif
