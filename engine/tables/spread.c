#define _GNU_SOURCE
#include "engine/tables/spread.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/lines/lines.h"
#include "engine/lines/setting.h"
#include "io/mem.h"

enum {
    INDENT = 2,
    DEEPEST = 64 // elements in one another
};

// A walk over elements.
struct walk {
    struct spread *x;
    FILE *out;
    const char *text;
    size_t at, end;
    int depth;
};

// Whether TEXT [n] begins with an element, and no line with blanks and an element.
static int is_flat(const char *text, size_t n)
{
    size_t at = span_trimmed(text, (struct span_of_text){0, n}).from;
    if (at == n || text[at] != '<')
        return 0;
    for (const char *p = text + at; (p = memchr(p, '\n', n - (size_t)(p - text)));) {
        const char *begin = ++p;
        while (p < text + n && is_one_of(*p, " \t"))
            p++;
        if (p > begin && p < text + n && *p == '<')
            return 0;
    }
    return 1;
}

// The byte behind the first WHAT from byte AT of W on; 0: there is none.
static size_t behind(const struct walk *w, size_t at, const char *what)
{
    const char *p = memmem(w->text + at, w->end - at, what, strlen(what));
    return p ? (size_t)(p - w->text) + strlen(what) : 0;
}

// Writes a line of bytes FROM to TO of W's text, in which blanks stand for line ends.
static int write_line(struct walk *w, size_t from, size_t to, struct err *e)
{
    struct spread *x = w->x;
    const int rc = MEM_GROW(x->lines, x->cap, (size_t)x->n + 1, e);
    if (rc)
        return rc;
    x->lines[x->n++] = (struct spread_line){(size_t)ftell(w->out), {from, to}};
    fprintf(w->out, "%*s", INDENT * w->depth, "");
    for (size_t i = from; i < to; i++)
        fputc(is_space(w->text[i]) ? ' ' : w->text[i], w->out);
    fputc('\n', w->out);
    return 1;
}

// Writes the tag at W's byte AT, with its text and its end where it has no other elements. Returns
// as spread_init does.
static int write_tag(struct walk *w, struct err *e)
{
    const size_t from = w->at, name = setting_tag(w->text + from, w->end - from),
                 to = behind(w, from, ">"), next = to ? behind(w, to, "<") : 0;
    const int closes = name && w->text[from + 1] == '/', alone = to && w->text[to - 2] == '/';
    if (!name || !to || (closes && !w->depth) || w->depth == DEEPEST)
        return 0;
    w->at = to;
    w->depth -= closes;
    if (!closes && !alone && next && next < w->end && w->text[next] == '/') { // it has only text
        const size_t end = behind(w, next, ">");
        if (!end || end - next < name || memcmp(w->text + next + 1, w->text + from + 1, name - 1))
            return 0;
        w->at = end;
        return write_line(w, from, end, e);
    }
    const int rc = write_line(w, from, to, e);
    w->depth += !closes && !alone;
    return rc;
}

// The next element, or what is passed over: a declaration, a comment, blanks.
static int write_next(struct walk *w, struct err *e)
{
    const char *p = w->text + w->at;
    const size_t left = w->end - w->at;
    if (is_space(*p)) {
        w->at++;
        return 1;
    }
    if (*p != '<')
        return 0;
    if (left > 1 && is_one_of(p[1], "?!")) {
        const int comment = left > 4 && !memcmp(p, "<!--", 4);
        if (p[1] == '!' && !comment && left > 2 && p[2] == '[')
            return 0;
        const size_t to = behind(w, w->at, comment ? "-->" : ">");
        w->at = to ? to : w->end;
        return to > 0;
    }
    return write_tag(w, e);
}

int spread_init(struct spread *x, const struct lines *c, struct err *e)
{
    *x = (struct spread){0};
    if (!is_flat(c->text, c->n))
        return 0;
    FILE *out = open_memstream(&x->text, &x->bytes);
    struct walk w = {.x = x, .out = out, .text = c->text, .end = c->n};
    int rc = out ? 1 : 0;
    while (rc > 0 && w.at < w.end)
        rc = write_next(&w, e);
    if (!out || fclose(out))
        return err_set(e, ERR_NOMEM, "out of memory (spread)");
    return rc > 0 ? !w.depth && x->n > 0 : rc;
}

void spread_done(struct spread *x)
{
    free(x->text);
    free(x->lines);
}

struct span_of_text spread_source(const struct spread *x, size_t at)
{
    for (int i = 0; i < x->n; i++)
        if (x->lines[i].at == at)
            return x->lines[i].source;
    return (struct span_of_text){0};
}
