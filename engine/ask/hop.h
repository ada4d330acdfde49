// A second place for questions that need one: what the best sentence says leads on to it.
#ifndef LCTOOL_ENGINE_ASK_HOP_H
#define LCTOOL_ENGINE_ASK_HOP_H

#include "io/err.h"

struct asking;

// With ask_options.hops > 1: asks again after the best block's sentence, puts the block that is
// best then behind it, and so on, for that many places.
int hop_further(struct asking *q, struct err *e);

#endif
