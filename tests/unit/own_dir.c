#define _GNU_SOURCE
#include "tests/unit/own_dir.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char dir[32]; // "": there is none

static int make(const char *template)
{
    strcpy(dir, template);
    if (mkdtemp(dir))
        return 0;
    *dir = 0;
    return -1;
}

int own_dir_make(void **state)
{
    (void)state;
    return make("/tmp/lctool-test-XXXXXX");
}

int own_dir_make_quick(void **state)
{
    return make("/dev/shm/lctool-test-XXXXXX") ? own_dir_make(state) : 0;
}

int own_dir_remove(void **state)
{
    (void)state;
    char cmd[64];
    snprintf(cmd, sizeof cmd, "rm -rf %s", dir);
    *dir = 0;
    return system(cmd);
}

int own_dir_enter(void **state)
{
    return own_dir_make(state) || chdir(dir);
}

int own_dir_leave(void **state)
{
    return chdir("/") || own_dir_remove(state);
}

const char *own_dir(void)
{
    return dir;
}

char *in_dir(const char *name)
{
    static char paths[8][128];
    static int next;
    char *p = paths[next++ % 8];
    snprintf(p, sizeof paths[0], "%s/%s", dir, name);
    return p;
}
