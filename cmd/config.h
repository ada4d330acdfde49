// The configuration file: defaults of options, one section for each command.
//
//     [lctool]
//     device = cpu            ; for every command that has such an option
//     [query]
//     evidence = 2
//
// Every key is the long name of an option. Sections of other commands are checked too, so that a
// mistake is found the first time the file is read.
#ifndef LCTOOL_CMD_CONFIG_H
#define LCTOOL_CMD_CONFIG_H

#include <stddef.h>

#include "cmd/command.h"
#include "cmd/opt.h"
#include "io/err.h"

// Reads PATH into O, the options of COMMAND; what the command line gave stays. ALL ends with NULL.
// The first mistake is ERR_USAGE with the file and the line.
int config_read(const char *path, const struct command *const *all, const struct command *command,
                struct opts *o, struct err *e);

// The file read when none is named: $XDG_CONFIG_HOME/lctool/lctool.ini, or the same under
// ~/.config. 0 with "" in BUF when there is no home directory.
int config_path(char *buf, size_t cap, struct err *e);

// The directory of models: $XDG_DATA_HOME/lctool/models, or the same under ~/.local/share.
int config_models_dir(char *buf, size_t cap, struct err *e);

// The directory of embedders, lctool/embedders beside it.
int config_embedders_dir(char *buf, size_t cap, struct err *e);

// The directory of profiles that calibration keeps, lctool/profiles beside it.
int config_profiles_dir(char *buf, size_t cap, struct err *e);

// The directory of what can be made again, $XDG_CACHE_HOME/lctool or ~/.cache/lctool.
int config_cache_dir(char *buf, size_t cap, struct err *e);

#endif
