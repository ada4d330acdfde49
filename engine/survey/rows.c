// Looks through all rows of a table: "What is the most expensive article?", "Which articles cost
// more than 100 euros?", "How many articles does Nordkraft supply?". Each word of the question has
// to be one that asks, a word of a column's name, a cell, or of what is compared; else the question
// asks for more than rows can tell.
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "engine/survey/lookups.h"
#include "engine/survey/names.h"
#include "engine/survey/number.h"
#include "engine/survey/rows_asked.h"
#include "engine/survey/table.h"
#include "engine/text/chars.h"
#include "engine/text/lines.h"
#include "engine/text/words.h"
#include "io/mem.h"

enum {
    VALUES = 4,  // cells that a question may name
    GROUPS = 2,  // rows that it may name by their words: "the drill or the saw"
    ROWS = 64,   // rows that an answer tells of, at most
    TIES = 3,    // rows that share the first place, at most
    FEWEST = 3,  // rows of a table
    SHORTEST = 3 // bytes of a cell that may be named
};

// A cell that the question names.
struct rows_value {
    int column;
    char name[ROWS_ASKED];
};

// The question as one table understands it.
struct rows_plan {
    struct texts t;
    size_t head; // byte of the table's head
    struct rows_value values[VALUES];
    int n_values;
    char groups[GROUPS][ROWS_ASKED]; // words of rows
    int n_groups;
    int column; // the one that is compared, or -1
    int name;   // the one that names rows besides the first one, or -1
};

// A row that is answered with.
struct rows_hit {
    struct table_row row;
    double number;
};

// ----------------------------------------------------------------------------------- one table

// Adds the cell TEXT [n] of COLUMN to the ones that the question names, if it does.
static void add_value(struct rows_plan *p, const char *left, const char *text, size_t n, int column)
{
    int digits;
    if (n < SHORTEST || n >= ROWS_ASKED || name_letters(text, n, &digits) < SHORTEST ||
        !name_stands(left, left, text, n))
        return;
    for (int i = 0; i < p->n_values && i < VALUES; i++)
        if (p->values[i].column == column && strlen(p->values[i].name) == n &&
            !strncasecmp(p->values[i].name, text, n))
            return;
    if (p->n_values < VALUES) {
        p->values[p->n_values] = (struct rows_value){.column = column};
        memcpy(p->values[p->n_values].name, text, n);
    }
    p->n_values++;
}

// Strikes the values of P out of LEFT; those that are a part of another one are dropped.
static void strike_values(struct rows_plan *p, char *left)
{
    size_t at;
    for (int i = 0; i < p->n_values; i++)
        for (int j = 0; j < p->n_values; j++)
            if (strlen(p->values[i].name) < strlen(p->values[j].name) &&
                name_stands(p->values[j].name, p->values[j].name, p->values[i].name,
                            strlen(p->values[i].name))) {
                p->values[i--] = p->values[--p->n_values];
                break;
            }
    for (int i = 0; i < p->n_values; i++)
        rows_asked_strike_words(left, p->values[i].name, &at);
}

static const char GENERIC[] =
    " article articles item items product products entry entries row rows "
    "thing things one ones record records ";
static const char SMALL[] =
    " which what list show name me us all every each the a an of is are was were there do does did "
    "have has had with that by from in at on for to can you please and or be been currently any ";

// Whether column I of P names rows.
static int names_rows(const struct rows_plan *p, int i)
{
    return !i || i == p->name;
}

// Takes out of LEFT the words of columns' names, HEAD, and counts them: HITS [head->n]. Returns
// whether there is a word for a row.
static int strike_columns(const struct rows_plan *p, const char *text, const struct row *head,
                          char *left, int *hits)
{
    char stem[WORD_STEM];
    size_t bytes;
    int subject = 0;
    for (size_t at = 0; word_next(left, strlen(left), &at, stem, &bytes);) {
        const char *word = left + at - bytes;
        int found = word_is_listed(GENERIC, word, bytes);
        subject |= found;
        if (word_is_listed(SMALL, word, bytes)) {
            found = !word_is_listed(" or ", word, bytes);
        } else if (bytes >= SHORTEST) {
            for (int i = 0; i < head->n; i++)
                if (word_is_in(text + head->cells[i].from, span_bytes(head->cells[i]), stem)) {
                    hits[i]++;
                    found = 1;
                    subject |= names_rows(p, i);
                }
        }
        if (found)
            rows_asked_strike(left, at - bytes, bytes);
    }
    return subject;
}

// The column that A compares: the one of most HITS, or the only one of the kind; -1: there is none,
// or several.
static int compared(const struct rows_plan *p, const struct rows_asked *a, const char *text,
                    const struct row *head, const int *hits)
{
    int best = -1, most = 0, several = 0;
    for (int i = 0; i < head->n; i++) {
        int valued = names_rows(p, i);
        for (int j = 0; j < p->n_values; j++)
            valued |= p->values[j].column == i;
        if (valued || !hits[i] || hits[i] < most)
            continue;
        several = hits[i] == most;
        most = hits[i];
        best = i;
    }
    if (most)
        return several ? -1 : best;
    for (int i = 0; a->column && i < head->n; i++)
        if (words_any(a->column, text + head->cells[i].from, span_bytes(head->cells[i]))) {
            several += best >= 0;
            best = i;
        }
    return several ? -1 : best;
}

// Takes the words that are left over as those of rows; 0: there are too many.
static int take_groups(struct rows_plan *p, const char *left)
{
    char stem[WORD_STEM];
    size_t bytes;
    int next = 1;
    p->n_groups = 0;
    for (size_t at = 0; word_next(left, strlen(left), &at, stem, &bytes);) {
        const char *word = left + at - bytes;
        if (word_is_listed(" or ", word, bytes)) {
            next = 1;
            continue;
        }
        if (next && p->n_groups == GROUPS)
            return 0;
        p->n_groups += next;
        next = 0;
        char *group = p->groups[p->n_groups - 1];
        const size_t n = strlen(group);
        memcpy(group + n, word, bytes);
        memcpy(group + n + bytes, " ", 2);
    }
    return 1;
}

// The column besides the first one that names rows; -1: there is none.
static int name_column(const char *text, const struct row *head)
{
    for (int i = 1; i < head->n; i++)
        if (words_any("name title item product article description", text + head->cells[i].from,
                      span_bytes(head->cells[i])))
            return i;
    return -1;
}

// Whether P, whose columns HEAD names and whose values are found, understands all of A.
static int understands(struct rows_plan *p, const struct rows_asked *a, const char *text,
                       const struct row *head)
{
    static const char costs[] = " cost costs priced ";
    struct rows_asked own = *a;
    int hits[COLUMNS] = {0}, named = 0;
    char stem[WORD_STEM];
    size_t bytes;
    if (p->n_values > VALUES)
        return 0;
    strike_values(p, own.left);
    const int subject = strike_columns(p, text, head, own.left, hits);
    for (size_t at = 0; word_next(own.left, strlen(own.left), &at, stem, &bytes);)
        if (a->up && word_is_listed(costs, own.left + at - bytes, bytes)) {
            rows_asked_strike(own.left, at - bytes, bytes);
            own.column = own.column ? own.column : ROWS_PRICE;
        }
    p->column = a->up ? compared(p, &own, text, head, hits) : -1;
    if ((a->up && p->column < 0) || !take_groups(p, own.left))
        return 0;
    for (int i = 0; i < head->n; i++) {
        int used = !hits[i] || names_rows(p, i) || i == p->column;
        for (int j = 0; j < p->n_values; j++)
            used |= p->values[j].column == i;
        if (!used && (p->column < 0 || hits[i] >= hits[p->column])) // asked for otherwise
            return 0;
        named |= hits[i] && !names_rows(p, i);
    }
    if (p->n_groups && (p->n_values || !a->up || (a->limited && p->n_groups > 1)))
        return 0;
    if (a->up && !a->limited)
        return a->kind != ROWS_COUNT && a->kind != ROWS_LIST &&
               (!a->pair || p->n_groups || (a->either && p->n_values > 1));
    if (a->limited)
        return a->kind != ROWS_WHAT || a->does || subject || p->n_values || p->n_groups;
    for (int i = 0; i < p->n_values; i++) // it is a row's own name
        if (p->values[i].column == (p->name < 0 ? 0 : p->name))
            return 0;
    if (a->kind == ROWS_WHAT)
        return p->n_values && a->does && named;
    return p->n_values && (subject || (!named && a->kind != ROWS_WHICH));
}

// ---------------------------------------------------------------------------------- all tables

// A table whose rows are read for the cells that the question names.
struct gathering {
    struct rows_plan p;
    struct row head;
    int n; // rows
};

// Adds the plan of table G to OUT, as number *N, if it understands A: with the cells that are
// named, or with their words as those of a row ("garden hose").
static void finish(struct gathering *g, const struct rows_asked *a, struct rows_plan *out, int *n)
{
    if (g->n < FEWEST)
        return;
    int fits = understands(&g->p, a, g->p.t.text, &g->head);
    if (!fits && g->p.n_values) {
        g->p.n_values = 0;
        memset(g->p.groups, 0, sizeof g->p.groups);
        fits = understands(&g->p, a, g->p.t.text, &g->head);
    }
    if (fits && !(*n)++)
        *out = g->p;
}

// Finds the table that understands A: OUT. Returns the number of such tables, or an error.
static int find_plan(const struct surveying *s, const struct rows_asked *a, struct rows_plan *out,
                     struct err *e)
{
    struct gathering g;
    struct texts t;
    struct table b;
    struct row r;
    int rc, n = 0;
    texts_begin(&t, s->k, s->n_k);
    while ((rc = texts_next(&t, e)) > 0) {
        table_begin(&b, &t);
        g.n = 0;
        while (table_next(&b)) {
            if (!b.row.mark)
                continue;
            if (!g.n || g.p.head != b.row.head.from) {
                if (g.n)
                    finish(&g, a, out, &n);
                g = (struct gathering){.p = {.t = t, .head = b.row.head.from}};
                table_cells(t.text, &b.row, &g.head, &r);
                g.p.name = name_column(t.text, &g.head);
            }
            g.n++;
            table_cells(t.text, &b.row, NULL, &r);
            for (int i = 0; i < r.n; i++)
                add_value(&g.p, a->left, t.text + r.cells[i].from, span_bytes(r.cells[i]), i);
        }
        if (g.n)
            finish(&g, a, out, &n);
    }
    return rc < 0 ? rc : n;
}

// -------------------------------------------------------------------------------- rows that fit

static int has_values(const struct rows_plan *p, const char *text, const struct row *r)
{
    for (int i = 0; i < p->n_values; i++) {
        int had = 0;
        for (int j = 0; j < p->n_values; j++) {
            const struct rows_value *v = &p->values[j];
            const struct span_of_text cell = r->cells[v->column < r->n ? v->column : 0];
            had |= v->column == p->values[i].column && span_bytes(cell) == strlen(v->name) &&
                   !strncasecmp(text + cell.from, v->name, span_bytes(cell));
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
                all |= names_rows(p, i) &&
                       word_form_is_in(text + r->cells[i].from, span_bytes(r->cells[i]),
                                       words + at - bytes, bytes);
        }
        if (all)
            return g + 1;
    }
    return 0;
}

// Reads the cell S, which column P->column has, into *NUMBER: 1; 0 where it has none, as all cells
// of the column have either, in the same UNIT, or -1.
static int number_in(const char *text, struct span_of_text s, struct span_of_text *unit,
                     double *number)
{
    if (!line_says_something(text + s.from, span_bytes(s)) ||
        (span_bytes(s) == 3 && !strncasecmp(text + s.from, "n/a", 3)))
        return 0;
    const size_t n = number_of(text + s.from, span_bytes(s), number);
    if (!n)
        return -1;
    s.from += n;
    while (s.from < s.to && is_space(text[s.from]))
        s.from++;
    if (!unit->to)
        *unit = s;
    return span_bytes(s) == span_bytes(*unit) &&
                   !memcmp(text + s.from, text + unit->from, span_bytes(s))
               ? 1
               : -1;
}

static int is_within(const struct rows_asked *a, double number)
{
    return !a->limited || (a->equal && number == a->limit) ||
           (a->up > 0 ? number > a->limit : number < a->limit);
}

// Whether the row R only tells of the others.
static int is_sum(const struct rows_plan *p, const char *text, const struct row *r)
{
    static const char sums[] = "total totals subtotal sum average mean summe gesamt";
    for (int i = 0; i < r->n; i++)
        if (names_rows(p, i) && words_any(sums, text + r->cells[i].from, span_bytes(r->cells[i])))
            return 1;
    return 0;
}

// Finds the rows of P that A asks for: V [ROWS]. Returns their number, 0 if there are none, or none
// that are sure, or an error.
static int find_hits(const struct surveying *s, const struct rows_plan *p,
                     const struct rows_asked *a, struct rows_hit *v, struct err *e)
{
    struct texts t;
    struct table b;
    struct row r;
    struct span_of_text unit = {0, 0};
    int rc, n = 0, of_group[GROUPS + 1] = {0};
    texts_begin(&t, s->k, s->n_k);
    while ((rc = texts_next(&t, e)) > 0 && t.text != p->t.text)
        ;
    if (rc <= 0)
        return rc;
    table_begin(&b, &t);
    while (table_next(&b)) {
        double number = 0;
        if (b.row.head.from != p->head)
            continue;
        table_cells(t.text, &b.row, NULL, &r);
        if (p->column >= 0) {
            const int is =
                p->column < r.n ? number_in(t.text, r.cells[p->column], &unit, &number) : 0;
            if (is < 0)
                return 0;
            if (!is)
                continue;
        }
        const int group = group_of(p, t.text, &r);
        if (is_sum(p, t.text, &r) || !has_values(p, t.text, &r) || (p->n_groups && !group) ||
            !is_within(a, number))
            continue;
        if (n == ROWS)
            return 0;
        v[n++] = (struct rows_hit){b.row, number};
        of_group[group]++;
    }
    for (int i = 1; i <= p->n_groups; i++)
        if (p->n_groups > 1 && of_group[i] != 1)
            return 0;
    return n;
}

// Leaves the first of V [N] by A's order, and those that share its place; both where one of two is
// asked for. Returns their number, 0 where there are too many.
static int best_of(struct rows_hit *v, int n, const struct rows_asked *a)
{
    int best = 0, ties = 0;
    if (a->pair && n < 2)
        return 0;
    for (int i = 1; i < n; i++)
        best = a->up * (v[i].number - v[best].number) > 0 ? i : best;
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
    return ties <= TIES ? ties : 0;
}

// Prints what names row R.
static void say_name(FILE *out, const struct rows_plan *p, const struct row *r)
{
    survey_say(out, p->t.text, r->cells[0]);
    if (p->name > 0 && p->name < r->n) {
        fputs(", ", out);
        survey_say(out, p->t.text, r->cells[p->name]);
    }
}

static int say(struct surveying *s, const struct rows_plan *p, const struct rows_asked *a,
               const struct rows_hit *v, int n, struct err *e)
{
    const int counts = a->kind == ROWS_COUNT, tells = p->column >= 0 && !counts;
    struct row head, r;
    int rc = 0;
    if (counts)
        fprintf(s->out, "%d: ", n);
    for (int i = 0; !rc && i < n; i++) {
        table_cells(p->t.text, &v[i].row, &head, &r);
        fputs(!i ? "" : counts ? "; " : "\n", s->out);
        if (tells) {
            survey_say(s->out, p->t.text, head.cells[p->column]);
            fputs(": ", s->out);
            survey_say(s->out, p->t.text, r.cells[p->column]);
            fputs(" (", s->out);
        }
        say_name(s->out, p, &r);
        fputs(tells ? ")" : "", s->out);
        rc = survey_add(s, &p->t, v[i].row.line, i > 0, e);
    }
    return rc ? rc : 1;
}

int survey_rows(struct surveying *s, const char *question, struct err *e)
{
    struct rows_asked a;
    struct rows_plan p;
    if (!rows_asked_parse(&a, question))
        return 0;
    int n = find_plan(s, &a, &p, e);
    if (n != 1)
        return n < 0 ? n : 0;
    struct rows_hit *v = mem_new(ROWS, sizeof *v, e);
    int rc = v ? find_hits(s, &p, &a, v, e) : ERR_NOMEM;
    if (rc > 0 && a.up && !a.limited)
        rc = best_of(v, rc, &a);
    if (rc > 0)
        rc = say(s, &p, &a, v, rc, e);
    free(v);
    return rc;
}
