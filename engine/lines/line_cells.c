#include "engine/lines/line_cells.h"

#include <string.h>

#include "engine/lines/lines.h"
#include "engine/lines/object.h"
#include "engine/words/chars.h"
#include "engine/words/words.h"

size_t line_quotation(const char *text, size_t n, size_t at)
{
    if (at >= n || text[at] != '"')
        return at;
    for (size_t to = at + 1; to < n; to++) {
        if (text[to] != '"')
            continue;
        if (to + 1 == n || text[to + 1] != '"')
            return to;
        to++; // two are one of the text's own
    }
    return at;
}

int line_is_mark(const char *text, size_t at, char mark)
{
    return text[at] == mark && !(mark == '|' && at > 0 && text[at - 1] == '\\');
}

size_t line_cell_end(const char *text, size_t n, size_t at, char mark)
{
    while (at < n && !line_is_mark(text, at, mark))
        at++;
    return at;
}

size_t line_marks(const char *text, size_t n, char mark)
{
    size_t count = 0;
    if (!memchr(text, mark, n)) // as most lines
        return 0;
    for (size_t i = 0, begins = 1; i < n; i++) {
        if (begins)
            i = line_quotation(text, n, i);
        const int is_mark = line_is_mark(text, i, mark);
        count += is_mark;
        begins = is_mark || (begins && text[i] == ' ');
    }
    return count;
}

// Whether the line TEXT [n] is set in by spaces, as those of a manual are, whose tabs only stand
// for the spaces between words of prose.
static int is_set_in(const char *text, size_t n)
{
    size_t i = 0;
    while (i < n && text[i] == '\t')
        i++;
    return i < n && text[i] == ' ';
}

// The character that divides both A and B into as many fields; 0: none does.
static char mark_of_both(const char *a, size_t n_a, const char *b, size_t n_b)
{
    for (const char *mark = "\t|,;"; *mark; mark++) {
        const size_t count = line_marks(a, n_a, *mark);
        if (count > 1 && count == line_marks(b, n_b, *mark) &&
            (*mark == '\t' ? !is_set_in(a, n_a) && !is_set_in(b, n_b)
                           : line_has_fields(a, n_a) && line_has_fields(b, n_b))) // as prose does
            return *mark;
    }
    return 0;
}

int lines_divide_alike(const char *a, size_t n_a, const char *b, size_t n_b)
{
    return mark_of_both(a, n_a, b, n_b) != 0;
}

// Where the field of TEXT [n] ends that begins with byte AT; *YEAR: whether it is a year.
static size_t field_at(const char *text, size_t n, char mark, size_t at, int *year)
{
    const size_t end = line_cell_end(text, n, line_quotation(text, n, at), mark);
    size_t to = end;
    while (at < to && is_one_of(text[at], " \""))
        at++;
    while (to > at && is_one_of(text[to - 1], " \"\r"))
        to--;
    *year = word_is_year(text + at, to - at);
    return end;
}

// Whether the field of TEXT between FROM and TO begins with a digit.
static int begins_number(const char *text, size_t from, size_t to)
{
    while (from < to && is_one_of(text[from], " \""))
        from++;
    return from < to && is_digit(text[from]);
}

// Whether the numbers among the fields of HEAD are two years or more, and ROW has no years below
// them: "Ticket, 2021, 2022" above "Adult, 5.00, 5.20".
static int names_years(const char *head, size_t n_head, const char *row, size_t n_row, char mark)
{
    int years = 0, year, below;
    for (size_t i = 0, j = 0; i <= n_head && j <= n_row; i++, j++) {
        const size_t from = i;
        i = field_at(head, n_head, mark, i, &year);
        j = field_at(row, n_row, mark, j, &below);
        if (year && below)
            return 0;
        if (!year && begins_number(head, from, i))
            return 0;
        years += year;
    }
    return years > 1;
}

// Whether a word of TEXT [n] begins with a digit.
static int has_number(const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (is_digit(text[i]) && (!i || is_one_of(text[i - 1], ",;|\t \"")))
            return 1;
    return 0;
}

// Whether the fields of HEAD begin with words, and ROW has a number below each one with a number:
// "Mode, Trail 3, Trail 3 Solar" above "Standard, 38 hours, 52 hours".
static int names_numbered(const char *head, size_t n_head, const char *row, size_t n_row, char mark)
{
    for (size_t i = 0, j = 0; i <= n_head && j <= n_row; i++, j++) {
        const size_t from = i, below = j;
        int year;
        i = field_at(head, n_head, mark, i, &year);
        j = field_at(row, n_row, mark, j, &year);
        if (has_number(head + from, i - from) &&
            (begins_number(head, from, i) || !begins_number(row, below, j)))
            return 0;
    }
    return 1;
}

int line_is_headed(const char *head, size_t n_head, const char *row, size_t n_row)
{
    // The first one of objects that are a line each names nothing in the others.
    const char mark = object_is_line(head, n_head) ? 0 : mark_of_both(head, n_head, row, n_row);
    return mark && (!has_number(head, n_head) || names_years(head, n_head, row, n_row, mark) ||
                    names_numbered(head, n_head, row, n_row, mark));
}
