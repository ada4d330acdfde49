// Documents that an index has in several versions (kvz_is_superseded): the latest one is asked.
#ifndef LCTOOL_ENGINE_ASK_LATEST_H
#define LCTOOL_ENGINE_ASK_LATEST_H

#include "engine/method/ballot.h"
#include "io/err.h"

// Puts the blocks of earlier versions behind all others of B, whose votes have been cast, and their
// scores below these.
int latest_first(struct ballot *b, struct err *e);

#endif
