#include "engine/lines/object.h"

#include "engine/lines/lines.h"

static size_t past_gap(const char *text, size_t at, size_t to)
{
    while (at < to && is_gap(text[at]))
        at++;
    return at;
}

// The byte behind the string that begins with byte FROM of TEXT; 0: it does not end before byte TO.
static size_t string_end(const char *text, size_t from, size_t to)
{
    for (size_t at = from + 1; at < to; at++)
        if (text[at] == '\\')
            at++;
        else if (text[at] == '"')
            return at + 1;
    return 0;
}

// The byte behind the label and its colon that begin with byte FROM of TEXT; 0: none do.
static size_t label_end(const char *text, size_t from, size_t to)
{
    const size_t end = from < to && text[from] == '"' ? string_end(text, from, to) : 0,
                 colon = end ? past_gap(text, end, to) : to;
    return colon < to && text[colon] == ':' ? colon + 1 : 0;
}

int object_is_line(const char *text, size_t n)
{
    size_t at = past_gap(text, 0, n);
    while (n > at && (is_space(text[n - 1]) || text[n - 1] == ','))
        n--;
    if (at == n || !is_one_of(text[at], "{[\"") || !is_one_of(text[n - 1], "}]"))
        return 0;
    const size_t label = label_end(text, at, n);
    at = past_gap(text, label ? label : at, n);
    while (at < n && text[at] == '[')
        at = past_gap(text, at + 1, n);
    return at < n && text[at] == '{' && label_end(text, past_gap(text, at + 1, n), n) > 0;
}

void object_begin(struct object_walk *w, const char *text, size_t from, size_t to)
{
    *w = (struct object_walk){.text = text, .at = from, .end = to};
}

static void open_bracket(struct object_walk *w)
{
    if (w->depth < OBJECT_DEPTH)
        w->in[w->depth] = (struct object_open){w->at, w->label};
    w->depth++;
    w->at++;
    w->label = (struct span_of_text){0};
}

// The next string or number, with its quotation marks, which is a label where W has none and a
// colon is behind it. 1: it is the VALUE of a label.
static int next_word(struct object_walk *w, struct span_of_text *value)
{
    const size_t from = w->at;
    const int quoted = w->text[from] == '"';
    size_t to = quoted ? string_end(w->text, from, w->end) : from;
    while (!quoted && to < w->end && !is_space(w->text[to]) && !is_one_of(w->text[to], ",:{}[]\""))
        to++;
    w->at = to > from ? to : w->end;
    if (to <= from) // a string that does not end
        return 0;
    *value = (struct span_of_text){from + (size_t)quoted, to - (size_t)quoted};
    const size_t colon = past_gap(w->text, to, w->end);
    if (!span_bytes(w->label) && quoted && colon < w->end && w->text[colon] == ':') {
        w->label = *value;
        w->at = colon + 1;
        return 0;
    }
    return span_bytes(w->label) > 0;
}

int object_next(struct object_walk *w, struct span_of_text *label, struct span_of_text *value)
{
    while (w->at < w->end) {
        const char own = w->text[w->at];
        if (is_one_of(own, "{[")) {
            open_bracket(w);
        } else if (is_one_of(own, "}]")) {
            w->at = --w->depth > 0 ? w->at + 1 : w->end;
        } else if (is_space(own) || is_one_of(own, ",:")) {
            w->at++;
        } else if (next_word(w, value)) {
            *label = w->label;
            w->label = (struct span_of_text){0};
            if (w->depth > 0 && w->depth <= OBJECT_DEPTH)
                return 1;
        }
    }
    return 0;
}

size_t object_end(const char *text, size_t from, size_t to)
{
    int depth = 0;
    for (size_t at = from; at < to; at++) {
        if (text[at] == '"') {
            const size_t end = string_end(text, at, to);
            if (!end || !depth)
                return end;
            at = end - 1;
        }
        depth += is_one_of(text[at], "{[") ? 1 : is_one_of(text[at], "}]") ? -1 : 0;
        if (depth <= 0)
            return at + 1;
    }
    return 0;
}

// Whether the line around byte AT of C has more bytes than a sentence, or may have: C begins or
// ends within it, which is why its brackets are not all there.
static int is_long(const struct lines *c, size_t at)
{
    size_t from = at, to = at;
    while (from > 0 && to - from <= LONGEST_SENTENCE && c->text[from - 1] != '\n')
        from--;
    while (to < c->n && to - from <= LONGEST_SENTENCE && c->text[to] != '\n')
        to++;
    return to - from > LONGEST_SENTENCE ||
           ((!from || to == c->n) && !object_is_line(c->text + from, to - from));
}

int object_divides(const struct lines *c, size_t i)
{
    if (c->text[i] != ',' || i < 2 || i + 3 >= c->n)
        return 0;
    const size_t next = i + 1 + (c->text[i + 1] == ' ');
    return c->text[i - 1] == '}' && c->text[next] == '{' && c->text[next + 1] == '"' &&
           is_long(c, i);
}
