#include "engine/lines/record.h"

#include "engine/lines/label.h"
#include "engine/lines/lines.h"
#include "engine/words/chars.h"

void record_grow(const struct lines *c, size_t from, size_t to, size_t lead, size_t *top,
                 size_t *end)
{
    const size_t most = LONGEST_SENTENCE - (*end - from > LONGEST_SENTENCE ? lead : 0);
    *top = *end - from <= most ? from : *top;
    for (size_t was = 0; was != *end - *top;) {
        was = *end - *top;
        if (*top > from && *end - line_start(c, *top - 1) <= most)
            *top = line_start(c, *top - 1);
        if (*end < to && line_end(c, *end + 1) - *top <= most)
            *end = line_end(c, *end + 1);
    }
}

// Whether the line at byte LINE has the same label as the one at byte FIRST.
static int is_alike(const struct lines *c, size_t line, size_t first)
{
    return label_is_there(c, line) && !label_is_other(c, line, first, line_end(c, first));
}

// The first line of the lines without an empty one between them that the line at byte LINE is of.
static size_t first_line(const struct lines *c, size_t line)
{
    while (line > 0 && !line_is_empty(c, line_start(c, line - 1)))
        line = line_start(c, line - 1);
    return line;
}

// Whether the lines behind byte END begin with the label of the line at byte TOP, below empty ones.
static int is_one_below(const struct lines *c, size_t top, size_t end)
{
    const size_t line = line_past_empty(c, end + 1);
    return line > end + 1 && line < c->n && is_alike(c, line, top);
}

static int is_one_above(const struct lines *c, size_t top)
{
    size_t line = top;
    while (line > 0 && (line == top || line_is_empty(c, line)))
        line = line_start(c, line - 1);
    return line_end(c, line) + 1 < top && is_alike(c, first_line(c, line), top);
}

// Whether the line at byte TOP and the next ones have different labels, LEAST of them.
static int begins_fields(const struct lines *c, size_t top, int least)
{
    size_t end = line_end(c, top);
    if (!label_is_there(c, top))
        return 0;
    for (; least > 1 && end + 1 < c->n && label_is_other(c, end + 1, top, end); least--)
        end = line_end(c, end + 1);
    return least <= 1;
}

int record_run(const struct lines *c, size_t at, size_t *top, size_t *end)
{
    enum { FIELDS = 4 }; // that have different labels, from the first one on
    if (!label_is_there(c, line_start(c, at)))
        return 0;
    *top = *end = first_line(c, line_start(c, at));
    if (!begins_fields(c, *top, FIELDS))
        return 0;
    for (size_t line = *top; line < c->n && !line_is_empty(c, line); line = *end + 1) {
        if (!label_is_there(c, line) || (line > *top && is_alike(c, line, *top)))
            return 0;
        *end = line_end(c, line);
    }
    return is_one_below(c, *top, *end) || is_one_above(c, *top);
}

int record_of_fields(const struct lines *c, size_t *from, size_t *to, size_t *lead,
                     size_t *lead_end)
{
    size_t first, last, top = line_start(c, *from), end = line_end(c, top);
    if (end - top > LONGEST_SENTENCE || !record_run(c, top, &first, &last))
        return 0;
    const size_t name_end = line_trimmed(c, first, line_end(c, first)),
                 name = name_end - first < LONGEST_SENTENCE / 2 ? name_end - first : 0;
    record_grow(c, first, last, name, &top, &end);
    *lead = *lead_end = *from = line_words(c, top, end);
    *to = line_trimmed(c, *from, end);
    if (top > first && name) {
        *lead = line_words(c, first, name_end);
        *lead_end = name_end;
    }
    return 1;
}

size_t record_item_end(const struct lines *c, size_t line, size_t to)
{
    const size_t own = line_indentation(c, line);
    size_t end = line_end(c, line), below;
    while ((below = end + 1) < to && !line_is_empty(c, below) && line_indentation(c, below) > own)
        end = line_end(c, below);
    return end;
}

// Whether the line of C at byte LINE begins with a code and a blank: "A-3  ", "AI-12 ".
static int begins_with_code(const struct lines *c, size_t line)
{
    const size_t end = line_end(c, line), from = line_words(c, line, end);
    size_t at = from;
    while (at < end && is_upper(c->text[at]))
        at++;
    if (at == from || at + 1 >= end || c->text[at] != '-' || !is_digit(c->text[at + 1]))
        return 0;
    for (at++; at < end && is_digit(c->text[at]);)
        at++;
    return at < end && c->text[at] == ' ';
}

// Whether text[FROM..TO) has a field behind a stop: ". Owner: Ann".
static int has_field(const struct lines *c, size_t from, size_t to)
{
    for (size_t at = from + 1; at < to; at++) {
        size_t end = at;
        if (!is_upper(c->text[at]) || !is_space(c->text[at - 1]) ||
            line_trimmed(c, from, at) == from ||
            !is_one_of(c->text[line_trimmed(c, from, at) - 1], ".;"))
            continue;
        while (end + 1 < to && is_lower(c->text[end + 1]))
            end++;
        if (end > at && end + 2 < to && c->text[end + 1] == ':' && c->text[end + 2] == ' ')
            return 1;
    }
    return 0;
}

int record_of_code(const struct lines *c, size_t *from, size_t *to)
{
    size_t top = line_start(c, *from);
    const size_t in = line_indentation(c, top);
    if (!begins_with_code(c, top))
        while (top > 0 && !line_is_empty(c, top) && line_indentation(c, top) >= in)
            top = line_start(c, top - 1);
    if (!begins_with_code(c, top))
        return 0;
    const size_t end = record_item_end(c, top, c->n), first = line_words(c, top, end),
                 last = line_trimmed(c, top, end);
    if (end == line_end(c, top) || last < *to || last - first > LONGEST_SENTENCE ||
        !has_field(c, first, last))
        return 0;
    *from = first;
    *to = last;
    return 1;
}
