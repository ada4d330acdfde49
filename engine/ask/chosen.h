// The sentences of the blocks that were chosen.
#ifndef LCTOOL_ENGINE_ASK_CHOSEN_H
#define LCTOOL_ENGINE_ASK_CHOSEN_H

#include <stdint.h>

#include "engine/passage/sentence.h"
#include "io/err.h"

struct asking;
struct prompt;

// The sentence of block GLOBAL (ballot.h) on which the votes fall, with the sentences behind it
// that are read with it (focus_goes_on).
int chosen_sentence(struct sentence *v, struct asking *q, int64_t global, struct err *e);
// The same, as sentence_asked has it.
int chosen_to_say(struct sentence *v, struct asking *q, int64_t global, struct err *e);
// Appends to P the sentences of the chosen blocks on which the votes fall: each once, the best one
// last, an empty line between them, as many as fit the budget, at least one. Of a block in which no
// token has votes, because the index does not keep its keys, all text is taken.
int chosen_read(struct prompt *p, struct asking *q, struct err *e);

#endif
