// What a sentence says little without, and is therefore read with.
//
//     cut_sentence(&c, at, &from, &to);
//     company_extend(&c, &from, &to, &lead, &lead_end);
#ifndef LCTOOL_ENGINE_COMPANY_COMPANY_H
#define LCTOOL_ENGINE_COMPANY_COMPANY_H

#include "engine/sentences/cut.h"

// Extends a sentence, FROM to TO, by what it says little without: what follows a heading or a
// label, what a first "it" refers to, the list that it is a part of, the few words or the remark
// that continue it. LEAD to LEAD_END: the line that leads in a list that is too long for all of it
// ("These are needed:"), or the term that the sentence is set in under; else these are equal.
void company_extend(const struct lines *c, size_t *from, size_t *to, size_t *lead,
                    size_t *lead_end);
// Whether text[FROM..TO) only signs a message: a few words without a stop on the last line of its
// body ("Ada (alto 2)").
int company_signs(const struct lines *c, size_t from, size_t to);
// Whether the sentence that begins with byte FROM begins with "it" or the like, or "When it".
int company_refers(const struct lines *c, size_t from);

// Extends FROM to TO, within a block of short lines that begins with a name and has a telephone
// number or an address, to all of it: a line at its end heads nothing below it. Returns 0 and
// changes nothing where there is none, or where it has another name.
int company_block(const struct lines *c, size_t *from, size_t *to);

#endif
