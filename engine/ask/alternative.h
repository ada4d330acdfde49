// A second sentence, said behind the answer: "or: ...".
#ifndef LCTOOL_ENGINE_ALTERNATIVE_H
#define LCTOOL_ENGINE_ALTERNATIVE_H

#include "io/err.h"

struct asking;

// Adds to the answer, behind "or:", the sentence of the best block that makes the question nearly
// as likely as the best sentence and has a word of the question which that lacks; sets
// q->said.other.
int alternative_say(struct asking *q, struct err *e);

#endif
