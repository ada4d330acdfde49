// Things that one sentence enumerates: "The methods available are: a, b, c, and d."
#ifndef LCTOOL_ENGINE_OUTLINE_ENUMERATED_H
#define LCTOOL_ENGINE_OUTLINE_ENUMERATED_H

#include "engine/lookup/lookup.h"
#include "engine/outline/items_asked.h"

enum { ENUMERATED_MOST = 24 };

// Says how many things A asks for there are, by the only sentence that enumerates them. Returns as
// survey() does.
int outline_enumerated(struct lookup *v, const struct items_asked *a, struct err *e);

#endif
