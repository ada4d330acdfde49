// How keys and values are to be stored, as --kv and --kv-bits say it.
#ifndef LCTOOL_CMD_RECIPE_H
#define LCTOOL_CMD_RECIPE_H

#include "cache/kvz.h"
#include "io/err.h"

// All zero when nothing was asked for (NULL): an index that grows keeps its own. A level without
// bits is the engine's choice.
int recipe_parse(const char *kv, const char *bits, struct kvz_recipe *r, struct err *e);

#endif
