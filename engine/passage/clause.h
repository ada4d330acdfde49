// The clauses of a sentence that is too long to be said whole.
#ifndef LCTOOL_ENGINE_PASSAGE_CLAUSE_H
#define LCTOOL_ENGINE_PASSAGE_CLAUSE_H

#include "engine/lines/lines.h"

// Of text[*FROM..*TO), a sentence, leaves LONGEST_SENTENCE bytes at most: the clauses, one behind
// the other, that have the most words of QUESTION, of equal ones those around byte AT, and as many
// before and behind them as there is room for.
void clause_choose(const struct lines *c, const char *question, size_t at, size_t *from,
                   size_t *to);

#endif
