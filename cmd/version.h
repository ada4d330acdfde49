// What this build is: --version prints it.
#ifndef LCTOOL_CMD_VERSION_H
#define LCTOOL_CMD_VERSION_H

// The commit it was built from, as git describes it.
const char *version_commit(void);

#endif
