#include "engine/text/nested.h"

#include "engine/text/lines.h"

enum kind {
    OTHER,   // not a setting: prose, code
    NOTHING, // empty, a bracket, a comment
    SETTING, // a name and its value
    OPENS    // a name whose value is below it
};

struct line {
    enum kind kind;
    size_t in; // columns of indentation
    int item;  // 1: it begins with a dash
};

static int is_of_name(char c)
{
    return is_digit(c) || is_lower(c) || is_upper(c) || is_one_of(c, "_-./\"'");
}

static int begins_comment(const char *text, size_t n)
{
    return n && (*text == '#' || (n > 1 && text[0] == '/' && text[1] == '/'));
}

// What kind of line has the value TEXT [n] behind a name. If there is only a comment or an opening
// bracket, the value is on the lines below.
static enum kind kind_of_value(const char *text, size_t n)
{
    size_t at = 0;
    while (at < n && is_space(text[at]))
        at++;
    if (at == n || begins_comment(text + at, n - at))
        return OPENS;
    if (!at)
        return OTHER; // "12:30", "std::size_t"
    if (is_one_of(text[at], "{[") && !line_says_something(text + at, n - at) && n - at < 3)
        return OPENS;
    return SETTING;
}

static struct line line_at(const struct cut *c, size_t start)
{
    enum { LONGEST = 48 };
    const size_t end = line_end(c, start);
    size_t at = start;
    while (at < end && is_space(c->text[at]))
        at++;
    struct line own = {.in = line_width(c->text + start, at - start)};
    if (!line_says_something(c->text + at, end - at) || begins_comment(c->text + at, end - at)) {
        own.kind = NOTHING;
        return own;
    }
    own.item = at + 1 < end && c->text[at] == '-' && c->text[at + 1] == ' ';
    for (at += own.item ? 2 : 0; at < end && is_space(c->text[at]);)
        at++;
    const size_t name = at;
    while (at < end && is_of_name(c->text[at]) && at - name < LONGEST)
        at++;
    if (at > name && at < end && c->text[at] == ':')
        own.kind = kind_of_value(c->text + at + 1, end - at - 1);
    else // a list of single words
        own.kind = own.item && at == line_trimmed(c, name, end) ? SETTING : OTHER;
    return own;
}

// Whether LINE belongs to the group that TOP opens.
static int is_part(struct line line, struct line top)
{
    return line.in > top.in || (line.in == top.in && line.item && !top.item && top.kind == OPENS);
}

// Whether the line that begins with byte LINE closes a group.
static int closes(const struct cut *c, size_t line)
{
    while (line < c->n && is_one_of(c->text[line], " \t"))
        line++;
    return line < c->n && is_one_of(c->text[line], "}]");
}

int nested_apart(const struct cut *c, size_t line, size_t next)
{
    const enum kind own = line_at(c, line).kind, below = line_at(c, next).kind;
    return (own == OPENS || own == SETTING || (own == NOTHING && closes(c, line))) &&
           (below == OPENS || below == SETTING);
}

// The end of the last line of the group whose first line begins with byte START; 0: there is
// something else in it. *WHOLE: 1 if more text follows.
static size_t group_end(const struct cut *c, size_t start, int *whole)
{
    const struct line top = line_at(c, start);
    size_t end = line_end(c, start);
    for (size_t at = end + 1; at < c->n; at = line_end(c, at) + 1) {
        const struct line own = line_at(c, at);
        *whole = 1;
        if (own.kind == NOTHING)
            continue;
        if (!is_part(own, top))
            return end;
        if (own.kind == OTHER)
            return 0;
        end = line_end(c, at);
    }
    *whole = 0;
    return end;
}

// Where the line begins under which the line at byte START is indented; START: there is none.
static size_t above(const struct cut *c, size_t start)
{
    const struct line own = line_at(c, start);
    for (size_t at = start; at > 0;) {
        at = line_start(c, at - 1);
        const struct line top = line_at(c, at);
        if (top.kind == OTHER)
            return start;
        if (top.kind != NOTHING && is_part(own, top))
            return top.kind == OPENS || top.item ? at : start;
    }
    return start;
}

int nested_group(const struct cut *c, size_t *from, size_t *to, size_t *lead, size_t *lead_end)
{
    size_t top = line_start(c, *from), end = line_end(c, top), first = top;
    const enum kind kind = line_at(c, top).kind;
    int whole = 1, groups = 0;
    if (kind != SETTING && kind != OPENS)
        return 0;
    for (size_t up = top;; up = above(c, top)) {
        const size_t group = group_end(c, up, &whole);
        if (!group || group - up > CUT_LONGEST || (groups && !whole)) {
            first = up;
            break;
        }
        groups += group > line_end(c, up);
        top = first = up;
        end = group;
        if (above(c, top) == top)
            break;
    }
    if (!groups)
        return 0;
    *from = line_words(c, top, end);
    *to = line_trimmed(c, *from, end > *to ? end : *to);
    *lead = first < top ? line_words(c, first, line_end(c, first)) : *from;
    *lead_end = first < top ? line_trimmed(c, *lead, line_end(c, first)) : *lead;
    return 1;
}
