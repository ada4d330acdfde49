#define _GNU_SOURCE
#include "engine/tables/unpacked.h"

#include <stdio.h>
#include <stdlib.h>

#include "engine/lines/lines.h"
#include "engine/lines/object.h"

enum {
    MOST = 1 << 14, // bytes that are unpacked
    INDENT = 2,
    DEEPEST = 64 // brackets in one another that lines are set in by
};

static void new_line(FILE *out, int depth)
{
    fprintf(out, "\n%*s", INDENT * (depth < DEEPEST ? depth : DEEPEST), "");
}

static void write_label(FILE *out, const char *text, struct span_of_text label)
{
    if (span_bytes(label))
        fprintf(out, "\"%.*s\": ", (int)span_bytes(label), text + label.from);
}

// Writes text[S), an object or a list, of which each line is set in by DEPTH; *PLACE: where byte AT
// is written.
static void write_all(FILE *out, const char *text, struct span_of_text s, int depth, size_t at,
                      size_t *place)
{
    for (size_t i = s.from, end; i < s.to; i = end) {
        const int word = text[i] == '"';
        end = word ? object_end(text, i, s.to) : i + 1;
        end = end ? end : s.to;
        if (at >= i && at < end)
            *place = (size_t)ftell(out) + at - i;
        if (is_one_of(text[i], "}]"))
            new_line(out, --depth);
        if (word || !is_space(text[i]))
            fwrite(text + i, 1, end - i, out);
        if (text[i] == ':')
            fputc(' ', out);
        if (is_one_of(text[i], "{["))
            new_line(out, ++depth);
        if (text[i] == ',')
            new_line(out, depth);
    }
}

// Whether LINE is all that C says.
static int is_all(const struct lines *c, struct span_of_text line)
{
    const struct span_of_text all = span_trimmed(c->text, (struct span_of_text){0, c->n});
    return all.from >= line.from && all.to <= line.to;
}

// Writes what W is in around byte AT of C: the brackets from number OUTER on, up to byte TO.
static void write_in(struct unpacked *u, FILE *out, const struct lines *c,
                     const struct object_walk *w, int outer, size_t to, size_t at)
{
    int depth = 0;
    if (!is_all(c, line_at(c, at))) { // it is one of several
        fputc('[', out);
        new_line(out, ++depth);
    }
    for (int i = 0; i < outer; i++) {
        write_label(out, c->text, w->in[i].label);
        fputc(c->text[w->in[i].at], out);
        new_line(out, ++depth);
    }
    write_label(out, c->text, w->in[outer].label);
    write_all(out, c->text, (struct span_of_text){w->in[outer].at, to}, depth, at, &u->at);
    fputc('\n', out);
}

int unpacked_init(struct unpacked *u, const struct lines *c, size_t at, struct err *e)
{
    const struct span_of_text line = line_at(c, at);
    struct object_walk w;
    struct span_of_text label, value;
    int there;
    *u = (struct unpacked){0};
    object_begin(&w, c->text, line.from, line.to);
    while ((there = object_next(&w, &label, &value)) && value.from != at)
        ;
    for (int i = 0; there && i < w.depth; i++) {
        const size_t from = w.in[i].at, room = line.to - from,
                     to = object_end(c->text, from, room < MOST ? line.to : from + MOST);
        if (!to)
            continue;
        FILE *out = open_memstream(&u->text, &u->bytes);
        if (out)
            write_in(u, out, c, &w, i, to, at);
        if (!out || fclose(out))
            return err_set(e, ERR_NOMEM, "out of memory (unpacked)");
        u->own.from = w.in[w.depth - 1].at;
        u->own.to = object_end(c->text, u->own.from, line.to);
        return 1;
    }
    return 0;
}

void unpacked_done(struct unpacked *u)
{
    free(u->text);
}
