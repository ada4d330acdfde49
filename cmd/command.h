// One subcommand of lctool, and the options that all of them take.
#ifndef LCTOOL_CMD_COMMAND_H
#define LCTOOL_CMD_COMMAND_H

#include <stddef.h>

#include "cmd/opt.h"

struct common {
    const char *model; // as given: a path or a name
    int model_given;   // on the command line or in the command's own section, not in [lctool]
    const char *device;
    uint64_t vram; // bytes; 0: all there is
    int threads;
    const char *embedder; // as given: a path, a name or "none"
    const char *profile;  // a file, or NULL
    int no_profile;       // a kept profile is not looked for
    int keep_weights;     // device_options.kept is the cache directory
    int only_look;        // 1: the model will not be run, so that it need not be prepared for it
    int exact;            // device_options.exact
    int quiet;
    const char *config;
};

extern const struct opt common_options[];

struct command {
    const char *name;
    const char *usage;   // operands, one form a line
    const char *summary; // lower case, one line
    const struct opt *options;
    size_t own_bytes; // size of the struct that the options fill in
    // Runs the command and returns the exit status. OWN is that struct, filled in.
    int (*run)(const struct common *c, const void *own, char **operands, int n_operands);
};

enum { EXIT_OK = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

extern const struct command command_encode, command_query, command_summarize, command_inspect,
    command_calibrate;

#endif
