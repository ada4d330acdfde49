// Looks up a row of a table by a number that is in the range that it is for: "What does a parcel of
// 350 g cost?", where a row has the cell "100 to 500 g". The number stands nowhere in the text, so
// that neither words nor votes find the row.
#include <float.h>
#include <string.h>

#include "engine/lookup/telling.h"
#include "engine/question/asked.h"
#include "engine/question/turn.h"
#include "engine/rows/column.h"
#include "engine/rows/number.h"
#include "engine/rows/table.h"
#include "engine/tables/tables.h"
#include "engine/words/chars.h"
#include "engine/words/words.h"

enum { LONGEST = 60 }; // bytes of a cell with a range

// Words of questions that a table need not have.
static const char ASKS[] = "price cost costs much many pays paid charge charged amount apply "
                           "applies applied due given get gets earn earns year years old aged for "
                           "cent percent high big large";

// What numbers a cell is for, both ends inclusive unless they are OPEN.
struct range {
    double from, to;
    int open_from, open_to;
};

// A row whose range has the number.
struct ranged_row {
    struct texts t;
    struct table_row row;
    struct span_of_text name, value, label;
    struct range in;
};

// What a word says of the number behind it, or before it.
enum bound { NONE, BELOW, UP_TO, ABOVE, FROM, BETWEEN };

static enum bound bound_of(const char *word, size_t n, enum bound before)
{
    static const struct {
        const char *words;
        enum bound bound;
    } words[] = {{" below under less fewer younger lighter ", BELOW},
                 {" above over more older heavier exceeding ", ABOVE},
                 {" from least ", FROM},
                 {" most up max maximum ", UP_TO},
                 {" to until till through ", BETWEEN}},
      marks[] = {{"<", BELOW},     {">", ABOVE},        {">=", FROM},
                 {"\u2265", FROM}, {"<=", UP_TO},       {"\u2264", UP_TO},
                 {"-", BETWEEN},   {"\u2013", BETWEEN}, {"\u2014", BETWEEN}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (word_is_listed(words[i].words, word, n)) // "up to"
            return before == UP_TO && words[i].bound == BETWEEN ? UP_TO : words[i].bound;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (n == strlen(marks[i].words) && !memcmp(word, marks[i].words, n))
            return marks[i].bound;
    return NONE;
}

// Bytes of the number that TEXT [n] begins with; a dash ends it: "5-15".
static size_t number_at(const char *text, size_t n, double *value)
{
    const size_t sign = number_currency(text, n);
    size_t end = sign;
    int decimals;
    while (end < n &&
           (is_digit(text[end]) ||
            (end > sign && end + 1 < n && is_one_of(text[end], ".,") && is_digit(text[end + 1]))))
        end++;
    return end > sign && number_of(text, end, value, &decimals) == end ? end : 0;
}

// Bytes of the word or mark that TEXT [n] begins with.
static size_t word_at(const char *text, size_t n)
{
    size_t end = 0;
    while (end < n && !is_space(text[end]) && !is_digit(text[end]) &&
           !(end && is_one_of(text[end], ",")))
        end++;
    return end ? end : 1;
}

// Takes the number VALUE for R as the words before it, BOUND, say; 0: it is one too many.
static int take(struct range *r, enum bound bound, double value, int numbers)
{
    if (bound == BELOW || bound == UP_TO || (bound == BETWEEN && numbers)) {
        r->to = value;
        r->open_to = bound == BELOW;
    } else if (bound == ABOVE || bound == FROM || !numbers) {
        r->from = value;
        r->open_from = bound == ABOVE;
    } else {
        return 0;
    }
    return numbers < 2;
}

// Reads CELL of TEXT as a range: "99.0 to 99.4", "under 5", "500 g or more", "at least 5 but less
// than 9"; 0: it is something else.
static int read_range(const char *text, struct span_of_text cell, struct range *r)
{
    enum { UNITS = 2, UNIT = 8 }; // words behind a number, and bytes of one
    static const char joins[] = " at than but and or the equal ";
    enum bound bound = NONE;
    int numbers = 0, bounds = 0, units = 0, joined = 0;
    *r = (struct range){-DBL_MAX, DBL_MAX, 0, 0};
    if (span_bytes(cell) > LONGEST)
        return 0;
    for (size_t at = cell.from, n; at < cell.to; at += n) {
        double value;
        if ((n = number_at(text + at, cell.to - at, &value)) > 0) {
            if (!take(r, bound, value, numbers++))
                return 0;
            bound = NONE;
            units = joined = 0;
            continue;
        }
        n = word_at(text + at, cell.to - at);
        enum bound own = bound_of(text + at, n, bound);
        if (own == BETWEEN && (bound != NONE || !numbers)) {
            if (!is_lower(to_small(text[at]))) // a number below zero
                return 0;
            own = UP_TO; // "to 100 g"
        }
        if (own != NONE) {
            bounds++;
            if (joined && numbers == 1 && own != BETWEEN && at + n == cell.to) { // "or more"
                const double only = r->to < DBL_MAX ? r->to : r->from;
                *r = own == BELOW ? (struct range){-DBL_MAX, only, 0, 0}
                                  : (struct range){only, DBL_MAX, 0, 0};
                return own == BELOW || own == ABOVE;
            }
            bound = own;
        } else if (word_is_listed(joins, text + at, n)) {
            joined = 1;
        } else if (!is_one_of(text[at], " ,%+") && (!numbers || ++units > UNITS || n > UNIT)) {
            return 0;
        } else if (text[at] == '+' && numbers == 1) {
            bounds++;
        }
    }
    return numbers && bounds && bound == NONE && r->from < r->to;
}

static int has_number(const struct range *r, double x)
{
    return (r->open_from ? x > r->from : x >= r->from) && (r->open_to ? x < r->to : x <= r->to);
}

// Whether A is a part of B and no more than that: "up to 100" of "up to 250".
static int is_within(const struct range *a, const struct range *b)
{
    return a->from >= b->from && a->to <= b->to && (a->from > b->from || a->to < b->to);
}

// The only number in QUESTION; 0: it has none, or several.
static int find_number(const char *question, double *value)
{
    const size_t n = strlen(question);
    int numbers = 0;
    for (size_t at = 0, bytes; at < n; at += bytes ? bytes : 1) {
        double own;
        const int begins = !at || is_one_of(question[at - 1], " (\xa3\xac$");
        bytes = begins ? number_at(question + at, n - at, &own) : 0;
        if (!bytes && is_digit(question[at]))
            return 0; // of a code
        if (bytes) {
            *value = own;
            numbers++;
        }
    }
    return numbers == 1;
}

// Whether QUESTION has a word of S, of TEXT, that is no bound.
static int shares_word(const char *text, struct span_of_text s, const char *question)
{
    char stem[WORD_STEM];
    size_t bytes;
    for (size_t at = s.from; word_next(text, s.to, &at, stem, &bytes);) {
        const char *word = text + at - bytes;
        if (!word_has_digit(word, bytes) && !word_is_common(stem) &&
            bound_of(word, bytes, NONE) == NONE &&
            !word_is_listed(" and but of or per the ", word, bytes) &&
            word_form_is_in(question, strlen(question), word, bytes))
            return 1;
    }
    return 0;
}

// Whether QUESTION has words of NAME, of TEXT, and all of them are in OTHER, too: where the range
// is that of the main pool, "pool" asks for no learner pool.
static int is_beside(const char *text, struct span_of_text name, struct span_of_text other,
                     const char *question)
{
    char stem[WORD_STEM];
    size_t bytes;
    int shared = 0;
    for (size_t at = name.from; word_next(text, name.to, &at, stem, &bytes);) {
        if (word_is_common(stem) || !word_is_in(question, strlen(question), stem))
            continue;
        if (!word_is_in(text + other.from, span_bytes(other), stem))
            return 0;
        shared = 1;
    }
    return shared;
}

// The column of ROW below HEAD that QUESTION asks for, but RANGE; -1: none, or several.
static int column_asked(const char *text, const struct row *head, const struct row *row, int range,
                        const char *question)
{
    double most = 0;
    int best = -1;
    for (int i = 0; i < row->n && i < head->n; i++) {
        const struct span_of_text name = head->cells[i], value = row->cells[i];
        const double fit = i == range || !span_bytes(value)
                               ? 0
                               : column_fits(text + name.from, span_bytes(name), question);
        if (fit <= 0 || fit < most || is_beside(text, name, head->cells[range], question) ||
            !column_tells(text + name.from, span_bytes(name), text + value.from, span_bytes(value),
                          question))
            continue;
        best = fit > most ? i : -1;
        most = fit;
    }
    return best;
}

// Whether row B is for NUMBER, by the range in a column that QUESTION has a word of: OUT.
static int look(const struct table *b, double number, const char *question, struct ranged_row *out)
{
    const char *text = b->t.text;
    struct row head, row;
    struct range in;
    if (!b->row.mark)
        return 0;
    table_cells(text, &b->row, &head, &row);
    for (int i = 0; i < row.n && i < head.n; i++) {
        if (!read_range(text, row.cells[i], &in) || !has_number(&in, number) ||
            !(shares_word(text, head.cells[i], question) ||
              shares_word(text, row.cells[i], question)) ||
            !table_says_all(b, question, ASKS, 0))
            continue;
        const int value = column_asked(text, &head, &row, i, question);
        if (value < 0)
            return 0;
        *out = (struct ranged_row){b->t,         b->row, head.cells[value], row.cells[value],
                                   row.cells[i], in};
        return 1;
    }
    return 0;
}

// Finds the row of QUESTION's NUMBER, the one with the smallest range: V. 1; 0: there is none, or
// others that are as good; or an error.
static int find_row(const struct lookup *s, double number, const char *question,
                    struct ranged_row *v, struct err *e)
{
    struct table b;
    struct ranged_row own;
    int rc, found = 0;
    tables_begin(&b, s->k, s->n_k);
    while ((rc = table_next(&b, e)) > 0) {
        if (!look(&b, number, question, &own))
            continue;
        if (found && own.t.text == v->t.text && own.row.head.from == v->row.head.from &&
            is_within(&v->in, &own.in))
            continue;
        if (found && !(own.row.head.from == v->row.head.from && is_within(&own.in, &v->in)))
            return 0;
        *v = own;
        found = 1;
    }
    return rc < 0 ? rc : found;
}

int tables_range(struct lookup *s, const char *question, struct err *e)
{
    struct ranged_row v = {0};
    double number = 0;
    if (!asked_what(question) || !find_number(question, &number) ||
        column_falls_short("", 0, question) || turn_denies(question, strlen(question)))
        return 0;
    int rc = find_row(s, number, question, &v, e);
    if (rc <= 0)
        return rc;
    lookup_say_cell(s->out, v.t.text, v.name, v.value);
    fputs(" (", s->out);
    lookup_say(s->out, v.t.text, v.label);
    fputc(')', s->out);
    rc = lookup_add(s, &v.t, v.row.line, 0, e);
    return rc ? rc : 1;
}
