#define _GNU_SOURCE
#include "cmd/profiles.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd/config.h"
#include "io/inifile.h"

int profiles_path(char *buf, size_t cap, const struct model_info *f, struct err *e)
{
    char dir[PATH_MAX];
    int rc = config_profiles_dir(dir, sizeof dir, e);
    *buf = 0;
    if (rc || !*dir)
        return rc;
    int n = snprintf(buf, cap, "%s/%016" PRIx64 ".ini", dir, f->digest);
    return (size_t)n < cap ? 0 : err_set(e, ERR_USAGE, "%s: the path is too long", dir);
}

static int on_key(void *arg, const char *section, const char *key, const char *value, struct err *e)
{
    int *is_one = arg;
    (void)key;
    (void)value;
    *is_one = !strcmp(section, "profile");
    return err_set(e, ERR_USAGE, "the first key tells");
}

int profiles_is_one(const char *path)
{
    int is_one = 0;
    inifile_read(path, on_key, &is_one, NULL);
    return is_one;
}

int profiles_use(struct model *m, const char *given, struct err *e)
{
    char path[PATH_MAX];
    if (given)
        return model_use_profile(m, given, e);
    int rc = profiles_path(path, sizeof path, model_info(m), e);
    return rc || !*path || access(path, F_OK) ? rc : model_use_profile(m, path, e);
}
