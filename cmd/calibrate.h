// Calibration before the first document of a model that nothing is known of.
#ifndef LCTOOL_CMD_CALIBRATE_H
#define LCTOOL_CMD_CALIBRATE_H

#include <signal.h>

#include "engine/engine.h"

// Calibrates M, keeps its profile where other commands look for it, and gives it to M. Says on stderr
// what it does; where no profile can be kept, it says so and does nothing.
int calibrate_first(struct model *m, const volatile sig_atomic_t *stop, struct err *e);

#endif
