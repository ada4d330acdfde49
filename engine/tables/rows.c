// Looks through all rows of a table: "What is the most expensive article?", "Which articles cost
// more than 100 euros?", "How many articles does Nordkraft supply?", "Who works in Leith?", "What
// is the average salary?", "the last row".
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "engine/lines/lines.h"
#include "engine/rows/number.h"
#include "engine/rows/rows_groups.h"
#include "engine/rows/rows_plan.h"
#include "engine/tables/tables.h"
#include "engine/words/chars.h"
#include "engine/words/day.h"
#include "engine/words/letter.h"
#include "engine/words/words.h"
#include "io/mem.h"

enum {
    ROWS = 64,  // rows that an answer lists, at most
    NAMED = 30, // of those that it counts
    TIES = 3    // rows that share the first place, at most
};

// The rows of a table that answer.
struct rows_found {
    struct rows_hit *v; // [n], of the row alone that is asked for by its place [1]
    size_t cap;
    int n, all;  // how many answer, and how many there are
    int64_t day; // day_number of the last row that was read
    int apart;   // 1: the rows are not in the order of their days
    int shared;  // 1: the rows that share the first place are said as one
    double sum;
    struct span_of_text sign, unit; // of the column's numbers: what stands before and behind them
    int decimals, dated;            // of them; 1: they are days, -1: none of them was read yet
};

// -------------------------------------------------------------------------------- rows that fit

static int has_values(const struct rows_plan *p, const char *text, const struct row *r)
{
    for (int i = 0; i < p->n_values; i++) {
        int had = 0;
        for (int j = 0; j < p->n_values; j++) {
            const struct rows_value *v = &p->values[j];
            had |= v->column == p->values[i].column && rows_has_value(v, text, r);
        }
        if (!had)
            return 0;
    }
    return 1;
}

// The group of P, from 1, whose words all stand in the cells of R that name it; 0: none.
static int group_of(const struct rows_plan *p, const char *text, const struct row *r)
{
    char stem[WORD_STEM];
    size_t bytes;
    for (int g = 0; g < p->n_groups; g++) {
        const char *words = p->groups[g];
        int all = 1;
        for (size_t at = 0; all && word_next(words, strlen(words), &at, stem, &bytes);) {
            all = 0;
            for (int i = 0; i < r->n; i++)
                all |= rows_name_has(&p->name, i) &&
                       word_form_is_in(text + r->cells[i].from, span_bytes(r->cells[i]),
                                       words + at - bytes, bytes);
        }
        if (all)
            return g + 1;
    }
    return 0;
}

// Reads the day or the year that the cell TEXT [n] is: its order, or its YEAR only; 0: it is none,
// or one that may be read in two ways.
static double day_value(const char *text, size_t n, int year)
{
    struct day day;
    int own = 0;
    if (year && word_is_year(text, n)) {
        for (size_t i = 0; i < n; i++)
            own = 10 * own + (text[i] - '0');
        return own;
    }
    if (day_begins(text, n, &day) != n || (!year && memchr(text, '/', n)))
        return 0;
    return year ? day.year : (double)day_number(&day);
}

// Reads the cell S of P's column into *NUMBER: 1; 0 where it has none, as all cells of the column
// have either, days or numbers of the same unit, which is no other currency than A's, or -1.
static int number_in(const struct rows_asked *a, const char *text, struct span_of_text s,
                     struct rows_found *f, double *number)
{
    const char *cell = text + s.from;
    if (!line_says_something(cell, span_bytes(s)) ||
        (span_bytes(s) == 3 && !strncasecmp(cell, "n/a", 3)))
        return 0;
    size_t n = 0;
    int decimals = 0;
    const int dated = (*number = day_value(cell, span_bytes(s), a->year)) > 0;
    if ((!dated && (a->year || !(n = number_of(cell, span_bytes(s), number, &decimals)))) ||
        (f->dated >= 0 && f->dated != dated) || (dated && (a->figure || (a->limited && !a->year))))
        return -1;
    f->dated = dated;
    f->decimals = decimals > f->decimals ? decimals : f->decimals;
    struct span_of_text sign = {s.from, s.from},
                        unit = {s.from + (dated ? span_bytes(s) : n), s.to};
    while (!dated && !is_digit(text[sign.to]) && text[sign.to] != '-')
        sign.to++;
    while (unit.from < unit.to && is_space(text[unit.from]))
        unit.from++;
    if (!f->unit.to) {
        f->unit = unit;
        f->sign = sign;
    }
    int money = number_currency_named(text + sign.from, span_bytes(sign));
    money = money ? money : number_currency_named(text + unit.from, span_bytes(unit));
    if (a->currency && money && a->currency != money)
        return -1;
    return span_is_same(text, sign, f->sign) && span_is_same(text, unit, f->unit) ? 1 : -1;
}

// Whether the name of row R begins as A says.
static int begins_so(const struct rows_plan *p, const struct rows_asked *a, const char *text,
                     const struct row *r)
{
    const size_t n = strlen(a->prefix);
    const int name = p->name.column[0];
    return name < r->n && span_bytes(r->cells[name]) >= n &&
           letters_same(text + r->cells[name].from, a->prefix, n);
}

// The number of cells of row R that are a day: the last one, DAY.
static int days_of(const char *text, const struct row *r, struct day *day)
{
    int days = 0;
    for (int i = 0; i < r->n; i++) {
        const size_t n = span_bytes(r->cells[i]);
        struct day own;
        if (!n || day_begins(text + r->cells[i].from, n, &own) != n)
            continue;
        *day = own;
        days++;
    }
    return days;
}

// Whether the only day that row R has is DURING, or of that month; -1: it has none, or several.
static int is_during(const struct day *during, const char *text, const struct row *r)
{
    struct day day;
    if (days_of(text, r, &day) != 1)
        return -1;
    return day.month == during->month && (!during->day || day.day == during->day) &&
           (!during->year || day.year == during->year);
}

// Whether the name of row R has one of WORDS.
static int is_called(const struct rows_plan *p, const char *text, const struct row *r,
                     const char *words)
{
    for (int i = 0; i < r->n; i++)
        if (rows_name_has(&p->name, i) &&
            words_any(words, text + r->cells[i].from, span_bytes(r->cells[i])))
            return 1;
    return 0;
}

// Whether row R only tells what the others have come to.
static int is_sum(const struct rows_plan *p, const char *text, const struct row *r)
{
    return is_called(p, text, r, "total totals subtotal sum average mean summe gesamt");
}

// Whether it is one like "Opening balance".
static int is_balance(const struct rows_plan *p, const char *text, const struct row *r)
{
    return is_called(p, text, r, "balance") && is_called(p, text, r, "opening closing forward");
}

// Multiplies *NUMBER, the price of one, by how many row R of P's table has; 0: that is no number.
static int multiply(const struct rows_plan *p, const char *text, const struct row *r,
                    double *number)
{
    double times;
    int decimals;
    const struct span_of_text s = p->times < r->n ? r->cells[p->times] : (struct span_of_text){0};
    if (!span_bytes(s) || !number_of(text + s.from, span_bytes(s), &times, &decimals))
        return 0;
    *number *= times;
    return 1;
}

// Adds row R of P's table, whose line is LINE, to F if A asks for it, as one of a group of P that
// is counted in OF_GROUP: 1, 0 where the table cannot be compared, or an error.
static int add_row(const struct rows_plan *p, const struct rows_asked *a, const struct row *r,
                   const struct table_row *line, struct rows_found *f, int *of_group, struct err *e)
{
    const char *text = p->t.text;
    double number = 0;
    if (is_balance(p, text, r))
        return 1;
    if (is_sum(p, text, r))
        return a->figure != ROWS_SUM;
    const int during = a->during.month ? is_during(&a->during, text, r) : 1;
    if (during < 0)
        return 0;
    f->all++;
    struct day day = {0};
    const int by_place = a->nth && !a->up, days = by_place ? days_of(text, r, &day) : 0;
    f->apart |= days > 1 || (days && day_number(&day) < f->day);
    f->day = days ? day_number(&day) : f->day;
    if (p->column >= 0) {
        const int is = p->column < r->n ? number_in(a, text, r->cells[p->column], f, &number) : 0;
        if (is <= 0)
            return !is;
        if (p->times >= 0 && !multiply(p, text, r, &number))
            return 0;
    }
    const int group = group_of(p, text, r);
    if (!during || !has_values(p, text, r) || (p->n_groups && !group) ||
        !rows_asked_within(a, number) || !begins_so(p, a, text, r))
        return 1;
    const size_t at = by_place ? 0 : (size_t)f->n;
    const int rc = MEM_GROW(f->v, f->cap, at + 1, e);
    if (rc)
        return rc;
    if (!by_place || a->nth < 0 || f->n < a->nth)
        f->v[at] = (struct rows_hit){*line, number};
    f->n++;
    f->sum += number;
    of_group[group]++;
    return 1;
}

// Whether no two rows of F, whose names tell what is counted, have the same.
static int are_different(const struct rows_plan *p, const struct rows_found *f)
{
    struct row a, b;
    for (int i = 0; i < f->n && f->n <= ROWS; i++)
        for (int j = 0; j < i; j++) {
            int same = 1;
            table_cells(p->t.text, &f->v[i].row, NULL, &a);
            table_cells(p->t.text, &f->v[j].row, NULL, &b);
            // A day before somebody's name does not make two of them.
            for (int c = p->name.person && !p->name.full ? p->name.n - 1 : 0; same && c < p->name.n;
                 c++) {
                const int column = p->name.column[c];
                same = column < a.n && column < b.n &&
                       span_is_same(p->t.text, a.cells[column], b.cells[column]);
            }
            if (same)
                return 0;
        }
    return 1;
}

// Finds the rows of P that A asks for: F. Returns their number, 0 if there are none, or none that
// are sure, or an error.
static int find_hits(const struct rows_plan *p, const struct rows_asked *a, struct rows_found *f,
                     struct err *e)
{
    struct table b;
    struct row r;
    int rc, of_group[ROWS_GROUPS + 1] = {0};
    table_begin(&b, &p->t);
    b.objects = 1;
    while ((rc = table_next(&b, e)) > 0 && b.t.text == p->t.text) {
        if (!b.row.mark || b.row.head.from != p->head) // as rows_plan_find has it
            continue;
        table_cells(b.t.text, &b.row, NULL, &r);
        if ((rc = add_row(p, a, &r, &b.row, f, of_group, e)) <= 0)
            return rc;
    }
    if (rc < 0)
        return rc;
    for (int i = 1; i <= p->n_groups; i++)
        if (p->n_groups > 1 && of_group[i] != 1)
            return 0;
    // The last visit is the one of the last day, wherever it stands.
    if (a->nth && !a->up)
        return f->n = a->nth <= f->n && f->n > 0 && !(p->by_title && f->apart);
    // Two rows of one order are not two orders.
    if (p->key && f->n && (rc = rows_groups_number(p, p->name.column[0], f->v, f->n, e)) != f->n)
        return rc < 0 ? rc : 0;
    if (a->kind == ROWS_COUNT && !a->figure && !p->different)
        return p->key || are_different(p, f) ? f->n : 0;
    return f->n <= ROWS || a->figure || (a->up && !a->limited) ? f->n : 0;
}

static int is_less(const void *a, const void *b)
{
    const double x = ((const struct rows_hit *)a)->number, y = ((const struct rows_hit *)b)->number;
    return (x > y) - (x < y);
}

// Leaves the NTH of V [N] by UP; 0 where there is none, or others share its place.
static int nth_of(struct rows_hit *v, int n, int nth, int up)
{
    qsort(v, (size_t)n, sizeof *v, is_less);
    const int at = up < 0 ? nth - 1 : n - nth;
    if (nth < 1 || nth > n || (at > 0 && !is_less(&v[at - 1], &v[at])) ||
        (at + 1 < n && !is_less(&v[at], &v[at + 1])))
        return 0;
    v[0] = v[at];
    return 1;
}

// Whether V [N], too many rows to list, are said as one: those of one article, or where only the
// number that they share is asked for.
static int are_one(const struct rows_plan *p, const struct rows_hit *v, int n)
{
    const int column = p->name.column[p->name.n - 1];
    struct row a, b;
    table_cells(p->t.text, &v->row, NULL, &a);
    for (int i = 1; i < n && !p->itself; i++) {
        table_cells(p->t.text, &v[i].row, NULL, &b);
        if (p->name.n < 2 || p->name.person || column >= a.n || column >= b.n ||
            !span_is_same(p->t.text, a.cells[column], b.cells[column]))
            return 0;
    }
    return 1;
}

// Leaves the first of F's rows, those that P's table has for A, and those that share its place;
// both where one of two is asked for. Returns their number, 0 where there are too many.
static int best_of(const struct rows_plan *p, struct rows_found *f, const struct rows_asked *a)
{
    struct rows_hit *v = f->v;
    const int n = f->n, up = p->up;
    int best = 0, ties = 0;
    if (a->pair && n < 2)
        return 0;
    if (a->nth)
        return nth_of(v, n, a->nth, up);
    for (int i = 1; i < n; i++)
        best = up * (v[i].number - v[best].number) > 0 ? i : best;
    if (a->either) {
        const struct rows_hit first = v[best];
        v[best] = v[0];
        v[0] = first;
        return n == 2 ? n : 0;
    }
    const double most = v[best].number;
    for (int i = 0; i < n; i++)
        if (!(v[i].number < most) && !(v[i].number > most))
            v[ties++] = v[i];
    f->shared = ties > TIES && are_one(p, v, ties);
    return ties <= TIES || f->shared ? ties : 0;
}

// Prints of how many rows something is.
static void say_rows(FILE *out, const struct rows_found *f)
{
    fprintf(out, "%d", f->n);
    if (f->n < f->all)
        fprintf(out, " of %d", f->all);
    fputs(f->all == 1 ? " row" : " rows", out);
}

// Prints the sum or the mean of what F has in P's column, and of how many rows it is.
static void say_figure(FILE *out, const struct rows_plan *p, const struct rows_asked *a,
                       const struct row *head, const struct rows_found *f)
{
    const int mean = a->figure == ROWS_MEAN, decimals = mean && f->decimals < 2 ? 2 : f->decimals;
    double figure = mean ? f->sum / f->n : f->sum;
    if (fabs(figure) < 0.5 * pow(10, -decimals)) // "0.30", "-0.10", "-0.20": not "-0.00"
        figure = 0;
    if (p->times >= 0) {
        lookup_say(out, p->t.text, head->cells[p->times]);
        fputs(" x ", out);
    }
    lookup_say(out, p->t.text, head->cells[p->column]);
    fputs(": ", out);
    lookup_say(out, p->t.text, f->sign);
    fprintf(out, "%.*f", decimals, figure);
    fputs(span_bytes(f->unit) ? " " : "", out);
    lookup_say(out, p->t.text, f->unit);
    fprintf(out, " %s (", mean ? "on average" : "in all");
    say_rows(out, f);
    fputs(")", out);
}

// Prints the cells of R that end with a value of P, if they are more than that.
static void say_longer(FILE *out, const struct rows_plan *p, const struct row *r)
{
    int said = 0;
    for (int i = 0; i < p->n_values; i++) {
        const struct rows_value *v = &p->values[i];
        if (v->filled < 0 || !rows_has_value(v, p->t.text, r) ||
            span_bytes(r->cells[v->column]) == strlen(v->name))
            continue;
        fputs(said++ ? ", " : " (", out);
        lookup_say(out, p->t.text, r->cells[v->column]);
    }
    fputs(said ? ")" : "", out);
}

// Says the number that all rows of F share, of which article it is where it is of one, and of how
// many rows.
static int say_shared(struct lookup *s, const struct rows_plan *p, struct rows_found *f,
                      struct err *e)
{
    const int column = p->name.column[p->name.n - 1];
    struct row head, r;
    int rc = 0;
    table_cells(p->t.text, &f->v->row, &head, &r);
    lookup_say_cell(s->out, p->t.text, head.cells[p->column], r.cells[p->column]);
    fputs(" (", s->out);
    if (!p->itself) {
        lookup_say(s->out, p->t.text, r.cells[column]);
        fputs(", ", s->out);
    }
    say_rows(s->out, f);
    fputs(")", s->out);
    for (int i = 0; !rc && i < f->n && i < ROWS; i++)
        rc = lookup_add(s, &p->t, f->v[i].row.line, i > 0, e);
    return rc ? rc : 1;
}

static int say(struct lookup *s, const struct rows_plan *p, const struct rows_asked *a,
               const struct rows_found *f, struct err *e)
{
    const int counts = a->kind == ROWS_COUNT && !a->figure,
              column = p->told >= 0 ? p->told : p->column, tells = column >= 0 && !counts,
              shown = !a->figure || f->n <= ROWS ? f->n : ROWS, named = !counts || f->n <= NAMED;
    struct row head, r;
    int rc = 0;
    if (counts) {
        say_rows(s->out, f);
        fputs(named ? ": " : ".", s->out);
    }
    for (int i = 0; !rc && i < shown && i < ROWS; i++) {
        table_cells(p->t.text, &f->v[i].row, &head, &r);
        if (a->figure && !i)
            say_figure(s->out, p, a, &head, f);
        if (!a->figure && named) {
            fputs(!i ? "" : counts ? "; " : "\n", s->out);
            if (tells) {
                lookup_say_cell(s->out, p->t.text, head.cells[column],
                                column < r.n ? r.cells[column] : (struct span_of_text){0, 0});
                fputs(" (", s->out);
            }
            rows_name_say(s->out, p->t.text, &p->name, &r);
            fputs(tells ? ")" : "", s->out);
            say_longer(s->out, p, &r);
        }
        if (((a->nth && !a->up) || (a->during.day && !a->figure && !counts)) && !tells) {
            fputs(": ", s->out);
            lookup_words(s->out, p->t.text, f->v[i].row.line);
        }
        rc = lookup_add(s, &p->t, f->v[i].row.line, i > 0, e);
    }
    return rc ? rc : 1;
}

// Has P add up what F has by the column for that, where several rows have the same there, or where
// no row is called by it. Returns how many there are, 0 where several are of one first and last
// name, or an error.
static int sum_up(struct rows_plan *p, const struct rows_found *f, struct err *e)
{
    if (p->name.full && p->summed == p->name.who)
        return are_different(p, f) ? f->n : 0;
    const int groups = rows_groups_number(p, p->summed, f->v, f->n, e);
    if (groups >= 0 && (groups < f->n || !rows_name_has(&p->name, p->summed)))
        p->by = p->summed;
    return groups < 0 ? groups : f->n;
}

// Says how many different cells F's rows have in the column that P asks for; the rows themselves
// where no two have the same, and A asks for these as well.
static int count_different(struct lookup *s, const struct rows_plan *p, const struct rows_asked *a,
                           const struct rows_found *f, struct err *e)
{
    const int groups = rows_groups_number(p, p->by, f->v, f->n, e);
    if (groups < 0)
        return groups;
    if (groups == f->n && p->counts)
        return say(s, p, a, f, e);
    return rows_groups_list(s, p, f->v, f->n, e);
}

// Answers what is asked of the rows of one table by A.
static int answer(struct lookup *s, const struct rows_asked *a, struct err *e)
{
    struct rows_plan p;
    struct rows_found f = {.dated = -1};
    const int n = rows_plan_find(s, a, &p, e);
    if (n != 1)
        return n < 0 ? n : 0;
    int rc = find_hits(&p, a, &f, e);
    if (rc > 0 && p.summed >= 0 && f.dated <= 0)
        rc = sum_up(&p, &f, e);
    if (rc > 0 && p.by >= 0 && p.column >= 0 && f.dated > 0) // days do not add up
        rc = 0;
    if (rc > 0 && p.different)
        rc = count_different(s, &p, a, &f, e);
    else if (rc > 0 && p.by >= 0)
        rc = rows_groups_say(s, &p, f.v, rc, f.all, f.decimals, e);
    else if (rc > 0 && a->up && !a->limited)
        rc = f.n = best_of(&p, &f, a);
    if (rc > 0 && p.by < 0)
        rc = f.shared ? say_shared(s, &p, &f, e) : say(s, &p, a, &f, e);
    free(f.v);
    return rc;
}

int tables_rows(struct lookup *s, const char *question, struct err *e)
{
    struct rows_asked a;
    int rc = 0;
    for (enum rows_way way = 0; !rc && way < ROWS_WAYS; way++)
        if (rows_asked_parse(&a, question, way))
            rc = answer(s, &a, e);
    return rc;
}
