#include "engine/tables/fields.h"

#include <string.h>

#include "engine/lines/label.h"
#include "engine/lines/lines.h"
#include "engine/lines/nested.h"
#include "engine/lines/record.h"
#include "engine/lines/setting.h"

enum { ALONE = 4096 }; // the column of an element that is a record by itself

// S without white space, a comma at the end and quotation marks.
static struct span_of_text bare(const struct lines *c, struct span_of_text s)
{
    s = span_trimmed(c->text, s);
    s.to -= s.to > s.from && c->text[s.to - 1] == ',';
    if (span_bytes(s) > 1 && is_one_of(c->text[s.from], "\"'") &&
        c->text[s.to - 1] == c->text[s.from])
        return (struct span_of_text){s.from + 1, s.to - 1};
    return s;
}

static size_t find(const struct lines *c, size_t from, size_t to, char what)
{
    while (from < to && c->text[from] != what)
        from++;
    return from;
}

// The attributes of the tag AT to END: V [FIELDS_MOST - 1].
static int attributes(const struct lines *c, size_t at, size_t end, struct field *v)
{
    int n = 0;
    while (n < FIELDS_MOST - 1) {
        const size_t equals = find(c, at, end, '=');
        if (equals + 1 >= end || !is_one_of(c->text[equals + 1], "\"'"))
            return n;
        const size_t close = find(c, equals + 2, end, c->text[equals + 1]);
        if (close == end)
            return n;
        v[n++] = (struct field){bare(c, (struct span_of_text){at, equals}), {equals + 2, close}};
        at = close + 1;
    }
    return n;
}

// The fields of the element of bytes AT to END.
static int fields_of_element(const struct lines *c, size_t at, size_t end, struct field *v)
{
    const size_t name = setting_tag(c->text + at, end - at), tag_end = find(c, at, end, '>');
    if (!name || c->text[at + 1] == '/' || tag_end == end)
        return 0;
    const size_t close = find(c, tag_end, end, '<');
    int n = attributes(c, at + name, tag_end, v);
    v[n++] = (struct field){{at + 1, at + name}, {tag_end + 1, close < end ? close : tag_end + 1}};
    return n;
}

int fields_of_line(const struct lines *c, size_t start, struct field *v)
{
    const struct setting own = setting_at(c, start);
    size_t at = setting_words(c, start), end = line_trimmed(c, at, line_end(c, start)), n;
    if (at < end && c->text[at] == '<')
        return fields_of_element(c, at, end, v);
    if (own.kind == SETTING_NONE) { // its label may have several words
        const char *label = label_at(c, start, &n);
        if (!label || own.in)
            return 0;
        at = (size_t)(label - c->text);
        *v = (struct field){{at, at + n}, bare(c, (struct span_of_text){at + n + 1, end})};
        return c->text[at + n] == ':';
    }
    if (own.kind != SETTING_VALUE && own.kind != SETTING_OPENS)
        return 0;
    for (at += own.item ? 1 : 0; at < end && is_space(c->text[at]);)
        at++;
    const size_t colon = find(c, at, end, ':');
    size_t stop = end;
    for (size_t i = colon; i + 1 < end && stop == end; i++) // a comment
        stop = i + 2 < end && !memcmp(c->text + i, " # ", 3) ? i : end;
    if (colon == end)
        return 0;
    *v = (struct field){bare(c, (struct span_of_text){at, colon}),
                        bare(c, (struct span_of_text){colon + 1, stop})};
    if (own.kind == SETTING_OPENS)
        v->value.to = v->value.from;
    return 1;
}

size_t fields_column(const struct lines *c, size_t start)
{
    const struct setting own = setting_at(c, start);
    size_t at = setting_words(c, start) + 1;
    while (own.item && is_space(c->text[at]))
        at++;
    return own.item ? own.in + at - setting_words(c, start) : own.in;
}

static int is_tag(const struct lines *c, size_t line)
{
    const size_t at = setting_words(c, line);
    return at < c->n && c->text[at] == '<';
}

static int is_object(const struct lines *c, size_t line)
{
    const size_t at = setting_words(c, line);
    return at < c->n && c->text[at] == '{' && setting_at(c, line).kind == SETTING_OPENS;
}

size_t fields_opener(const struct lines *c, size_t start)
{
    const struct setting own = setting_at(c, start);
    for (size_t at = start; at > 0;) {
        at = line_start(c, at - 1);
        const struct setting up = setting_at(c, at);
        if (up.kind == SETTING_NONE)
            return c->n;
        if (up.kind != SETTING_EMPTY &&
            (up.in < own.in || (up.in == own.in && own.item && !up.item)))
            return up.kind == SETTING_OPENS || up.item ? at : c->n;
    }
    return c->n;
}

// Whether what the line at byte START is next to is all of a document, as what is within its
// outermost bracket or element.
static int holds_all(const struct lines *c, size_t start)
{
    const size_t up = fields_opener(c, start);
    return !setting_at(c, start).in || up == c->n ||
           (!setting_at(c, up).in && (is_tag(c, up) || is_object(c, up)));
}

// The end of the group that the line at byte START opens.
static size_t group_end(const struct lines *c, size_t start)
{
    const struct setting top = setting_at(c, start);
    size_t end = line_end(c, start);
    for (size_t at = end + 1; at < c->n; at = line_end(c, at) + 1) {
        const struct setting own = setting_at(c, at);
        if (own.kind == SETTING_EMPTY)
            continue;
        if (own.kind == SETTING_NONE ||
            !(own.in > top.in || (own.in == top.in && own.item && !top.item)))
            break;
        end = line_end(c, at);
    }
    return end;
}

// The lines at the column of the one at byte START, with what is set in below them.
static void siblings(struct fields_scope *s, const struct lines *c, size_t start)
{
    const size_t column = fields_column(c, start);
    *s = (struct fields_scope){.top = start, .end = line_end(c, start), .column = column};
    for (size_t at = start; at > 0 && !setting_at(c, s->top).item;) {
        at = line_start(c, at - 1);
        const struct setting up = setting_at(c, at);
        if (up.kind == SETTING_EMPTY)
            continue;
        if (up.kind == SETTING_NONE || fields_column(c, at) < column) {
            s->top = up.kind == SETTING_OPENS && is_tag(c, at) ? at : s->top;
            break;
        }
        if (fields_column(c, at) == column)
            s->top = at;
    }
    for (size_t at = s->end + 1; at < c->n; at = line_end(c, at) + 1) {
        const struct setting own = setting_at(c, at);
        if (own.kind == SETTING_EMPTY)
            continue;
        if (own.kind == SETTING_NONE || own.in < column)
            break;
        s->end = line_end(c, at);
    }
}

int fields_scope_begin(struct fields_scope *s, const struct lines *c, size_t start)
{
    struct field v[FIELDS_MOST];
    size_t top, end;
    if (!is_tag(c, start) && !fields_column(c, start)) {
        if (!record_run(c, start, &top, &end))
            return 0;
        *s = (struct fields_scope){.top = top, .end = end};
        return 1;
    }
    const struct setting own = setting_at(c, start);
    const size_t next = line_end(c, start) + 1;
    if (own.kind == SETTING_NONE)
        return 0;
    if (is_tag(c, start) && next < c->n && setting_at(c, next).in > own.in)
        start = next;
    else if (is_tag(c, start) && fields_of_line(c, start, v) > 1) {
        *s = (struct fields_scope){.top = start, .end = next - 1, .column = ALONE};
        return 1;
    }
    siblings(s, c, start);
    return 1;
}

// Whether the line at byte START is of an element that is in a list of elements of its name.
static int is_listed(const struct lines *c, size_t start)
{
    const size_t up = is_tag(c, start) ? fields_opener(c, start) : c->n;
    return up < c->n && is_tag(c, up) && nested_is_list(c, up);
}

int fields_scope_widen(struct fields_scope *s, const struct lines *c)
{
    size_t up = s->top;
    if (s->column == ALONE) {
        up = is_listed(c, up) ? fields_opener(c, up) : up;
    } else {
        if (!setting_at(c, up).item &&
            !(is_tag(c, up) && setting_at(c, up).kind == SETTING_OPENS && s->column))
            up = s->column ? fields_opener(c, up) : c->n;
        if (up < c->n && (is_object(c, up) || setting_at(c, up).item || is_listed(c, up)))
            up = fields_opener(c, up);
    }
    if (up == c->n || holds_all(c, up))
        return 0;
    const size_t end = group_end(c, up);
    siblings(s, c, up);
    s->skip = up;
    s->skip_end = end;
    return 1;
}
