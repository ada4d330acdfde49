#include "engine/outline/list.h"

#include <string.h>

#include "engine/lines/lines.h"
#include "engine/sentences/heading.h"
#include "engine/words/chars.h"

enum {
    FAR = 1 << 15, // bytes of a list, at most,
    SOLE = 4096,   // and of its first item
    TERM = 100,    // bytes of a term that stands alone,
    CELL = 40      // and of one with its meaning beside it
};

size_t list_said_at(const struct lines *c, struct span_of_text line)
{
    while (line.from < line.to && is_gap(c->text[line.from]))
        line.from++;
    return line.from;
}

struct span_of_text list_next_said(const struct lines *c, size_t at)
{
    while (at < c->n) {
        const struct span_of_text line = line_at(c, at);
        if (line_says_something(c->text + line.from, line.to - line.from))
            return line;
        at = line.to + 1;
    }
    return (struct span_of_text){c->n, c->n};
}

static int is_bare_above(const struct lines *c, struct span_of_text line)
{
    return !line.from || line_is_empty(c, line_start(c, line.from - 1));
}

static int is_bare_below(const struct lines *c, struct span_of_text line)
{
    return line.to + 1 >= c->n || line_is_empty(c, line.to + 1);
}

int list_is_heading(const struct lines *c, struct span_of_text line)
{
    const size_t from = list_said_at(c, line), end = line_trimmed(c, line.from, line.to);
    return is_bare_above(c, line) && end > from && end - from <= HEADING_LONGEST &&
           !is_one_of(c->text[end - 1], ".,;:!?") &&
           line_says_something(c->text + from, end - from) &&
           (!line_is_item(c->text + from, end - from) ||
            (is_bare_below(c, line) && is_digit(c->text[from])));
}

int list_is_row(const struct lines *c, struct span_of_text line)
{
    const size_t from = list_said_at(c, line);
    return from < line.to && (c->text[from] == '|' || memchr(c->text + from, '\t', line.to - from));
}

// Whether LINE begins with a number of two levels or more, "5.1 To keep the garden ...", which is
// no amount, "1.2 kg of lamb", and is no heading of a list.
static int is_clause(const struct lines *c, struct span_of_text line)
{
    static const char units[] =
        " kg g mg l dl cl ml lb lbs oz cup cups tsp tbsp litre litres liter "
        "liters pint pints pound pounds teaspoons tablespoons ";
    const size_t from = list_said_at(c, line);
    size_t at = from;
    while (at < line.to && (is_digit(c->text[at]) || c->text[at] == '.'))
        at++;
    size_t unit = at + 1;
    while (unit < line.to && is_lower(c->text[unit]))
        unit++;
    if (unit > at + 1 && word_is_listed(units, c->text + at + 1, unit - at - 1))
        return 0;
    if (at == from || at == line.to || c->text[at] != ' ' || !is_digit(c->text[at - 1]) ||
        heading_level(c->text + from, line.to - from) < 2)
        return 0;
    const struct span_of_text next =
        line_at(c, is_bare_below(c, line) && line.to + 1 < c->n ? line_end(c, line.to + 1) + 1
                                                                : line.to + 1);
    const size_t words = list_said_at(c, next);
    return !(list_is_heading(c, line) && line_is_item(c->text + words, next.to - words));
}

// Of what kind the mark of the item LINE is: two lists that follow each other may have others.
static char style_of(const struct lines *c, struct span_of_text line)
{
    const char *p = c->text + list_said_at(c, line);
    if (list_is_row(c, line))
        return '|';
    if (is_clause(c, line))
        return '.';
    p += *p == '(';
    return is_digit(*p) ? '1' : is_lower(*p) || is_upper(*p) ? 'a' : '-';
}

int list_is_item(const struct lines *c, struct span_of_text line)
{
    const size_t from = list_said_at(c, line), n = line.to - from;
    const char *p = c->text + from;
    return is_clause(c, line) || list_is_row(c, line) || begins_with(p, n, "\u2022 ") ||
           (line_is_item(p, n) && !list_is_heading(c, line));
}

// Whether LINE begins with the word STEM and a number: "Recommendation 2. ...".
static int is_labelled(const struct lines *c, struct span_of_text line, const char *stem)
{
    char own[WORD_STEM];
    size_t bytes, at = line.from;
    if (!word_next(c->text, line.to, &at, own, &bytes) || memcmp(stem, own, sizeof own) != 0 ||
        !is_upper(c->text[at - bytes]))
        return 0;
    while (at < line.to && c->text[at] == ' ')
        at++;
    const size_t number = at;
    while (at < line.to && is_digit(c->text[at]))
        at++;
    return at > number && at + 1 < line.to && is_one_of(c->text[at], ".:)");
}

// --------------------------------------------------------------------------------------- of terms

// The byte behind a term that reaches the column before its meaning, which goes on below that:
// "LC_ALL If set ...". 0: there is none.
static size_t long_cell_end(const struct lines *c, struct span_of_text line, size_t *column)
{
    enum { INDENTED = 8 }; // columns that a meaning is set in, at most
    const size_t from = list_said_at(c, line), in = line_indentation(c, line.from);
    const size_t below = line.to + 1 < c->n ? line_indentation(c, line.to + 1) : 0;
    if (below <= in || below > in + INDENTED)
        return 0;
    for (size_t i = from + 1; i < line.to && i - from <= INDENTED; i++)
        if (c->text[i] == ' ')
            return line_width(c->text + line.from, i + 1 - line.from) == below ? *column = below,
                                                                                 i : 0;
    return 0;
}

// The byte of LINE behind a term that has its meaning beside it; *COLUMN: where that begins. 0:
// there is none.
static size_t cell_end(const struct lines *c, struct span_of_text line, size_t *column)
{
    const size_t from = list_said_at(c, line), n = span_bytes(line);
    size_t bytes, width;
    for (size_t i = from; i < line.to && i - from <= CELL; i += bytes ? bytes : 1) {
        bytes = line_gap(c->text + line.from, n, i - line.from, &width);
        if (width < 2 || i + bytes >= line.to)
            continue;
        *column = line_width(c->text + line.from, i + bytes - line.from);
        // A gap of prose, or behind the number of a heading
        return (i - from > 3 && is_one_of(c->text[i - 1], ".!?,;")) ||
                       (from == line.from && strspn(c->text + from, "0123456789.") >= i - from)
                   ? 0
                   : i;
    }
    return long_cell_end(c, line, column);
}

// Whether TEXT [n] is a heading of several words, "Pattern Syntax", and no term with what it takes,
// "-f FILE".
static int is_titled(const char *text, size_t n)
{
    int words = 1;
    for (size_t i = 1; i < n; i++) {
        words += is_space(text[i - 1]) && !is_space(text[i]);
        if ((is_space(text[i - 1]) && is_one_of(text[i], "-[<{(")) || is_one_of(text[i], "=,|"))
            return 0;
    }
    return words > 1 && n > 1 && is_upper(text[0]) && is_lower(text[1]);
}

// Whether LINE is a term with what it means set in below it, or below other terms right under it.
// At the margin these words would be a heading if they began with a capital.
static int is_above_meaning(const struct lines *c, struct span_of_text line)
{
    enum { TERMS = 4 }; // with one meaning
    const size_t from = list_said_at(c, line), end = line_trimmed(c, line.from, line.to),
                 in = line_indentation(c, line.from);
    if (end == from || end - from > TERM || line.to + 1 >= c->n ||
        (end - from > 3 && is_one_of(c->text[end - 1], ".,;:!?")) ||
        is_titled(c->text + from, end - from) ||
        (!in && (is_upper(c->text[from]) || (unsigned char)c->text[from] >= 0x80)))
        return 0;
    size_t below = line.to + 1;
    for (int i = 1; i < TERMS && below < c->n && !line_is_empty(c, below) &&
                    line_indentation(c, below) == in && line_end(c, below) - below <= TERM;
         i++)
        below = line_end(c, below) + 1;
    if (below < c->n && below == line.to + 1 && line_is_empty(c, below))
        below = line_end(c, below) + 1;
    return below < c->n && !line_is_empty(c, below) && line_indentation(c, below) > in;
}

// Whether right above LINE another one begins as far to the right, so that it begins no item.
static int is_below_another(const struct lines *c, struct span_of_text line)
{
    return line.from && !is_bare_above(c, line) &&
           line_indentation(c, line_start(c, line.from - 1)) == line_indentation(c, line.from);
}

static int is_term(const struct lines *c, struct span_of_text line, size_t column)
{
    size_t own = 0;
    if (list_is_row(c, line) || list_is_item(c, line) ||
        !line_says_something(c->text + line.from, span_bytes(line)))
        return cell_end(c, line, &own) && column && own == column && !list_is_row(c, line);
    return cell_end(c, line, &own) ? !column || own == column
                                   : is_above_meaning(c, line) && !is_below_another(c, line);
}

// Whether LINE is "--verbose", alone.
static int is_option(const struct lines *c, struct span_of_text line)
{
    const size_t from = list_said_at(c, line), end = line_trimmed(c, line.from, line.to);
    return from == line.from && end - from > 1 && end - from <= TERM && c->text[from] == '-' &&
           (c->text[from + 1] == '-' || word_has(c->text[from + 1])) && is_bare_above(c, line) &&
           is_bare_below(c, line) && line_says_something(c->text + from, end - from);
}

// ------------------------------------------------------------------------------------- of any kind

static int same_first_word(const struct lines *c, size_t a, size_t b)
{
    size_t n = 0;
    while (a + n < c->n && b + n < c->n && c->text[a + n] == c->text[b + n] &&
           !is_space(c->text[a + n]))
        n++;
    return n > 1 && a + n < c->n && b + n < c->n && c->text[a + n] == ' ' && c->text[b + n] == ' ';
}

// Whether LINE is set in, begins with a capital, and has no stop.
static int is_set_in(const struct lines *c, struct span_of_text line)
{
    const size_t from = list_said_at(c, line), end = line_trimmed(c, line.from, line.to);
    return line_indentation(c, line.from) > 0 && end > from && end - from <= HEADING_LONGEST &&
           is_upper(c->text[from]) && !is_one_of(c->text[end - 1], ".,;:!?");
}

// Whether the line above LINE, behind an empty one, is a heading in capitals that is not set in.
static int is_below_capitals(const struct lines *c, struct span_of_text line)
{
    const size_t bare = line.from ? line_start(c, line.from - 1) : 0;
    if (!bare || !is_bare_above(c, line))
        return 0;
    const struct span_of_text head = line_at(c, line_start(c, bare - 1));
    return !has_lower(c->text + head.from, span_bytes(head)) && is_upper(c->text[head.from]) &&
           list_is_heading(c, head);
}

// Whether LINE begins an item of L; COLUMN: where the meanings of L's terms begin.
static int begins_item(const struct list *l, const struct lines *c, struct span_of_text line,
                       size_t column)
{
    if (line_indentation(c, line.from) != l->in)
        return 0;
    switch (l->kind) {
    case LIST_MARKED:
        return list_is_item(c, line) && style_of(c, line) == style_of(c, line_at(c, l->at.from));
    case LIST_LABELLED:
        return is_labelled(c, line, l->stem);
    case LIST_TERMS:
        return is_term(c, line, column);
    case LIST_OPTIONS:
        return is_option(c, line);
    case LIST_LINES:
        return same_first_word(c, list_said_at(c, l->at), list_said_at(c, line));
    case LIST_SET_IN:
        return is_set_in(c, line);
    }
    return 0;
}

static size_t column_of(const struct list *l, const struct lines *c)
{
    size_t column = 0;
    if (l->kind == LIST_TERMS)
        cell_end(c, line_at(c, l->at.from), &column);
    return column;
}

// Whether LINE, which begins no item, is behind the list L. APART: an empty line is above it.
static int is_behind(const struct list *l, const struct lines *c, struct span_of_text line,
                     int apart)
{
    const size_t in = line_indentation(c, line.from);
    switch (l->kind) {
    case LIST_TERMS:
        return in < l->in || (in == l->in && (apart || !is_above_meaning(c, line)));
    case LIST_OPTIONS:
        return list_is_heading(c, line);
    case LIST_LINES:
    case LIST_SET_IN:
        return apart || in <= l->in;
    default:
        return (apart && list_is_heading(c, line) &&
                (is_bare_below(c, line) || !has_lower(c->text + line.from, span_bytes(line)))) ||
               (apart ? in <= l->in : in < l->in);
    }
}

// Finds the end of L, whose first item is the line L->at, and counts its items.
static void find_end(struct list *l, const struct lines *c)
{
    const size_t column = column_of(l, c);
    size_t end = l->at.to;
    int apart = 0;
    l->n = 1;
    for (size_t at = end + 1; at < c->n;) {
        const struct span_of_text line = line_at(c, at);
        at = line.to + 1;
        if (!line_says_something(c->text + line.from, line.to - line.from) &&
            line_is_bare(c, line.from)) {
            apart = 1;
            continue;
        }
        const int another = !(l->kind >= LIST_LINES && apart) && begins_item(l, c, line, column);
        if ((!another && is_behind(l, c, line, apart)) ||
            end - l->at.from > (l->n > 1 ? FAR : SOLE))
            break;
        l->n += another;
        end = line.to;
        apart = 0;
    }
    l->at.to = line_trimmed(c, l->at.from, end);
    l->next = l->at.from;
}

// Whether a list of L's kind may begin with LINE.
static int may_begin(const struct list *l, const struct lines *c, struct span_of_text line)
{
    size_t column;
    switch (l->kind) {
    case LIST_MARKED:
        return list_is_item(c, line);
    case LIST_LABELLED:
        return is_labelled(c, line, l->stem);
    case LIST_TERMS:
        return cell_end(c, line, &column) ||
               (is_above_meaning(c, line) && !is_below_another(c, line));
    case LIST_OPTIONS:
        return is_option(c, line);
    case LIST_LINES:
        return 1;
    case LIST_SET_IN:
        return is_set_in(c, line) && is_below_capitals(c, line);
    }
    return 0;
}

int list_at(struct list *l, const struct lines *c, struct span_of_text line,
            const char stem[WORD_STEM])
{
    enum { LINES = 3 }; // at least, of those that only look alike
    static const enum list_kind kinds[] = {LIST_LABELLED, LIST_MARKED, LIST_OPTIONS,
                                           LIST_LINES,    LIST_TERMS,  LIST_SET_IN};
    for (size_t i = stem == NULL; i < sizeof kinds / sizeof *kinds; i++) {
        *l = (struct list){.kind = kinds[i], .at = line, .in = line_indentation(c, line.from)};
        if (stem)
            memcpy(l->stem, stem, WORD_STEM);
        if (!may_begin(l, c, line))
            continue;
        find_end(l, c);
        if (l->n >= (l->kind >= LIST_LINES ? LINES : 2))
            return 1;
        if (l->kind == LIST_MARKED)
            return 0;
    }
    return 0;
}

int list_next(struct list *l, const struct lines *c, struct span_of_text *item)
{
    const size_t column = column_of(l, c);
    if (l->next >= l->at.to)
        return 0;
    size_t at = line_end(c, l->next) + 1;
    while (at < l->at.to && !begins_item(l, c, line_at(c, at), column))
        at = line_end(c, at) + 1;
    at = at < l->at.to ? at : l->at.to;
    *item = (struct span_of_text){l->next, line_trimmed(c, l->next, at)};
    l->next = at;
    return 1;
}

// The bytes of the mark that LINE begins with, from its words on: "- ", "(a) ", "5.1 "; *ORDER:
// its number, from 1, or that of its letter; 0: it has none.
static size_t mark_of(const char *p, size_t n, int *order)
{
    size_t i = n && p[0] == '(';
    *order = 0;
    if (begins_with(p, n, "\u2022 "))
        return strlen("\u2022 ");
    if (n > 1 && is_one_of(p[0], "-*+") && p[1] == ' ')
        return 2;
    if (i + 1 < n && (is_lower(p[i]) || is_upper(p[i])) && is_one_of(p[i + 1], ").")) {
        *order = (p[i] | 32) - 'a' + 1;
        i++;
    }
    for (int value = 0; !*order && i < n && (is_digit(p[i]) || p[i] == '.'); i++) {
        if (p[i] == '.' && !(i + 1 < n && is_digit(p[i + 1])))
            break;
        value = p[i] == '.' ? 0 : (10 * value + p[i] - '0') % 100000;
        if (i + 1 == n || !(is_digit(p[i + 1]) || p[i + 1] == '.') ||
            (p[i + 1] == '.' && !(i + 2 < n && is_digit(p[i + 2]))))
            *order = value;
    }
    while (*order && i < n && is_one_of(p[i], ".): \t"))
        i++;
    return *order ? i : 0;
}

// The number that the item of L which begins with LINE has.
static int order_of(const struct list *l, const struct lines *c, struct span_of_text line)
{
    size_t from = list_said_at(c, line);
    int order;
    while (l->kind == LIST_LABELLED && from < line.to && !is_digit(c->text[from]))
        from++;
    mark_of(c->text + from, line.to - from, &order);
    return order;
}

int list_is_numbered(const struct list *l, const struct lines *c)
{
    return l->kind <= LIST_LABELLED && order_of(l, c, line_at(c, l->at.from)) > 0;
}

int list_is_ticked(const struct list *l, const struct lines *c)
{
    const size_t at = list_said_at(c, line_at(c, l->at.from)), n = l->at.to - at;
    return n > 5 && is_one_of(c->text[at], "-*+") && !memcmp(c->text + at + 1, " [", 2) &&
           is_one_of(c->text[at + 3], " xX") && c->text[at + 4] == ']';
}

struct span_of_text list_named(const struct list *l, const struct lines *c,
                               struct span_of_text item)
{
    const struct span_of_text line = line_at(c, item.from);
    const size_t from = list_said_at(c, line);
    size_t column, end;
    int order;
    switch (l->kind) {
    case LIST_TERMS:
        end = cell_end(c, line, &column);
        return (struct span_of_text){from, end ? end : line_trimmed(c, from, line.to)};
    case LIST_OPTIONS:
        return (struct span_of_text){from, line_trimmed(c, from, line.to)};
    case LIST_MARKED:
        return (struct span_of_text){from + mark_of(c->text + from, item.to - from, &order),
                                     item.to};
    case LIST_LABELLED:
        for (end = from; end < line.to && !is_one_of(c->text[end], ".:)");)
            end++;
        while (end < line.to && is_one_of(c->text[end], ".:) \t"))
            end++;
        return (struct span_of_text){end < line.to ? end : from, item.to};
    case LIST_LINES:
    case LIST_SET_IN:
        break;
    }
    return (struct span_of_text){from, item.to};
}

// Whether behind L, before the next heading or what leads in another list, a line looks like one
// more item.
static int goes_on(const struct list *l, const struct lines *c)
{
    enum { LINES = 60 }; // that are looked at
    const int numbered = list_is_numbered(l, c);
    size_t at = line_end(c, l->at.to) + 1;
    for (int i = 0; i < LINES && at < c->n; i++) {
        const struct span_of_text line = line_at(c, at);
        at = line.to + 1;
        const size_t end = line_trimmed(c, line.from, line.to);
        if (begins_item(l, c, line, 0) && (!numbered || order_of(l, c, line) == l->n + 1))
            return 1;
        const size_t in = line_indentation(c, line.from);
        if (l->kind != LIST_OPTIONS && end > line.from &&
            (l->kind == LIST_TERMS ? in < l->in : in <= l->in) &&
            (list_is_heading(c, line) || c->text[end - 1] == ':'))
            return 0;
    }
    return 0;
}

int list_is_whole(const struct list *l, const struct lines *c)
{
    const int numbered = list_is_numbered(l, c);
    struct list items = *l;
    struct span_of_text item;
    if (span_bytes(l->at) > FAR || goes_on(l, c))
        return 0;
    items.next = l->at.from;
    for (int i = 1; list_next(&items, c, &item); i++) {
        const struct span_of_text line = line_at(c, item.from);
        if (l->kind <= LIST_LABELLED &&
            (list_is_row(c, line) || order_of(l, c, line) != (numbered ? i : 0)))
            return 0;
    }
    return 1;
}
