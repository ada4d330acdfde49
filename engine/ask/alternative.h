// More sentences, said behind the answer.
#ifndef LCTOOL_ENGINE_ASK_ALTERNATIVE_H
#define LCTOOL_ENGINE_ASK_ALTERNATIVE_H

#include "io/err.h"

struct asking;

// Adds to the answer, behind "or:", the sentence of the best block that makes the question nearly
// as likely as the best sentence and has a word of the question which that lacks, unless it only
// asks something itself; or, behind an answer that may well be wrong (answer.unsure), any such
// sentence, or the nearest one by its vector (near.h), or both. Sets q->said.places.
int alternative_say(struct asking *q, struct err *e);
// Of a question for several things whose answer is the best sentence: adds those of the next best
// blocks that make the question nearly as likely, each on a line of its own; q->said.places.
int alternative_say_several(struct asking *q, struct err *e);

#endif
