#include "engine/rows/object_rows.h"

#include <string.h>

#include "engine/lines/lines.h"
#include "engine/lines/object.h"

static size_t past_space(const struct lines *c, size_t at)
{
    while (at < c->n && is_space(c->text[at]))
        at++;
    return at;
}

// The object that begins with byte AT of C, and with a label; {0}: none does.
static struct span_of_text object_at(const struct lines *c, size_t at)
{
    enum { LONGEST = 4000 }; // bytes
    if (at >= c->n || c->text[at] != '{')
        return (struct span_of_text){0};
    const size_t label = past_space(c, at + 1);
    const size_t most = c->n - at < LONGEST ? c->n : at + LONGEST;
    const size_t to = label < c->n && c->text[label] == '"' ? object_end(c->text, at, most) : 0;
    return to ? (struct span_of_text){at, to} : (struct span_of_text){0};
}

// Whether the line of C at byte AT is an object, and the one below it as well.
static int is_of_lines(const struct lines *c, size_t at)
{
    for (int i = 0; i < 2; i++) {
        if (at >= c->n)
            return 0;
        const struct span_of_text line = line_at(c, at), own = object_at(c, line.from);
        if (!own.to || past_space(c, own.to) < line.to)
            return 0;
        at = line.to + 1;
    }
    return 1;
}

struct span_of_text object_rows_first(const struct lines *c, size_t at)
{
    if ((!at || c->text[at - 1] == '\n') && is_of_lines(c, at))
        return object_at(c, at);
    // Not to the end of the line at once: one line may have many lists.
    for (; at < c->n && c->text[at] != '\n'; at++) {
        const struct span_of_text own =
            c->text[at] == '[' ? object_at(c, past_space(c, at + 1)) : (struct span_of_text){0};
        if (own.to)
            return own;
    }
    return (struct span_of_text){0};
}

struct span_of_text object_rows_next(const struct lines *c, size_t at)
{
    at = past_space(c, at);
    return object_at(c, at < c->n && c->text[at] == ',' ? past_space(c, at + 1) : at);
}

int object_rows_go_on(const struct lines *c, size_t at, size_t to)
{
    at = past_space(c, at);
    return at < c->n && c->text[at] == ',' && past_space(c, at + 1) != to;
}

// What OBJECT of TEXT has for LABEL.
static struct span_of_text value_of(const char *text, struct span_of_text object,
                                    struct span_of_text label)
{
    struct object_walk w;
    struct span_of_text own, value;
    object_begin(&w, text, object.from, object.to);
    while (object_next(&w, &own, &value)) {
        if (w.depth != 1 || !span_is_same(text, own, label))
            continue;
        const int none = text[value.from - 1] != '"' && span_bytes(value) == 4 &&
                         !memcmp(text + value.from, "null", 4);
        return none ? (struct span_of_text){value.from, value.from} : span_trimmed(text, value);
    }
    return (struct span_of_text){object.from, object.from};
}

int object_rows_cells(const char *text, struct span_of_text head, struct span_of_text row,
                      struct span_of_text *names, struct span_of_text *cells, int most)
{
    struct object_walk w;
    struct span_of_text label, value;
    int n = 0;
    object_begin(&w, text, head.from, head.to);
    while (n < most && object_next(&w, &label, &value))
        if (w.depth == 1)
            names[n++] = label;
    for (int i = 0; i < n; i++)
        cells[i] = value_of(text, row, names[i]);
    return n;
}
