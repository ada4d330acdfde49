// Info files, as makeinfo writes manuals, to text: their nodes one behind another, without the
// lines that only serve to move from node to node, the index and the tables at the end.
#define _GNU_SOURCE
#include "io/form/texinfo.h"

#include <stdlib.h>
#include <string.h>

#include "io/bytes.h"
#include "io/mem.h"
#include "io/source/charset.h"
#include "io/source/sniff.h"
#include "io/source/stream.h"

enum { LINE_BYTES = 4096 }; // of a line that are looked at together

enum part {
    PART_TEXT,  // of a node
    PART_MENU,  // from its "* Menu:" on
    PART_INDEX, // of a node, whose menu is an index
    PART_BORDER,
    PART_TABLE // is no node
};

struct doc_texinfo {
    struct doc_charset *from; // borrowed
    struct charset_bytes in;

    struct bytes line; // with its end, unless it is the last one or too long,
    int goes_on;       // as the one before was
    enum part part;
    int leaves_out; // the line before
    size_t at_out;  // of the line that is put
};

// The next one, or as much of it as is looked at: 1, 0 after the last, or an error.
static int next_line(struct doc_texinfo *t, struct err *e)
{
    t->goes_on = t->line.n && t->line.p[t->line.n - 1] != '\n';
    t->line.n = t->at_out = 0;
    while (t->line.n < LINE_BYTES && !(t->line.n && t->line.p[t->line.n - 1] == '\n')) {
        const int next = charset_byte(t->from, &t->in, e);
        if (next < -1)
            return next + 1;
        if (next < 0)
            break;
        const int rc = bytes_put(&t->line, &t->in.in[t->in.at++], 1, e);
        if (rc)
            return rc;
    }
    return t->line.n > 0;
}

// The bytes of the line without the white space behind it.
static size_t trimmed(const struct doc_texinfo *t)
{
    size_t n = t->line.n;
    while (n && strchr(" \r\n", t->line.p[n - 1]))
        n--;
    return n;
}

static int line_begins(const struct doc_texinfo *t, const char *with)
{
    const size_t n = strlen(with);
    return t->line.n >= n && !memcmp(t->line.p, with, n);
}

// Whether the line is an entry of a menu that says no more than the heading of its node does:
// "* Installing::". What is said of the node may stand behind it or below.
static int is_bare_entry(const struct doc_texinfo *t)
{
    const size_t n = trimmed(t);
    return n > 2 && !memcmp(t->line.p + n - 2, "::", 2);
}

// Whether the line is no text, which depends on those before it.
static int is_left_out(struct doc_texinfo *t)
{
    static const char menu[] = "* Menu:", index[] = "\b[index"; // behind a NUL, or a blank for it
    if (t->goes_on)
        return t->leaves_out;
    if (line_begins(t, "\x1f\n") || line_begins(t, "\x1f\r\n") || line_begins(t, "\x1f\f")) {
        t->part = PART_BORDER;
        return 1;
    }
    if (t->part == PART_BORDER) {
        t->part = line_begins(t, "File:") ? PART_TEXT : PART_TABLE;
        return 1;
    }
    if (t->part == PART_TEXT && line_begins(t, menu) && trimmed(t) == sizeof menu - 1) {
        t->part = PART_MENU;
        return 1;
    }
    if (memmem(t->line.p, t->line.n, index, sizeof index - 1)) {
        t->part = PART_INDEX;
        return 1;
    }
    if (t->part == PART_TEXT || t->part == PART_TABLE)
        return t->part == PART_TABLE;
    if (t->line.p[0] == '*')
        return t->part == PART_INDEX || is_bare_entry(t);
    return strchr(" \t", t->line.p[0]) && t->leaves_out;
}

static ssize_t texinfo_read(void *self, void *buf, size_t cap, struct err *e)
{
    struct doc_texinfo *t = self;
    while (t->at_out == t->line.n) {
        const int rc = next_line(t, e);
        if (rc <= 0)
            return rc;
        if ((t->leaves_out = is_left_out(t)))
            t->at_out = t->line.n;
    }
    return stream_give(buf, cap, t->line.p, t->line.n, &t->at_out);
}

static void texinfo_close(void *self)
{
    struct doc_texinfo *t = self;
    free(t->line.p);
    free(t);
}

int texinfo_open(struct doc_form *out, const struct form_from *from, struct err *e)
{
    struct doc_texinfo *t = mem_new(1, sizeof *t, e);
    if (!t)
        return ERR_NOMEM;
    t->from = from->chars;
    *out = (struct doc_form){.self = t, .read = texinfo_read, .close = texinfo_close};
    return 0;
}
