#include "io/inifile.h"

#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/file.h"

enum { BYTES_MAX = 1 << 20 };

struct reading {
    const char *path;
    const char *next, *end; // the rest of the file
    int line;               // of what was handed to inih last
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

static int is_blank(char c)
{
    return c && strchr(" \t\r\v\f", c);
}

// The first of CHARS in AT .. END, as inih looks for it: not in a comment, which begins with a ';'
// after white space. NULL: there is none.
static const char *find(const char *at, const char *end, const char *chars)
{
    for (int after_space = 0; at < end && !(after_space && *at == ';'); at++) {
        if (strchr(chars, *at))
            return at;
        after_space = is_blank(*at);
    }
    return NULL;
}

// What is wrong with a line, or NULL. inih would go on and tell of the next mistake, and ignores
// what follows a [section].
static const char *wrong(const char *line, const char *end)
{
    const int is_section = line < end && *line == '[';
    if (memchr(line, 0, (size_t)(end - line)))
        return "a NUL byte, which is not text";
    if (line == end || strchr(";#", *line))
        return NULL;
    const char *at = is_section ? find(line + 1, end, "]") : find(line, end, "=:");
    if (!at)
        return "neither a [section] nor 'key = value'";
    if (!is_section)
        return NULL;
    do
        at++;
    while (at < end && is_blank(*at));
    return at < end && *at != ';' && *at != '#' ? "more than a [section] on its line" : NULL;
}

// fgets for inih. It counts lines, which inih does not tell its handler, and hands over a line
// without the white space around it; inih would take it for the continuation of the last value.
static char *next_line(char *buf, int cap, void *stream)
{
    struct reading *r = stream;
    if (r->rc || r->next == r->end)
        return NULL;
    const char *line = r->next, *end = memchr(line, '\n', (size_t)(r->end - line));
    r->next = end ? end + 1 : r->end;
    end = end ? end : r->end;
    r->line++;
    while (line < end && is_blank(*line))
        line++;
    while (line < end && is_blank(end[-1]))
        end--;
    const size_t n = (size_t)(end - line);
    // inih's limit leaves room for a CR, a LF and a NUL.
    const char *what = n + 3 > (size_t)cap ? "the line is too long" : wrong(line, end);
    if (what) {
        mistake(r, what);
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
    static const char bom[] = "\xef\xbb\xbf";
    struct err own;
    char *text;
    size_t bytes;
    int rc = file_slurp(path, BYTES_MAX, &text, &bytes, e);
    if (rc == ERR_FORMAT) // one that is too large is a mistake like those within
        rc = e ? (e->code = ERR_USAGE) : ERR_USAGE;
    if (rc)
        return rc;
    struct reading r = {.path = path,
                        .next = text,
                        .end = text + bytes,
                        .on_key = each,
                        .arg = arg,
                        .e = e ? e : &own};
    if (!strncmp(text, bom, sizeof bom - 1))
        r.next += sizeof bom - 1;
    int line = ini_parse_stream(next_line, &r, on_key, &r);
    if (!r.rc && line) {
        r.line = line;
        mistake(&r, "neither a [section] nor 'key = value'");
    }
    free(text);
    return r.rc;
}
