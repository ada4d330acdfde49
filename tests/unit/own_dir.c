#define _GNU_SOURCE
#include "tests/unit/own_dir.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char dir[] = "/tmp/lctool-test-XXXXXX";

int own_dir_enter(void **state)
{
    (void)state;
    return mkdtemp(dir) && !chdir(dir) ? 0 : -1;
}

int own_dir_leave(void **state)
{
    (void)state;
    char cmd[64];
    snprintf(cmd, sizeof cmd, "rm -rf %s", dir);
    return chdir("/") || system(cmd);
}
