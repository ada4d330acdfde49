// What the document says later than the answer, and otherwise: changed.h.
#ifndef LCTOOL_ENGINE_ASK_AMENDED_H
#define LCTOOL_ENGINE_ASK_AMENDED_H

#include "engine/engine.h"

// Adds to the answer A to O's question, however it was found, the first sentence of its document
// that changes what it says, behind "but later:", and its passage behind the first one; sets
// A's changed. It needs the passages that the answer is from: none is added where O wants none.
int amended_say(struct model *m, struct kvz *const *indexes, const struct ask_options *o,
                struct answer *a, struct err *e);

#endif
