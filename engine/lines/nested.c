#include "engine/lines/nested.h"

#include "engine/lines/lines.h"
#include "engine/lines/record.h"
#include "engine/lines/setting.h"

// Whether LINE belongs to the group that TOP opens.
static int is_part(struct setting line, struct setting top)
{
    return line.in > top.in ||
           (line.in == top.in && line.item && !top.item && top.kind == SETTING_OPENS);
}

// Whether the line that begins with byte LINE closes a group.
static int closes(const struct lines *c, size_t line)
{
    line = setting_words(c, line);
    return line < c->n && (is_one_of(c->text[line], "}]") ||
                           (c->text[line] == '<' && line + 1 < c->n && c->text[line + 1] == '/'));
}

int nested_apart(const struct lines *c, size_t line, size_t next)
{
    const enum setting_kind own = setting_at(c, line).kind, below = setting_at(c, next).kind;
    return (own == SETTING_OPENS || own == SETTING_VALUE ||
            (own == SETTING_EMPTY && closes(c, line))) &&
           (below == SETTING_OPENS || below == SETTING_VALUE);
}

// The end of the last line of the group whose first line begins with byte START; 0: there is
// something else in it. *WHOLE: 1 if more text follows. Of one that is far too long only a part is
// looked at.
static size_t group_end(const struct lines *c, size_t start, int *whole)
{
    enum { FAR = 4 * LONGEST_SENTENCE };
    const struct setting top = setting_at(c, start);
    size_t end = line_end(c, start);
    for (size_t at = end + 1; at < c->n && end - start < FAR; at = line_end(c, at) + 1) {
        const struct setting own = setting_at(c, at);
        *whole = 1;
        if (own.kind == SETTING_EMPTY && closes(c, at) && own.in <= top.in)
            return end;
        if (own.kind == SETTING_EMPTY)
            continue;
        if (!is_part(own, top))
            return end;
        if (own.kind == SETTING_NONE)
            return 0;
        end = line_end(c, at);
    }
    *whole = end - start >= FAR;
    return end;
}

// Where the line begins under which the line at byte START is indented; START: there is none.
static size_t above(const struct lines *c, size_t start)
{
    const struct setting own = setting_at(c, start);
    for (size_t at = start; at > 0;) {
        at = line_start(c, at - 1);
        const struct setting top = setting_at(c, at);
        if (top.kind == SETTING_NONE)
            return start;
        if (top.kind != SETTING_EMPTY && is_part(own, top))
            return top.kind == SETTING_OPENS || top.item ? at : start;
    }
    return start;
}

// What the line at byte START begins with, behind its indentation; 0: it is empty.
static char sign_of(const struct lines *c, size_t start)
{
    const size_t at = setting_words(c, start);
    return at < line_end(c, start) ? c->text[at] : 0;
}

// Whether the line at byte START is only an opening bracket.
static int is_bracket(const struct lines *c, size_t start)
{
    return setting_is_bracket(c->text + setting_words(c, start),
                              line_trimmed(c, setting_words(c, start), line_end(c, start)) -
                                  setting_words(c, start));
}

// Whether the line at byte START is an opening bracket without one of a group above it: it holds a
// whole document, or an example in prose.
static int is_outermost(const struct lines *c, size_t start)
{
    size_t up = start;
    if (!is_bracket(c, start))
        return 0;
    while (up > 0 && (up == start || !sign_of(c, up)))
        up = line_start(c, up - 1);
    return up == start || (setting_at(c, up).kind != SETTING_OPENS && !closes(c, up));
}

// Whether the group at byte START has all of a document within it.
static int holds_all(const struct lines *c, size_t start)
{
    return is_bracket(c, start) || (sign_of(c, start) == '<' && !setting_at(c, start).in);
}

int nested_is_list(const struct lines *c, size_t start)
{
    const size_t first = line_end(c, start) + 1;
    if (first >= c->n)
        return 0;
    const size_t in = setting_at(c, first).in, name = setting_words(c, first),
                 n = setting_tag(c->text + name, c->n - name);
    for (size_t at = line_end(c, first) + 1; n && at < c->n; at = line_end(c, at) + 1) {
        const size_t other = setting_words(c, at);
        if (!closes(c, at) && setting_at(c, at).in <= in)
            return setting_at(c, at).in == in && setting_tag(c->text + other, c->n - other) == n &&
                   !memcmp(c->text + name, c->text + other, n);
    }
    return 0;
}

// Whether the line at byte START opens a record: an item, an object in a list, an element within
// others that is no list.
static int is_record(const struct lines *c, size_t start)
{
    const struct setting own = setting_at(c, start);
    const char first = sign_of(c, start);
    if (own.item || own.kind != SETTING_OPENS)
        return own.item;
    return first == '<' ? own.in > 0 && !nested_is_list(c, start)
                        : first == '{' && is_bracket(c, start) && !is_outermost(c, start);
}

// The record that the line at byte START opens, or the nearest one that it is in; c->n: there is
// none.
static size_t record_at(const struct lines *c, size_t start)
{
    for (size_t up; !is_record(c, start); start = up)
        if ((up = above(c, start)) == start)
            return c->n;
    return start;
}

// Where the lines begin that say which record the one at byte START is: its tag and first setting,
// or two settings. *END: where they end, not behind byte MOST; START: they are too long.
static size_t record_head(const struct lines *c, size_t start, size_t most, size_t *end)
{
    enum { ROOM = LONGEST_SENTENCE / 2 };
    while (start < most && setting_at(c, start).kind != SETTING_VALUE && sign_of(c, start) != '<')
        start = line_end(c, start) + 1;
    *end = start < most && line_end(c, start) - start < ROOM ? line_end(c, start) : start;
    if (*end > start && *end + 1 < most && setting_at(c, *end + 1).kind == SETTING_VALUE &&
        line_end(c, *end + 1) - start < ROOM)
        *end = line_end(c, *end + 1);
    return start;
}

// Leaves out of *FROM to *TO, lines of a group, those at both ends that only open or close one, and
// the last comma.
static void trim(const struct lines *c, size_t *from, size_t *to)
{
    while (line_end(c, *from) < *to &&
           (setting_at(c, *from).kind == SETTING_EMPTY || is_bracket(c, *from)))
        *from = line_end(c, *from) + 1;
    for (size_t last;
         (last = line_start(c, *to)) > *from && setting_at(c, last).kind != SETTING_VALUE;)
        *to = last - 1;
    *from = line_words(c, *from, *to);
    *to = line_trimmed(c, *from, *to);
    *to -= *to > *from + 1 && c->text[*to - 1] == ',';
}

// The largest group, *TOP to *END, around the line at byte *TOP that is no longer than a sentence,
// and of which the end is there. Returns where the next larger one begins, *TOP if there is none.
static size_t largest(const struct lines *c, size_t *top, size_t *end, int *groups)
{
    int whole = 1;
    *groups = 0;
    for (size_t up = *top;; up = above(c, up)) {
        const size_t group = is_outermost(c, up) ? 0 : group_end(c, up, &whole);
        if (!group || group - up > LONGEST_SENTENCE || (*groups && !whole))
            return up;
        *groups += group > line_end(c, up);
        *top = up;
        *end = group;
        if (above(c, up) == up)
            return up;
    }
}

int nested_from_above(const struct lines *c, size_t at)
{
    for (int settings = 0;; at--) {
        at = line_start(c, at);
        const struct setting own = setting_at(c, at);
        if (own.kind == SETTING_NONE || (own.kind != SETTING_EMPTY && !own.in))
            return 0;
        settings |= own.kind != SETTING_EMPTY;
        if (!at)
            return settings;
    }
}

int nested_goes_on(const struct lines *c, size_t at)
{
    int settings = 0;
    for (at = line_start(c, at); at < c->n; at = line_end(c, at) + 1) {
        const struct setting own = setting_at(c, at);
        if (own.kind == SETTING_NONE || (own.kind != SETTING_EMPTY && !own.in))
            return 0;
        settings |= own.kind != SETTING_EMPTY;
    }
    return settings;
}

int nested_group(const struct lines *c, size_t *from, size_t *to, size_t *lead, size_t *lead_end)
{
    size_t top = line_start(c, *from), end = line_end(c, top), group;
    const enum setting_kind kind = setting_at(c, top).kind;
    int whole, groups;
    if ((kind != SETTING_VALUE && kind != SETTING_OPENS) || end - top > LONGEST_SENTENCE)
        return 0;
    const size_t first = largest(c, &top, &end, &groups), record = record_at(c, first);
    size_t head = first, head_end = holds_all(c, first) ? first : line_end(c, first);
    if (record < c->n)
        head = record_head(c, record, top, &head_end);
    if (record < c->n && !groups && (group = group_end(c, record, &whole)) &&
        (group > end || record < top)) {
        record_grow(c, record, group, head_end - head, &top, &end);
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
