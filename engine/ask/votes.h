// What the voting heads make of a question: the probe pass and the votes.
#ifndef LCTOOL_ENGINE_ASK_VOTES_H
#define LCTOOL_ENGINE_ASK_VOTES_H

#include "engine/method/ballot.h"

struct asking;

// Runs the probe pass, whose queries stay in q->votes.queries, and casts the votes of
// q->votes.ballot.
int votes_cast(struct asking *q, struct err *e);

// Frees these queries, as must be done before votes_cast is called again.
void votes_forget(struct asking *q);
// Whether the votes are sharp at the I-th best block: it falls so far behind the best one that it
// is not worth reading.
int votes_sharp(const struct ballot *b, int64_t i);

#endif
