#include "cmd/version.h"

const char *version_commit(void)
{
    return LCTOOL_VERSION;
}
