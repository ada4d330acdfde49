// What a sentence says little without, and is therefore read with.
//
//     cut_sentence(&c, at, &from, &to);
//     company_extend(&c, &from, &to, &lead, &lead_end);
#ifndef LCTOOL_ENGINE_COMPANY_H
#define LCTOOL_ENGINE_COMPANY_H

#include "engine/text/cut.h"

// Extends a sentence, FROM to TO, by what it says little without: what follows a heading or a
// label, what a first "it" refers to, the list that it is a part of. Of a list that is too long it
// gets only the line that leads the list in ("These are needed:"), LEAD to LEAD_END; else these are
// equal.
void company_extend(const struct cut *c, size_t *from, size_t *to, size_t *lead, size_t *lead_end);
// Whether text[FROM..TO) only signs a message: a few words without a stop on the last line of its
// body ("Ada (alto 2)").
int company_signs(const struct cut *c, size_t from, size_t to);
// Whether the sentence that begins with byte AT begins with "it" or the like.
int company_refers(const struct cut *c, size_t at);

#endif
