// Words that a text divides at the ends of its lines with the hyphen that compounds have, too.
#ifndef LCTOOL_ENGINE_SENTENCES_DIVIDED_H
#define LCTOOL_ENGINE_SENTENCES_DIVIDED_H

#include "engine/lines/lines.h"

// Whether FIRST [n_first], before a hyphen at the end of the line of byte AT of C, and SECOND
// [n_second], with which the next one begins, are one word ("emp-", "ty") and not a compound
// ("well-", "known"). What stands within some pages of AT tells: which of both is there, or else
// whether these divide words.
int divided_word(const struct lines *c, size_t at, const char *first, size_t n_first,
                 const char *second, size_t n_second);

#endif
