// Questions from a file or standard input, one a line.
#ifndef LCTOOL_CMD_QUESTIONS_H
#define LCTOOL_CMD_QUESTIONS_H

#include <signal.h>

#include "io/err.h"

// Calls EACH for every line of PATH ("-": standard input) that is not blank, as soon as it is
// there, without the white space around it; ends early when EACH returns non-zero or STOP becomes
// so. Lines may end in CR LF, or in CR alone. ERR_FORMAT names the line that holds a NUL; of a
// regular file before any is asked.
int questions_each(const char *path, const volatile sig_atomic_t *stop,
                   int (*each)(void *arg, const char *question), void *arg, struct err *e);

#endif
