// What the files of the guard share.
#ifndef LCTOOL_ENGINE_GUARD_IMPL_H
#define LCTOOL_ENGINE_GUARD_IMPL_H

#include <stddef.h>

#include "engine/text/words.h"

enum { GUARD_SHORTEST = 4 }; // bytes of a word that counts

// Whether the word of STEM is neither short nor common.
static inline int guard_is_telling(const char stem[WORD_STEM])
{
    return stem[GUARD_SHORTEST - 1] && !word_is_common(stem);
}

// Whether TEXT [n] has a number that neither READ [n_read] nor QUESTION has; what counts its lines
// aside.
int guard_invents_number(const char *text, size_t n, const char *read, size_t n_read,
                         const char *question);
// Whether TEXT [n], whose numbers are all of one of the things that READ [n_read] tells in parts,
// says them of another: "The big pan holds 4.5 litres." of "the pot holds 4.5 litres; the jug 6;
// the big pan 18".
int guard_crosses_parts(const char *text, size_t n, const char *read, size_t n_read);

#endif
