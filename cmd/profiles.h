// Profiles of models that were calibrated on this machine.
#ifndef LCTOOL_CMD_PROFILES_H
#define LCTOOL_CMD_PROFILES_H

#include <stddef.h>

#include "engine/engine.h"

// Where the profile of the model F is kept: $XDG_DATA_HOME/lctool/profiles/DIGEST.ini, or the same
// under ~/.local/share. 0 with "" in BUF when there is no home directory.
int profiles_path(char *buf, size_t cap, const struct model_info *f, struct err *e);

// Whether the file PATH is a profile, for any model: its first key is one of [profile].
int profiles_is_one(const char *path);

// Gives M the profile in the file GIVEN; NULL: the one that is kept for it, where there is one, and
// otherwise what is built in.
int profiles_use(struct model *m, const char *given, struct err *e);

#endif
