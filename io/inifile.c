#include "io/inifile.h"

#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/file.h"

enum { BYTES_MAX = 1 << 20 };

struct reading {
    const char *path;
    const char *next; // the rest of the file
    int line;         // of what was handed to inih last
    inifile_key *on_key;
    void *arg;
    int rc; // the first mistake
    struct err *e;
};

static void mistake(struct reading *r, const char *what)
{
    // WHAT may point to the message in e, which err_set overwrites.
    char copy[sizeof r->e->msg];
    snprintf(copy, sizeof copy, "%s", what);
    r->rc = err_set(r->e, ERR_USAGE, "%s:%d: %s", r->path, r->line, copy);
}

// Whether anything but a comment follows a [section] on its line; inih would ignore it.
static int is_crowded(const char *line, const char *end)
{
    const char *at = *line == '[' ? memchr(line, ']', (size_t)(end - line)) : NULL;
    if (!at)
        return 0;
    do
        at++;
    while (at < end && strchr(" \t\r", *at));
    return at < end && *at != ';' && *at != '#';
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
    if (is_crowded(line, end)) {
        mistake(r, "more than a [section] on its line");
        return NULL;
    }
    memcpy(buf, line, n);
    memcpy(buf + n, "\n", 2);
    return buf;
}

// inih wants non-zero for "go on".
static int on_key(void *user, const char *section, const char *key, const char *value)
{
    struct reading *r = user;
    if (!r->rc && r->on_key(r->arg, section, key, value, r->e))
        mistake(r, r->e->msg);
    return !r->rc;
}

int inifile_read(const char *path, inifile_key *each, void *arg, struct err *e)
{
    struct err own;
    char *text;
    size_t bytes;
    int rc = file_slurp(path, BYTES_MAX, &text, &bytes, e);
    if (rc)
        return rc;
    if (strlen(text) != bytes) {
        free(text);
        return err_set(e, ERR_FORMAT, "%s: not a text file", path);
    }
    struct reading r = {.path = path, .next = text, .on_key = each, .arg = arg, .e = e ? e : &own};
    int line = ini_parse_stream(next_line, &r, on_key, &r);
    if (!r.rc && line) {
        r.line = line;
        mistake(&r, "neither a [section] nor 'key = value'");
    }
    free(text);
    return r.rc;
}
