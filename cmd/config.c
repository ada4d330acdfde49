#define _GNU_SOURCE
#include "cmd/config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/suggest.h"
#include "io/inifile.h"

struct reading {
    const struct command *const *all;
    const struct command *command;
    struct opts *o;
};

static const struct command *find_command(const struct reading *r, const char *section)
{
    for (const struct command *const *c = r->all; *c; c++)
        if (!strcmp((*c)->name, section))
            return *c;
    return NULL;
}

static const struct opt *find_key(const struct command *c, const char *key)
{
    const struct opt *row = opt_find(c->options, key);
    if (!row)
        row = opt_find(common_options, key);
    return row && !row->not_config ? row : NULL;
}

static void offer_keys(struct suggest *s, const struct opt *rows)
{
    for (; rows->name; rows++)
        if (!rows->not_config)
            suggest_offer(s, rows->name);
}

static int unknown_key(const struct reading *r, const struct command *c, const char *section,
                       const char *key, struct err *e)
{
    struct suggest s = {.word = key};
    if (c && (opt_find(c->options, key) || opt_find(common_options, key)))
        return err_set(e, ERR_USAGE, "'%s' of [%s] is for the command line only: --%s", key,
                       section, key);
    offer_keys(&s, common_options);
    for (const struct command *const *each = r->all; *each; each++)
        if (!c || c == *each)
            offer_keys(&s, (*each)->options);
    return err_set(e, ERR_USAGE, "unknown key '%s' in [%s]%s%s%s", key, section,
                   s.best ? "; did you mean '" : "", s.best ? s.best : "", s.best ? "'?" : "");
}

// One key of [lctool]: known to some command; taken if this command knows it.
static int common_key(struct reading *r, const char *key, const char *value, struct err *e)
{
    const struct opt *any = NULL;
    for (const struct command *const *c = r->all; *c && !any; c++)
        any = find_key(*c, key);
    if (!any)
        return unknown_key(r, NULL, "lctool", key, e);
    if (find_key(r->command, key))
        return opt_set(r->o, key, value, OPT_FROM_COMMON_SECTION, e);
    return opt_check(any, value, e);
}

static int section_key(struct reading *r, const char *section, const char *key, const char *value,
                       struct err *e)
{
    const struct command *c = find_command(r, section);
    if (!c) {
        struct suggest s = {.word = section};
        suggest_offer(&s, "lctool");
        for (const struct command *const *each = r->all; *each; each++)
            suggest_offer(&s, (*each)->name);
        return err_set(e, ERR_USAGE, "unknown section [%s]%s%s%s", section,
                       s.best ? "; did you mean [" : "", s.best ? s.best : "", s.best ? "]?" : "");
    }
    const struct opt *row = find_key(c, key);
    if (!row)
        return unknown_key(r, c, section, key, e);
    return c == r->command ? opt_set(r->o, key, value, OPT_FROM_SECTION, e)
                           : opt_check(row, value, e);
}

static int on_key(void *arg, const char *section, const char *key, const char *value, struct err *e)
{
    struct reading *r = arg;
    if (!*section)
        return err_set(e, ERR_USAGE, "a key before the first [section]");
    if (!strcmp(section, "lctool"))
        return common_key(r, key, value, e);
    return section_key(r, section, key, value, e);
}

int config_read(const char *path, const struct command *const *all, const struct command *command,
                struct opts *o, struct err *e)
{
    struct reading r = {.all = all, .command = command, .o = o};
    return inifile_read(path, on_key, &r, e);
}

static int xdg(char *buf, size_t cap, const char *variable, const char *under_home,
               const char *tail, struct err *e)
{
    // The XDG specification: relative paths in these variables are to be ignored.
    const char *base = getenv(variable), *home = getenv("HOME");
    int n;
    *buf = 0;
    if (base && *base == '/')
        n = snprintf(buf, cap, "%s/%s", base, tail);
    else if (home && *home)
        n = snprintf(buf, cap, "%s/%s/%s", home, under_home, tail);
    else
        return 0;
    return (size_t)n < cap ? 0 : err_set(e, ERR_USAGE, "$%s is too long", variable);
}

int config_path(char *buf, size_t cap, struct err *e)
{
    return xdg(buf, cap, "XDG_CONFIG_HOME", ".config", "lctool/lctool.ini", e);
}

int config_profiles_dir(char *buf, size_t cap, struct err *e)
{
    return xdg(buf, cap, "XDG_DATA_HOME", ".local/share", "lctool/profiles", e);
}

int config_models_dir(char *buf, size_t cap, struct err *e)
{
    return xdg(buf, cap, "XDG_DATA_HOME", ".local/share", "lctool/models", e);
}

int config_embedders_dir(char *buf, size_t cap, struct err *e)
{
    return xdg(buf, cap, "XDG_DATA_HOME", ".local/share", "lctool/embedders", e);
}

int config_cache_dir(char *buf, size_t cap, struct err *e)
{
    return xdg(buf, cap, "XDG_CACHE_HOME", ".cache", "lctool", e);
}
