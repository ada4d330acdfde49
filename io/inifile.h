// INI files, read with inih, whose mistakes are told with file and line.
#ifndef LCTOOL_IO_INIFILE_H
#define LCTOOL_IO_INIFILE_H

#include "io/err.h"

// Called for each "key = value" in order; SECTION is "" before the first one. 0, or an error with a
// message that names neither file nor line.
typedef int inifile_key(void *arg, const char *section, const char *key, const char *value,
                        struct err *e);

// Reads PATH, at most a megabyte. The first mistake is ERR_USAGE, "PATH:LINE: what"; a file that
// cannot be read is ERR_IO.
int inifile_read(const char *path, inifile_key *on_key, void *arg, struct err *e);

#endif
