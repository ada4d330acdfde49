// What was found is a title, of a table of contents or at the head of its section, or a sentence
// that only names one ("See Rent."), and answers nothing: what stands below that title is read
// instead.
#ifndef LCTOOL_ENGINE_ASK_TITLED_H
#define LCTOOL_ENGINE_ASK_TITLED_H

#include "io/err.h"

struct asking;

// Where the best sentence of Q is such a one, the block with the text of its section changes
// places with the best one, and the answer is looked for where that begins. 0 or an error.
int titled_below(struct asking *q, struct err *e);

#endif
