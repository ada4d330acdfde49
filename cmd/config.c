#define _GNU_SOURCE
#include "cmd/config.h"

#include <ini.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/suggest.h"
#include "io/file.h"

enum { CONFIG_BYTES_MAX = 1 << 20 };

struct reading {
    const char *path;
    const char *next; // the rest of the file
    int line;         // of what was handed to inih last
    const struct command *const *all;
    const struct command *command;
    struct opts *o;
    int rc;           // the first mistake
    struct err *e;
};

static int mistake(struct reading *r, const char *what)
{
    // WHAT may be the message that e holds now.
    char copy[sizeof r->e->msg];
    snprintf(copy, sizeof copy, "%s", what);
    return r->rc = err_set(r->e, ERR_USAGE, "%s:%d: %s", r->path, r->line, copy);
}

// fgets for inih. It counts lines, which inih does not tell its handler, and hands over a line
// without the white space before it, which inih would take for the continuation of the last value.
static char *next_line(char *buf, int cap, void *stream)
{
    struct reading *r = stream;
    if (r->rc || !*r->next)
        return NULL;
    size_t n = strcspn(r->next, "\n");
    const char *line = r->next, *end = line + n;
    r->next = *end ? end + 1 : end;
    r->line++;
    while (line < end && strchr(" \t\r", *line))
        line++;
    n = (size_t)(end - line);
    if (n + 2 > (size_t)cap) {
        mistake(r, "the line is too long");
        return NULL;
    }
    memcpy(buf, line, n);
    memcpy(buf + n, "\n", 2);
    return buf;
}

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

static int unknown_key(struct reading *r, const struct command *c, const char *section, const char *key)
{
    struct suggest s = {.word = key};
    char msg[256];
    offer_keys(&s, common_options);
    for (const struct command *const *each = r->all; *each; each++)
        if (!c || c == *each)
            offer_keys(&s, (*each)->options);
    snprintf(msg, sizeof msg, "unknown key '%s' in [%s]%s%s%s", key, section,
             s.best ? "; did you mean '" : "", s.best ? s.best : "", s.best ? "'?" : "");
    return mistake(r, msg);
}

// One key of [lctool]: known to some command; taken if this command knows it.
static int common_key(struct reading *r, const char *key, const char *value)
{
    const struct opt *any = NULL;
    for (const struct command *const *c = r->all; *c && !any; c++)
        any = find_key(*c, key);
    if (!any)
        return unknown_key(r, NULL, "lctool", key);
    if (find_key(r->command, key)) {
        if (opt_set(r->o, key, value, OPT_FROM_COMMON_SECTION, r->e))
            return mistake(r, r->e->msg);
    } else if (opt_check(any, value, r->e)) {
        return mistake(r, r->e->msg);
    }
    return 0;
}

static int section_key(struct reading *r, const char *section, const char *key, const char *value)
{
    const struct command *c = find_command(r, section);
    if (!c) {
        struct suggest s = {.word = section};
        suggest_offer(&s, "lctool");
        for (const struct command *const *each = r->all; *each; each++)
            suggest_offer(&s, (*each)->name);
        char msg[256];
        snprintf(msg, sizeof msg, "unknown section [%s]%s%s%s", section, s.best ? "; did you mean [" : "",
                 s.best ? s.best : "", s.best ? "]?" : "");
        return mistake(r, msg);
    }
    const struct opt *row = find_key(c, key);
    if (!row)
        return unknown_key(r, c, section, key);
    if (c == r->command ? opt_set(r->o, key, value, OPT_FROM_SECTION, r->e) : opt_check(row, value, r->e))
        return mistake(r, r->e->msg);
    return 0;
}

// inih wants non-zero for "go on".
static int on_key(void *user, const char *section, const char *key, const char *value)
{
    struct reading *r = user;
    if (r->rc)
        return 0;
    if (!*section)
        mistake(r, "a key before the first [section]");
    else if (!strcmp(section, "lctool"))
        common_key(r, key, value);
    else
        section_key(r, section, key, value);
    return !r->rc;
}

int config_read(const char *path, const struct command *const *all, const struct command *command,
                struct opts *o, struct err *e)
{
    char *text;
    size_t bytes;
    int rc = file_slurp(path, CONFIG_BYTES_MAX, &text, &bytes, e);
    if (rc)
        return rc;
    if (strlen(text) != bytes) {
        free(text);
        return err_set(e, ERR_FORMAT, "%s: not a text file", path);
    }
    struct reading r = {
        .path = path, .next = text, .all = all, .command = command, .o = o, .e = e};
    int line = ini_parse_stream(next_line, &r, on_key, &r);
    if (!r.rc && line) {
        r.line = line;
        mistake(&r, "neither a [section] nor 'key = value'");
    }
    free(text);
    return r.rc;
}

static int xdg(char *buf, size_t cap, const char *variable, const char *under_home, const char *tail,
               struct err *e)
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

int config_models_dir(char *buf, size_t cap, struct err *e)
{
    return xdg(buf, cap, "XDG_DATA_HOME", ".local/share", "lctool/models", e);
}
