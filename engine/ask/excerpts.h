// Where the sentences that are read are stored.
#ifndef LCTOOL_ENGINE_ASK_EXCERPTS_H
#define LCTOOL_ENGINE_ASK_EXCERPTS_H

#include "engine/answer/reading.h"
#include "engine/passage/sentence.h"

// Appends the places where the sentence V, found in BLOCK of K, is stored; it may begin before that
// block and end behind it.
int excerpts_add(struct excerpts *p, const struct kvz *k, uint64_t block, const struct sentence *v,
                 struct err *e);

#endif
