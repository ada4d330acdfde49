// Names in the question that tell which document is asked, and nothing of what is asked for: "How
// much does lunch cost, according to the handbook?" Or the name of who tells it and says "I" there.
#ifndef LCTOOL_ENGINE_ASK_TARGET_H
#define LCTOOL_ENGINE_ASK_TARGET_H

#include "io/err.h"

struct asking;

// Sets q->target. Where there are very many documents none is looked for.
int target_find(struct asking *q, struct err *e);
// Puts the blocks of q->target before all others, in their order.
int target_first(struct asking *q, struct err *e);

#endif
