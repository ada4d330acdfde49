#include "engine/text/nested.h"

#include "engine/text/lines.h"

enum kind {
    OTHER,   // not a setting: prose, code
    NOTHING, // empty, a closing bracket or tag, a comment
    SETTING, // a name and its value, an element with its text, a value in a list
    OPENS    // a name whose value is below it, an opening tag, a bracket that opens a record
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

static int is_bare_bracket(const char *text, size_t n)
{
    return n == 1 && is_one_of(*text, "{[");
}

// Whether TEXT [n] is a string in quotation marks or a number, with or without a comma behind it.
static int is_value(const char *text, size_t n)
{
    size_t at = 0;
    n -= n > 1 && text[n - 1] == ',';
    if (n > 1 && *text == '"')
        return line_quotation(text, n, 0) == n - 1;
    while (at < n && (is_digit(text[at]) || is_one_of(text[at], "+-.eE")))
        at++;
    return n > 0 && at == n && (is_digit(*text) || *text == '-');
}

// Bytes of the name of the tag that TEXT [n] begins with, with "<" or "</"; 0: it begins with none
// ("<lena@x.example>", "<https://x.example>").
static size_t tag_name(const char *text, size_t n)
{
    size_t at = 1 + (n > 1 && text[1] == '/');
    if (at >= n || *text != '<' || !(is_lower(text[at]) || is_upper(text[at])))
        return 0;
    while (at < n && (is_of_name(text[at]) || text[at] == ':') && !is_one_of(text[at], "/\"'"))
        at++;
    return at < n && (is_one_of(text[at], " >") ||
                      (text[at] == '/' && at + 1 < n && text[at + 1] == '>'))
               ? at
               : 0;
}

// What kind of line TEXT [n] is, which begins with "<".
static enum kind kind_of_markup(const char *text, size_t n)
{
    size_t last = n;
    if (n > 2 && text[n - 1] == '>' && is_one_of(text[1], "!?"))
        return NOTHING;
    if (!tag_name(text, n) || text[n - 1] != '>')
        return OTHER;
    if (text[1] == '/')
        return NOTHING;
    while (text[last - 1] != '<')
        last--;
    if (text[n - 2] == '/' || text[last] == '/')
        return SETTING;
    return last == 1 ? OPENS : OTHER;
}

// The first byte of the line at byte START that is no white space, or its end.
static size_t words_at(const struct cut *c, size_t start)
{
    const size_t end = line_end(c, start);
    while (start < end && is_space(c->text[start]))
        start++;
    return start;
}

static struct line line_at(const struct cut *c, size_t start)
{
    enum { LONGEST = 48 };
    size_t at = words_at(c, start);
    const size_t end = line_trimmed(c, at, line_end(c, start));
    struct line own = {.in = line_width(c->text + start, at - start)};
    if (is_bare_bracket(c->text + at, end - at)) {
        own.kind = OPENS;
        return own;
    }
    if (!line_says_something(c->text + at, end - at) || begins_comment(c->text + at, end - at)) {
        own.kind = NOTHING;
        return own;
    }
    if (c->text[at] == '<' || (own.in && is_value(c->text + at, end - at))) {
        own.kind = c->text[at] == '<' ? kind_of_markup(c->text + at, end - at) : SETTING;
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
    line = words_at(c, line);
    return line < c->n && (is_one_of(c->text[line], "}]") ||
                           (c->text[line] == '<' && line + 1 < c->n && c->text[line + 1] == '/'));
}

int nested_apart(const struct cut *c, size_t line, size_t next)
{
    const enum kind own = line_at(c, line).kind, below = line_at(c, next).kind;
    return (own == OPENS || own == SETTING || (own == NOTHING && closes(c, line))) &&
           (below == OPENS || below == SETTING);
}

// The end of the last line of the group whose first line begins with byte START; 0: there is
// something else in it. *WHOLE: 1 if more text follows. Of one that is far too long only a part is
// looked at.
static size_t group_end(const struct cut *c, size_t start, int *whole)
{
    enum { FAR = 4 * CUT_LONGEST };
    const struct line top = line_at(c, start);
    size_t end = line_end(c, start);
    for (size_t at = end + 1; at < c->n && end - start < FAR; at = line_end(c, at) + 1) {
        const struct line own = line_at(c, at);
        *whole = 1;
        if (own.kind == NOTHING && closes(c, at) && own.in <= top.in)
            return end;
        if (own.kind == NOTHING)
            continue;
        if (!is_part(own, top))
            return end;
        if (own.kind == OTHER)
            return 0;
        end = line_end(c, at);
    }
    *whole = end - start >= FAR;
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

// What the line at byte START begins with, behind its indentation; 0: it is empty.
static char begins_with(const struct cut *c, size_t start)
{
    const size_t at = words_at(c, start);
    return at < line_end(c, start) ? c->text[at] : 0;
}

// Whether the line at byte START is only an opening bracket.
static int is_bracket(const struct cut *c, size_t start)
{
    return is_bare_bracket(c->text + words_at(c, start),
                           line_trimmed(c, words_at(c, start), line_end(c, start)) -
                               words_at(c, start));
}

// Whether the line at byte START is an opening bracket without one of a group above it: it holds a
// whole document, or an example in prose.
static int is_outermost(const struct cut *c, size_t start)
{
    size_t up = start;
    if (!is_bracket(c, start))
        return 0;
    while (up > 0 && (up == start || !begins_with(c, up)))
        up = line_start(c, up - 1);
    return up == start || (line_at(c, up).kind != OPENS && !closes(c, up));
}

// Whether the group at byte START has all of a document within it.
static int holds_all(const struct cut *c, size_t start)
{
    return is_bracket(c, start) || (begins_with(c, start) == '<' && !line_at(c, start).in);
}

// Whether the element that the line at byte START opens is a list: its parts have one name.
static int is_list(const struct cut *c, size_t start)
{
    const size_t first = line_end(c, start) + 1;
    if (first >= c->n)
        return 0;
    const size_t in = line_at(c, first).in, name = words_at(c, first),
                 n = tag_name(c->text + name, c->n - name);
    for (size_t at = line_end(c, first) + 1; n && at < c->n; at = line_end(c, at) + 1) {
        const size_t other = words_at(c, at);
        if (!closes(c, at) && line_at(c, at).in <= in)
            return line_at(c, at).in == in && tag_name(c->text + other, c->n - other) == n &&
                   !memcmp(c->text + name, c->text + other, n);
    }
    return 0;
}

// Whether the line at byte START opens a record: an item, an object in a list, an element within
// others that is no list.
static int is_record(const struct cut *c, size_t start)
{
    const struct line own = line_at(c, start);
    const char first = begins_with(c, start);
    if (own.item || own.kind != OPENS)
        return own.item;
    return first == '<' ? own.in > 0 && !is_list(c, start)
                        : first == '{' && is_bracket(c, start) && !is_outermost(c, start);
}

// The record that the line at byte START opens, or the nearest one that it is in; c->n: there is
// none.
static size_t record_at(const struct cut *c, size_t start)
{
    for (size_t up; !is_record(c, start); start = up)
        if ((up = above(c, start)) == start)
            return c->n;
    return start;
}

// Where the lines begin that say which record the one at byte START is: its tag and first setting,
// or two settings. *END: where they end, not behind byte MOST; START: they are too long.
static size_t record_head(const struct cut *c, size_t start, size_t most, size_t *end)
{
    enum { ROOM = CUT_LONGEST / 2 };
    while (start < most && line_at(c, start).kind != SETTING && begins_with(c, start) != '<')
        start = line_end(c, start) + 1;
    *end = start < most && line_end(c, start) - start < ROOM ? line_end(c, start) : start;
    if (*end > start && *end + 1 < most && line_at(c, *end + 1).kind == SETTING &&
        line_end(c, *end + 1) - start < ROOM)
        *end = line_end(c, *end + 1);
    return start;
}

// Extends TOP to END by whole lines within bytes FROM to TO, to as much as is read together: from
// the first line on where there is room for that, else on both sides alike, with room for LEAD
// bytes.
static void grow(const struct cut *c, size_t from, size_t to, size_t lead, size_t *top, size_t *end)
{
    const size_t most = CUT_LONGEST - (*end - from > CUT_LONGEST ? lead : 0);
    *top = *end - from <= most ? from : *top;
    for (size_t was = 0; was != *end - *top;) {
        was = *end - *top;
        if (*top > from && *end - line_start(c, *top - 1) <= most)
            *top = line_start(c, *top - 1);
        if (*end < to && line_end(c, *end + 1) - *top <= most)
            *end = line_end(c, *end + 1);
    }
}

// Leaves out of *FROM to *TO, lines of a group, those at both ends that only open or close one, and
// the last comma.
static void trim(const struct cut *c, size_t *from, size_t *to)
{
    while (line_end(c, *from) < *to && (line_at(c, *from).kind == NOTHING || is_bracket(c, *from)))
        *from = line_end(c, *from) + 1;
    for (size_t last; (last = line_start(c, *to)) > *from && line_at(c, last).kind != SETTING;)
        *to = last - 1;
    *from = line_words(c, *from, *to);
    *to = line_trimmed(c, *from, *to);
    *to -= *to > *from + 1 && c->text[*to - 1] == ',';
}

// The largest group, *TOP to *END, around the line at byte *TOP that is no longer than a sentence,
// and of which the end is there. Returns where the next larger one begins, *TOP if there is none.
static size_t largest(const struct cut *c, size_t *top, size_t *end, int *groups)
{
    int whole = 1;
    *groups = 0;
    for (size_t up = *top;; up = above(c, up)) {
        const size_t group = is_outermost(c, up) ? 0 : group_end(c, up, &whole);
        if (!group || group - up > CUT_LONGEST || (*groups && !whole))
            return up;
        *groups += group > line_end(c, up);
        *top = up;
        *end = group;
        if (above(c, up) == up)
            return up;
    }
}

int nested_from_above(const struct cut *c, size_t at)
{
    for (int settings = 0;; at--) {
        at = line_start(c, at);
        const struct line own = line_at(c, at);
        if (own.kind == OTHER || (own.kind != NOTHING && !own.in))
            return 0;
        settings |= own.kind != NOTHING;
        if (!at)
            return settings;
    }
}

int nested_goes_on(const struct cut *c, size_t at)
{
    int settings = 0;
    for (at = line_start(c, at); at < c->n; at = line_end(c, at) + 1) {
        const struct line own = line_at(c, at);
        if (own.kind == OTHER || (own.kind != NOTHING && !own.in))
            return 0;
        settings |= own.kind != NOTHING;
    }
    return settings;
}

int nested_group(const struct cut *c, size_t *from, size_t *to, size_t *lead, size_t *lead_end)
{
    size_t top = line_start(c, *from), end = line_end(c, top), group;
    const enum kind kind = line_at(c, top).kind;
    int whole, groups;
    if ((kind != SETTING && kind != OPENS) || end - top > CUT_LONGEST)
        return 0;
    const size_t first = largest(c, &top, &end, &groups), record = record_at(c, first);
    size_t head = first, head_end = holds_all(c, first) ? first : line_end(c, first);
    if (record < c->n)
        head = record_head(c, record, top, &head_end);
    if (record < c->n && (record == first || !groups) && (group = group_end(c, record, &whole)) &&
        (group > end || record < top)) {
        grow(c, record, group, head_end - head, &top, &end);
        groups = 1;
    }
    if (!groups)
        return 0;
    *lead = *lead_end = top;
    if (head < top && head < head_end) {
        *lead = line_words(c, head, head_end);
        *lead_end = line_trimmed(c, *lead, head_end < top ? head_end : top);
    }
    *from = top;
    *to = end;
    trim(c, from, to);
    return 1;
}
