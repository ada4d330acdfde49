// Calibration before the first document of a model that nothing is known of.
#ifndef LCTOOL_CMD_CALIBRATE_H
#define LCTOOL_CMD_CALIBRATE_H

#include <signal.h>

#include "cmd/session.h"

// Calibrates the model of S, which C opened, keeps its profile where other commands look for it,
// and gives it to the model. Says on stderr what it does; where no profile can be kept, it says so
// and does nothing.
int calibrate_first(const struct common *c, struct session *s, const volatile sig_atomic_t *stop,
                    struct err *e);

#endif
