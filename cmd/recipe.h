// How keys and values are to be stored, from --kv and --kv-bits.
#ifndef LCTOOL_CMD_RECIPE_H
#define LCTOOL_CMD_RECIPE_H

#include "cache/kvz.h"
#include "io/err.h"

// KV and BITS, which may be NULL, to encode_options.recipe: zeroed when both are NULL, and with a
// level but no bits for "balanced", the engine's default. ERR_USAGE for what makes no recipe.
int recipe_parse(const char *kv, const char *bits, struct kvz_recipe *r, struct err *e);

#endif
