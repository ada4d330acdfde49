#define _GNU_SOURCE
#include "engine/lines/label.h"

#include <string.h>

#include "engine/lines/lines.h"
#include "engine/lines/setting.h"
#include "engine/words/chars.h"
#include "engine/words/words.h"

const char *label_at(const struct lines *c, size_t at, size_t *n)
{
    size_t end = line_end(c, at), first = line_words(c, at, end);
    *n = line_label(c->text + first, end - first);
    return *n ? c->text + first : NULL;
}

// Whether labels are the same except for their numbers: "Invoice 7" and "Invoice 12" belong to two
// records, and are not parts of one.
static int labels_are_alike(const char *a, size_t n_a, const char *b, size_t n_b)
{
    size_t i = 0, j = 0;
    while (i < n_a && j < n_b) {
        if (is_digit(a[i]) != is_digit(b[j]) || (!is_digit(a[i]) && a[i] != b[j]))
            return 0;
        for (const size_t from = i++; i < n_a && is_digit(a[from]) && is_digit(a[i]);)
            i++;
        for (const size_t from = j++; j < n_b && is_digit(b[from]) && is_digit(b[j]);)
            j++;
    }
    return i == n_a && j == n_b;
}

int label_is_other(const struct lines *c, size_t at, size_t from, size_t to)
{
    size_t n, m;
    const char *own = label_at(c, at, &n), *other;
    if (own && line_quoted(c, at) != line_quoted(c, from))
        return 0;
    for (; own && from < to; from = line_end(c, from) + 1)
        if ((other = label_at(c, from, &m)) && labels_are_alike(own, n, other, m))
            return 0;
    return own != NULL;
}

int label_is_there(const struct lines *c, size_t at)
{
    size_t n;
    return label_at(c, at, &n) != NULL;
}

// Where the value of TEXT [n] begins behind its label, a colon and a gap of at least LEAST columns;
// 0: nowhere.
static size_t row_by(const char *text, size_t n, size_t least)
{
    const size_t label = line_label(text, n);
    size_t width;
    if (!label || text[label] != ':')
        return 0;
    const size_t gap = line_gap(text, n, label + 1, &width);
    return width >= least ? label + 1 + gap : 0;
}

size_t label_row(const char *text, size_t n)
{
    return row_by(text, n, LINE_SPREAD);
}

// Whether the next line with words above the one that begins with byte LINE, or below it if DOWN,
// is a row of a form whose value begins in column VALUE, or the rest of such a value; the longest
// label may leave one blank before it.
static int has_value_at(const struct lines *c, size_t line, size_t value, int down)
{
    do {
        if (down ? line_end(c, line) + 1 >= c->n : !line)
            return 0;
        line = down ? line_end(c, line) + 1 : line_start(c, line - 1);
    } while (line_is_empty(c, line));
    const char *text = c->text + line;
    const size_t row = row_by(text, line_end(c, line) - line, 1);
    return (row && line_width(text, row) == value) || line_indentation(c, line) == value;
}

// Where the value of the line of C that begins with byte LINE begins, if its label is too long for
// a wide gap before it, and the value of a row above or below, which has such a gap, begins in the
// same column; else 0.
static size_t narrow_row(const struct lines *c, size_t line)
{
    const size_t end = line_end(c, line), row = row_by(c->text + line, end - line, 1),
                 value = line_width(c->text + line, row);
    for (int down = 0; row && down < 2; down++) {
        if (down ? end + 1 >= c->n : !line)
            continue;
        const size_t other = down ? end + 1 : line_start(c, line - 1);
        const char *text = c->text + other;
        const size_t own = label_row(text, line_end(c, other) - other);
        if (own && line_width(text, own) == value &&
            line_indentation(c, other) == line_indentation(c, line))
            return row;
    }
    return 0;
}

int label_goes_on(const struct lines *c, size_t i)
{
    const size_t line = line_start(c, i), last = line_trimmed(c, line, i);
    const char *text = c->text + line, *below = c->text + i + 1;
    const size_t row = i + 1 < c->n ? label_row(below, line_end(c, i + 1) - i - 1) : 0,
                 value = line_width(below, row);
    return row && last > line && line_indentation(c, line) == line_indentation(c, i + 1) &&
           line_width(text, last - line) < value && word_has(c->text[last - 1]) &&
           !memmem(text, last - line, "  ", 2) && !memchr(text, ':', last - line) &&
           !line_is_item(text, last - line) &&
           (!line || line_is_empty(c, line_start(c, line - 1))) &&
           (has_value_at(c, line, value, 0) || has_value_at(c, i + 1, value, 1));
}

size_t label_of_form(const struct lines *c, size_t line, size_t *label, size_t *end)
{
    const char *text = c->text + line;
    const size_t wide = label_row(text, line_end(c, line) - line),
                 row = wide ? wide : narrow_row(c, line), value = line_width(text, row),
                 top = wide && line && label_goes_on(c, line - 1) ? line_start(c, line - 1) : line;
    if (!row || !(has_value_at(c, top, value, 0) || has_value_at(c, line, value, 1)))
        return 0;
    for (*label = top; is_gap(c->text[*label]);)
        ++*label;
    for (*end = line_end(c, line); *end + 1 < c->n && line_indentation(c, *end + 1) == value;)
        *end = line_end(c, *end + 1);
    *end = line_trimmed(c, line, *end);
    return line + row;
}

int label_begins_record(const struct lines *c, size_t line)
{
    const size_t end = line_end(c, line), at = setting_words(c, line);
    return at + 1 < end && c->text[at] == '-' && c->text[at + 1] == ' ' && end + 1 < c->n &&
           label_is_there(c, end + 1) && setting_at(c, end + 1).in == setting_at(c, line).in + 2;
}

// Extends the line TOP to END, which has a label, over those around it with other ones; with APART
// no farther than a record in a list goes. Returns the number of lines.
static int run(const struct lines *c, size_t *top, size_t *end, int apart)
{
    int lines = 1;
    for (size_t up; *top > 0 && !(apart && label_begins_record(c, *top)) &&
                    label_is_other(c, up = line_start(c, *top - 1), *top, *end);
         lines++)
        *top = up;
    for (; *end + 1 < c->n && !(apart && label_begins_record(c, *end + 1)) &&
           label_is_other(c, *end + 1, *top, *end);
         lines++)
        *end = line_end(c, *end + 1);
    return lines;
}

int label_run(const struct lines *c, size_t at, size_t *top, size_t *end, int apart)
{
    *top = line_start(c, at);
    *end = line_end(c, at);
    return label_is_there(c, *top) ? run(c, top, end, apart) : 0;
}

// Whether the line that begins with byte AT has the same label as the next labelled line below byte
// FROM or, with UP, above it, before an empty line.
static int label_comes_again(const struct lines *c, size_t at, size_t from, int up)
{
    for (size_t line = from; up ? line > 0 : line_end(c, line) + 1 < c->n;) {
        line = up ? line_start(c, line - 1) : line_end(c, line) + 1;
        if (line_is_empty(c, line))
            return 0;
        if (label_is_there(c, line))
            return !label_is_other(c, at, line, line_end(c, line));
    }
    return 0;
}

int label_turns(const struct lines *c, size_t above, size_t at)
{
    return line_end(c, above) + 1 == at && label_is_other(c, at, above, at) &&
           label_is_there(c, above) &&
           (label_comes_again(c, at, above, 1) || label_comes_again(c, above, at, 0));
}
