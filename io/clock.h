// Time for progress and reports.
#ifndef LCTOOL_IO_CLOCK_H
#define LCTOOL_IO_CLOCK_H

// Seconds on a clock that never goes back, from an arbitrary start.
double clock_seconds(void);

#endif
