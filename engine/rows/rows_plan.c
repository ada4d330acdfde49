// Each word of a question has to be one that asks, a word of a column's name, a cell, or of what is
// compared; else the question asks for more than rows can tell.
#include "engine/rows/rows_plan.h"

#include <string.h>

#include "engine/lookup/telling.h"
#include "engine/rows/column.h"
#include "engine/rows/flagged.h"
#include "engine/rows/gathering.h"
#include "engine/rows/number.h"
#include "engine/rows/rows_values.h"
#include "engine/rows/rows_words.h"
#include "engine/rows/traded.h"
#include "engine/words/words.h"

enum {
    FEWEST = 3,   // rows of a table
    SHORTEST = 3, // bytes of a word that counts
    TITLE = 80    // bytes above a table that may be its title
};

// ------------------------------------------------------------------------------------- its columns

// Whether WORD [bytes] tells a place, "the last driver", and what is BEHIND is no word of a column
// of G, as it is in "last name".
static int tells_place(const struct gathering *g, const char *word, size_t bytes,
                       const char *behind)
{
    int hits[COLUMNS] = {0}, subject = 0;
    char stem[WORD_STEM];
    size_t at = 0, n;
    return word_is_listed(" first last ", word, bytes) &&
           !(word_next(behind, strlen(behind), &at, stem, &n) &&
             gathering_hit(g, stem, behind + at - n, n, hits, &subject));
}

// Strikes the title of G's table, where it is of several words, in the plural or the singular out
// of LEFT: "Action items" says what rows are though a column is called "Action". 1, or 0.
static int strike_title(const struct gathering *g, char *left)
{
    const struct span_of_text s = table_title(g->p.t.text, g->p.head);
    char title[ROWS_ASKED];
    const size_t n = span_bytes(s);
    if (!n || n >= sizeof title || g->p.t.text[s.to - 1] != 's')
        return 0;
    memcpy(title, g->p.t.text + s.from, n);
    title[n] = 0;
    if (!strchr(title, ' '))
        return 0;
    if (rows_asked_strike_words(left, title))
        return 1;
    title[n - 1] = 0;
    return rows_asked_strike_words(left, title) != NULL;
}

// Takes out of what is left of A the words of the names of G's columns, and those that say little,
// and counts the former: HITS [head.n]. Returns which words for a row there are.
static int strike_columns(const struct gathering *g, struct rows_asked *a, int *hits)
{
    const struct rows_plan *p = &g->p;
    char *left = a->left;
    const size_t title = p->head > TITLE ? p->head - TITLE : 0;
    char stem[WORD_STEM];
    size_t bytes;
    int subject = 0, staff = 0;
    for (int i = 0; p->name.person && i < g->head.n; i++)
        staff |=
            gathering_has(g, i, COLUMN_PAY " job department position role manager employee staff");
    for (size_t at = 0; word_next(left, strlen(left), &at, stem, &bytes);) {
        const char *word = left + at - bytes;
        int found = word_is_listed(ROWS_GENERIC, word, bytes) ||
                    (p->name.person && word_is_listed(ROWS_PEOPLE, word, bytes)) ||
                    (staff && word_is_listed(ROWS_STAFF, word, bytes));
        subject |= found ? GATHERING_GENERAL : 0;
        if (word_is_listed(ROWS_SMALL, word, bytes))
            found = !word_is_listed(" or ", word, bytes);
        else if (bytes >= SHORTEST && !tells_place(g, word, bytes, left + at))
            found |= gathering_hit(g, stem, word, bytes, hits, &subject) ||
                     (p->name.person && word_is_listed(ROWS_WORKS, word, bytes)) ||
                     ((p->n_values || a->during.day) && word_is_listed(ROWS_COMES, word, bytes)) ||
                     (p->key && word_is_listed(ROWS_PLACED, word, bytes));
        if (!found && telling_word(word, bytes, stem, TELLING_BYTES, "") &&
            word_is_in(p->t.text + title, p->head - title, stem)) {
            found = 1;
            subject |= GATHERING_OF_COLUMN;
        }
        subject |= found && gathering_titles(g, stem) ? GATHERING_OF_TITLE : 0;
        if (found)
            memset(left + at - bytes, ' ', bytes);
    }
    return subject;
}

// The column of G that tells what each row comes to, so that A may ask for its sum by its name: of
// a row that says how many there are, or at what price, or that A calls as it is called, where it
// may be an amount as well; -1: none. Others may go on adding up.
static int totals(const struct gathering *g, const struct rows_asked *a)
{
    char stem[WORD_STEM];
    size_t bytes;
    int key = 0;
    for (size_t at = 0; !key && word_next(a->left, strlen(a->left), &at, stem, &bytes);)
        key = gathering_is_key(g, a->left + at - bytes, bytes);
    const int priced = traded_quantity(g) >= 0 || gathering_only(g, COLUMN_PRICE) >= 0,
              best = key || priced ? gathering_only(g, "total totals sum") : -1;
    return best < 0 && key ? gathering_only(g, "total totals sum amount amounts") : best;
}

// The column of G that A compares: the one of most HITS, or the only one of the kind; -1: there is
// none, or several. When people were born makes nobody the newest, and no other day makes them old.
static int compared(struct gathering *g, const struct rows_asked *a, const int *hits)
{
    struct rows_plan *p = &g->p;
    int best = -1, most = 0, several = 0;
    for (int i = 0; i < g->head.n; i++) {
        if (rows_name_has(&p->name, i) || i == p->summed || gathering_values(g, i) || !hits[i] ||
            hits[i] < most || (a->bound && !gathering_has(g, i, a->column)))
            continue;
        several = hits[i] == most;
        most = hits[i];
        best = i;
    }
    if (most)
        return several ? -1 : best;
    if (a->figure == ROWS_SUM && totals(g, a) >= 0)
        return totals(g, a);
    best = gathering_only(g, a->column);
    if (best >= 0)
        return gathering_has(g, best, COLUMN_BIRTH) ? -1 : best;
    best = gathering_only(g, a->other);
    p->up = a->other_up;
    return best >= 0 && p->name.person && !gathering_has(g, best, COLUMN_BIRTH) ? -1 : best;
}

// The column of G by which rows are counted, where A asks what of it the most rows have: "Which vet
// has the most visits?" -1: it does not, none or several have HITS, or rows may be of several.
static int counted_by(const struct gathering *g, const struct rows_asked *a, const int *hits)
{
    const char *text = g->p.t.text, *behind = a->left + a->many;
    char stem[WORD_STEM];
    size_t at = 0, bytes;
    int best = -1;
    if (!a->many || (a->kind != ROWS_WHICH && a->kind != ROWS_WHAT) ||
        !word_next(behind, strlen(behind), &at, stem, &bytes))
        return -1;
    const char *word = behind + at - bytes;
    if (!g->p.key && !word_is_listed(ROWS_GENERIC, word, bytes) && !gathering_titles(g, stem) &&
        !(g->p.name.person && word_is_listed(ROWS_STAFF, word, bytes)))
        return -1;
    for (int i = 0; i < g->head.n; i++) {
        const struct span_of_text name = g->head.cells[i];
        if (!g->p.key && gathering_has(g, i, "quantity qty pieces pcs stock units count headcount"))
            return -1;
        if (!hits[i] || gathering_values(g, i) ||
            word_is_in(text + name.from, span_bytes(name), stem))
            continue;
        if (best >= 0)
            return -1;
        best = i;
    }
    return best;
}

// The column of G by which A may ask for the most of what rows have together: who did, the day, or
// what "which" asks for; -1: there is none.
static int summed_by(const struct gathering *g, const struct rows_asked *a)
{
    if (!a->many || a->trade || a->nth)
        return -1;
    if (a->day)
        return gathering_only(g, GATHERING_DAYS);
    if (a->kind == ROWS_WHO)
        return g->p.name.who;
    return a->kind == ROWS_WHICH || a->kind == ROWS_WHAT ? gathering_asked(g, a->left) : -1;
}

// Whether the name of COLUMN of G has another currency than A's.
static int is_of_other_money(const struct gathering *g, const struct rows_asked *a, int column)
{
    const struct span_of_text name = g->head.cells[column];
    char stem[WORD_STEM];
    size_t bytes;
    for (size_t at = name.from; word_next(g->p.t.text, name.to, &at, stem, &bytes);) {
        const int own = number_currency_named(g->p.t.text + at - bytes, bytes);
        if (a->currency && own && own != a->currency)
            return 1;
    }
    return 0;
}

// Takes the words that are left over as those of rows; 0: there are too many.
static int take_groups(struct rows_plan *p, const char *left)
{
    char stem[WORD_STEM];
    size_t bytes;
    int next = 1;
    p->n_groups = 0;
    memset(p->groups, 0, sizeof p->groups);
    for (size_t at = 0; word_next(left, strlen(left), &at, stem, &bytes);) {
        const char *word = left + at - bytes;
        if (word_is_listed(" or ", word, bytes)) {
            next = 1;
            continue;
        }
        if (next && p->n_groups == ROWS_GROUPS)
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

// --------------------------------------------------------------------------------------- all of it

// Whether the sum or the mean of the column that A compares in G says something: prices of which
// several are in stock do not add up, but what came in for them does.
static int adds_up(const struct gathering *g, const struct rows_asked *a, const int *hits)
{
    const int column = g->p.column;
    if (gathering_has(g, column, "no nr id number num code year ext phone tel"))
        return 0;
    // What a total is of is hardly how many there are.
    if (a->figure == ROWS_SUM && traded_is_quantity(g, column) && column == traded_quantity(g))
        return 1;
    if (a->figure == ROWS_SUM && !hits[column] && column == totals(g, a))
        return !g->p.n_groups;
    if (gathering_only(g, a->figure == ROWS_SUM ? "total sum" : "average mean") >= 0)
        return 0;
    if (traded_is_quantity(g, column) ||
        gathering_has(g, column, "revenue turnover takings proceeds"))
        return 1;
    for (int i = 0; a->figure == ROWS_SUM && i < g->head.n; i++)
        if (i != column && gathering_has(g, i, "quantity qty pieces pcs stock units number amount"))
            return 0;
    return 1;
}

// Whether what rows of G have in the column that A compares is had together, and is what A asks for
// the most of: each hour worked is one more, but who is twice in a list is not older.
static int may_be_summed(const struct gathering *g, const struct rows_asked *a, const int *hits)
{
    static const char levels[] = "age balance level stock population inhabitants rate temperature "
                                 "weight height average mean score";
    const struct span_of_text name = g->head.cells[g->p.column];
    const char *text = g->p.t.text;
    char stem[WORD_STEM];
    size_t at = a->many, bytes;
    struct rows_asked sum = *a;
    sum.figure = ROWS_SUM;
    if (word_next(a->left, strlen(a->left), &at, stem, &bytes)) {
        const char *word = a->left + at - bytes;
        if (!word_is_listed(ROWS_SMALL, word, bytes) &&
            !column_way(text + name.from, span_bytes(name), stem, word, bytes))
            return 0;
    }
    return hits[g->p.column] && !gathering_has(g, g->p.column, levels) && adds_up(g, &sum, hits);
}

// Whether A may ask for rows of table G as they stand, or how many these are, SUBJECT where it has
// a word for a row: of a table that is all of its text, unless it is called one or has it as title.
static int is_by_place(const struct gathering *g, const struct rows_asked *a, int subject,
                       const int *hits)
{
    const struct span_of_text all = {g->p.head, g->last.line.to};
    for (int i = 0; i < g->head.n; i++) // "the first name"
        if (hits[i] && gathering_has(g, i, "first last second third"))
            return 0;
    return !g->p.n_groups &&
           (a->listed || subject & GATHERING_OF_TITLE || 5 * span_bytes(all) >= 4 * g->p.t.n);
}

// Whether A asks how many rows there are by that word.
static int counts_rows(const struct rows_asked *a)
{
    return a->kind == ROWS_COUNT && words_any("row record", a->left, strlen(a->left));
}

// Whether a cell that A names is the own name of a row, unless it only asks how many rows have it
// in the column that it calls by its name, "How many rows have the product tea?", or how many rows,
// as they are called, somebody has: "How many orders did Dorn place?"
static int names_a_row(const struct rows_plan *p, const struct rows_asked *a, const int *hits)
{
    for (int i = 0; i < p->n_values; i++) {
        const int column = p->values[i].column;
        if ((column == p->name.column[p->name.n - 1] ||
             (p->name.person && rows_name_has(&p->name, column))) &&
            !(counts_rows(a) && hits[column]) && !(p->key && column != p->name.column[0]))
            return 1;
    }
    return 0;
}

// Whether WORD is what the question says for a value of P.
static int says_value(const struct rows_plan *p, const char *word)
{
    for (int i = 0; i < p->n_values; i++)
        if (!strcmp(p->values[i].said, word))
            return 1;
    return 0;
}

// The column of G of which A asks how many different cells it has: "How many products are there?"
// -1: it asks for the rows themselves, or for something else. Strikes out of LEFT that it asks so.
static int different(const struct gathering *g, const struct rows_asked *a, char *left)
{
    char stem[WORD_STEM];
    size_t at = 0, bytes;
    int best = -1;
    if (a->kind != ROWS_COUNT || a->figure || a->up || a->limited || a->trade || *a->prefix ||
        a->during.month || g->p.n_values || g->p.key)
        return -1;
    rows_asked_strike_words(left, "different");
    rows_asked_strike_words(left, "distinct");
    if (!word_next(left, strlen(left), &at, stem, &bytes))
        return -1;
    for (int i = 0; i < g->head.n; i++)
        if (gathering_is_called(g, i, left + at - bytes, bytes)) {
            if (best >= 0 || traded_is_quantity(g, i))
                return -1;
            best = i;
        }
    return best;
}

// Whether the rest of A, SUBJECT where it has a word for a row and NAMED where it has one of a
// column, asks for rows that table G can tell.
static int is_answered(const struct gathering *g, const struct rows_asked *a, int subject,
                       int named, const int *hits)
{
    const struct rows_plan *p = &g->p;
    if (p->different)
        return is_by_place(g, a, subject, hits);
    if (p->by >= 0)
        return !p->n_groups;
    if (p->times >= 0)
        return !p->n_groups && p->column >= 0;
    if (a->figure)
        return p->n_groups <= !p->n_values && p->column >= 0 && adds_up(g, a, hits);
    if (p->n_groups && (p->n_values || !a->up || (a->limited && p->n_groups > 1)))
        return 0;
    if (a->kind == ROWS_WHO && !p->name.person && !(a->nth && p->told >= 0))
        return 0;
    if (a->up && !a->limited)
        return a->kind != ROWS_COUNT && a->kind != ROWS_LIST &&
               (!a->pair || p->n_groups || (a->either && p->n_values > 1));
    if (a->limited)
        return a->kind != ROWS_WHAT || a->does || subject || p->n_values || p->n_groups;
    if (a->nth)
        return a->kind != ROWS_COUNT && (subject || a->kind == ROWS_WHO) &&
               is_by_place(g, a, subject, hits);
    if (a->trade && traded_quantity(g) >= 0 && !counts_rows(a) &&
        !(p->key && says_value(p, a->trade))) // rows are not what was traded
        return 0;
    if (a->kind == ROWS_COUNT && !p->n_values && !*a->prefix)
        return (subject & (GATHERING_GENERAL | GATHERING_OF_TITLE)) &&
               is_by_place(g, a, subject, hits);
    if (a->happened)
        return !p->n_values && is_by_place(g, a, subject, hits);
    if (a->during.month && !p->n_values)
        return (subject || p->told >= 0) && !p->n_groups && a->kind != ROWS_WHAT;
    if (names_a_row(p, a, hits))
        return 0;
    if (*a->prefix)
        return subject && a->kind != ROWS_WHAT;
    if (a->kind == ROWS_WHAT && p->told < 0)
        return p->n_values && a->does && named;
    return p->n_values && (subject || a->kind == ROWS_WHO || (!named && a->kind != ROWS_WHICH));
}

// Whether a cell that the question names is of a column of where people live, and it asks where
// they work, or the other way round.
static int is_elsewhere(const struct gathering *g, const struct rows_asked *a)
{
    static const char lives[] = "home birth born residence live lives address",
                      places[] = "city town country village place location county";
    const struct rows_plan *p = &g->p;
    const size_t n = strlen(a->left);
    const int work = words_any("work works working employed based", a->left, n),
              live = words_any("live lives living", a->left, n);
    for (int i = 0; (work || live) && i < p->n_values; i++) {
        const int column = p->values[i].column, home = gathering_has(g, column, lives);
        if (work ? home : !home && !gathering_has(g, column, places))
            return 1;
    }
    return 0;
}

// Whether the values of P are parts of several people's names, so that they do not tell which parts
// belong together.
static int are_names(const struct rows_plan *p)
{
    int first = 0, last = 0;
    for (int i = 0; p->name.full && i < p->n_values; i++) {
        first += p->values[i].column == p->name.column[0];
        last += p->values[i].column == p->name.column[1];
    }
    return first && last && first + last > 2;
}

// Whether what A asks the number of, or who has the most of, is what the rows of G are called.
static int asks_for_key(const struct gathering *g, const struct rows_asked *a)
{
    char stem[WORD_STEM];
    size_t at = a->many, bytes;
    return (a->kind == ROWS_COUNT || a->many) && !a->figure &&
           word_next(a->left, strlen(a->left), &at, stem, &bytes) &&
           !(a->many && word_is_listed(ROWS_GOODS, a->left + at - bytes, bytes)) &&
           gathering_is_key(g, a->left + at - bytes, bytes);
}

// Whether A asks for rows with one of several values, P's, that are of different columns: "paid or
// from Dorn".
static int is_either(const struct rows_plan *p, const struct rows_asked *a)
{
    int is = 0;
    for (int i = 1; a->either && i < p->n_values; i++)
        is |= p->values[i].column != p->values[0].column;
    return is;
}

// Whether table G, whose values are found, understands all of A.
static int understands(struct gathering *g, const struct rows_asked *a)
{
    struct rows_plan *p = &g->p;
    struct rows_asked own = *a;
    int hits[COLUMNS] = {0}, named = 0;
    if (p->n_values > ROWS_VALUES)
        return 0;
    p->up = a->up;
    p->key = asks_for_key(g, a);
    rows_values_strike(p, own.left);
    if (!a->up && !a->during.month) // nothing says when that came about
        flagged_take(g, own.left);
    if (p->n_values > ROWS_VALUES || is_either(p, a))
        return 0;
    const int most = a->trade && a->many, trades = most || (a->trade && a->figure),
              quantity = trades ? traded_column(g, a, own.left) : -1,
              differ = different(g, a, own.left), titled = strike_title(g, own.left);
    int times = -1;
    const int priced = trades ? -1 : traded_for(g, a, own.left, &times);
    int subject =
        strike_columns(g, &own, hits) | (titled ? GATHERING_GENERAL | GATHERING_OF_TITLE : 0);
    if (a->day && gathering_only(g, GATHERING_DAYS) >= 0)
        hits[gathering_only(g, GATHERING_DAYS)]++;
    if (!rows_values_choose(p, hits) || are_names(p))
        return 0;
    for (int i = 0; i < p->n_values; i++)
        subject |= p->values[i].several || p->values[i].ends ? GATHERING_OF_COLUMN : 0;
    subject |= p->key ? GATHERING_GENERAL : 0;
    p->times = priced < 0 ? -1 : times;
    p->different = differ >= 0;
    p->by = most ? traded_by(g, a) : p->different ? differ : counted_by(g, a, hits);
    p->summed = p->by < 0 ? summed_by(g, a) : -1;
    const int compares = (most || p->by < 0) && (a->up || a->figure);
    p->column = trades ? quantity : priced >= 0 ? priced : compares ? compared(g, a, hits) : -1;
    if ((most && p->by < 0) ||
        (compares && (p->column < 0 || is_of_other_money(g, a, p->column))) ||
        !take_groups(p, own.left))
        return 0;
    if (p->summed >= 0 && !may_be_summed(g, a, hits))
        p->summed = -1;
    if (a->day && p->by < 0 && p->summed < 0)
        return 0;
    p->by_title = (subject & GATHERING_OF_TITLE) != 0;
    p->told =
        !compares && !p->n_groups &&
                (((a->kind == ROWS_LIST || (a->kind == ROWS_WHAT && a->each)) && p->n_values) ||
                 (a->nth && p->by_title) || (a->during.day && a->kind == ROWS_WHICH))
            ? compared(g, a, hits)
            : -1;
    for (int i = 0; i < g->head.n; i++) {
        const int used = !hits[i] || rows_name_has(&p->name, i) || i == p->column || i == p->told ||
                         i == p->by || i == p->summed || gathering_values(g, i);
        if (!used && (p->column < 0 || hits[i] >= hits[p->column])) // asked for otherwise
            return 0;
        named |= hits[i] && !rows_name_has(&p->name, i);
    }
    p->itself = a->kind == ROWS_WHAT && compares && !subject && hits[p->column] && !p->n_groups;
    p->counts = (subject & (GATHERING_GENERAL | GATHERING_OF_TITLE)) != 0;
    return !is_elsewhere(g, a) && is_answered(g, a, subject, named, hits);
}

// Adds the plan of table G to OUT, as number *N, if it understands A: with the cells that are
// named, or with their words as those of a row ("garden hose"). Where G has more rows than were
// read, no plan is sure.
static void finish(struct gathering *g, const struct rows_asked *a, size_t to,
                   struct rows_plan *out, int *n)
{
    enum { UNSURE = 2 };
    if (g->n < FEWEST)
        return;
    int fits = understands(g, a);
    if (!fits && g->p.n_values) {
        g->p.n_values = 0;
        fits = understands(g, a);
    }
    if (fits && !*n)
        *out = g->p;
    *n += !fits ? 0 : g->parts || table_goes_on(&g->p.t, &g->last, to) ? UNSURE : 1;
}

// Begins to gather the table of row R of T.
static void begin(struct gathering *g, const struct texts *t, const struct table_row *r)
{
    static const char jobs[] = "job title role position occupation profession trade function post";
    struct row cells;
    *g = (struct gathering){.p = {.t = *t, .head = r->head.from}};
    table_cells(t->text, r, &g->head, &cells);
    g->p.name = rows_name_of(t->text, &g->head);
    for (int i = 0; i < g->head.n; i++)
        if (!rows_name_has(&g->p.name, i) && gathering_has(g, i, jobs))
            g->jobs |= (uint64_t)1 << i;
}

int rows_plan_find(const struct lookup *s, const struct rows_asked *a, struct rows_plan *out,
                   struct err *e)
{
    struct gathering g = {0};
    struct table b;
    struct row r;
    int rc, n = 0;
    tables_begin(&b, s->k, s->n_k);
    b.objects = 1;
    while ((rc = table_next(&b, e)) > 0) {
        const char *text = b.t.text;
        if (!b.row.mark)
            continue;
        if (text != g.p.t.text || b.row.head.from != g.p.head) {
            finish(&g, a, text == g.p.t.text ? b.row.head.from : g.p.t.n, out, &n);
            begin(&g, &b.t, &b.row);
        } else {
            g.parts |= table_goes_on(&b.t, &g.last, b.row.line.from);
        }
        g.n++;
        g.last = b.row;
        table_cells(text, &b.row, NULL, &r);
        flagged_read(&g, &r);
        traded_read(&g, a, &r);
        for (int i = 0; i < r.n; i++)
            rows_values_add(&g.p, a->left, text + r.cells[i].from, span_bytes(r.cells[i]), i,
                            g.jobs >> i & 1);
    }
    finish(&g, a, g.p.t.n, out, &n);
    return rc < 0 ? rc : n;
}
