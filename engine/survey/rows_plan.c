// Each word of a question has to be one that asks, a word of a column's name, a cell, or of what is
// compared; else the question asks for more than rows can tell.
#include "engine/survey/rows_plan.h"

#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "engine/survey/column.h"
#include "engine/survey/names.h"
#include "engine/survey/number.h"
#include "engine/survey/telling.h"
#include "engine/text/chars.h"
#include "engine/text/letter.h"
#include "engine/text/words.h"

enum {
    FEWEST = 3,   // rows of a table
    SHORTEST = 3, // bytes of a cell that may be named
    TITLE = 80    // bytes above a table that may be its title
};

// A table whose rows are read for the cells that the question names.
struct gathering {
    struct rows_plan p;
    struct row head;
    uint64_t jobs; // a bit for each column of what people are
    struct table_row last;
    int n;     // rows
    int parts; // 1: there may be more rows than were read
};

// ------------------------------------------------------------- words that a table need not have

static const char GENERIC[] =
    " article articles item items product products part parts entry entries row rows "
    "thing things one ones record records transaction transactions ";
static const char PEOPLE[] = " people person persons somebody someone anybody anyone everybody "
                             "everyone names ";
// Those of a table that tells what they work.
static const char STAFF[] = " employee employees staff worker workers colleague colleagues ";
static const char SMALL[] =
    " which what who list show name me us all every each the a an of is are was were there do does "
    "did have has had with that by from in at on for to can you please and or be been currently "
    "any here their they i we my our you table file sheet ";
// What people do in tables, whatever the column's name is.
static const char WORKS[] =
    " work works working worked employed based located stationed company "
    "firm got get gets scored score scores won play plays played playing live lives living ";

// What is done with the rows of any table, if a cell is named.
static const char COMES[] = " come comes came made located based bought delivered ";

// ------------------------------------------------------------------------------------- its cells

// How a name ends in the singular and in the plural; as it is at first.
static const struct {
    const char *from, *to;
} FORMS[] = {{"", ""}, {"", "s"}, {"", "es"}, {"y", "ies"}, {"man", "men"}};

// Writes NAME [n] in that one of FORMS to OUT: its length, 0 where it has no such form.
static size_t form_of(const char *name, size_t n, size_t form, char out[ROWS_ASKED])
{
    const size_t from = strlen(FORMS[form].from), to = strlen(FORMS[form].to);
    if (n < from || n - from + to >= ROWS_ASKED ||
        strncasecmp(name + n - from, FORMS[form].from, from) != 0)
        return 0;
    memcpy(out, name, n - from);
    memcpy(out + n - from, FORMS[form].to, to + 1);
    return n - from + to;
}

// Whether NAME [n] is a short one in capitals: "IT", "HR".
static int is_short_name(const char *name, size_t n)
{
    return n == 2 && is_upper(name[0]) && is_upper(name[1]);
}

// Whether WORD [n] is one of other questions as well, so that a cell with it has to be named with
// its capitals: "IT", "Works".
static int is_other_word(const char *word, size_t n)
{
    return word_is_listed(" am as be go he if is it me my no of on or so to up us we ", word, n) ||
           word_is_listed(SMALL, word, n) || word_is_listed(WORKS, word, n) ||
           word_is_listed(COMES, word, n) || word_is_listed(GENERIC, word, n) ||
           word_is_listed(PEOPLE, word, n);
}

// Whether the word [n] at P ends LEFT behind "in", where nothing is that it could mean: "Who works
// in it?"
static int ends_within(const char *left, const char *p, size_t n)
{
    return p - left >= 4 && !memcmp(p - 4, " in ", 4) && !p[n + strspn(p + n, " ?.!")];
}

// Where LEFT has NAME [n], a cell or its end, in the singular or the plural: 1, with the words that
// it has in V.
static int says_name(const char *left, const char *name, size_t n, struct rows_value *v)
{
    for (size_t form = 0; form < sizeof FORMS / sizeof *FORMS; form++) {
        const size_t bytes = form_of(name, n, form, v->said);
        const char *p = bytes ? name_stands(left, left, v->said, bytes) : NULL;
        if (!p || (n == 2 && form) ||
            (is_other_word(v->said, bytes) && memcmp(p, v->said, bytes) != 0 &&
             !(n == 2 && ends_within(left, p, n))))
            continue;
        v->several = form > 0;
        memcpy(v->name, name, n);
        v->name[n] = 0;
        return 1;
    }
    return 0;
}

// Whether a word of LEFT begins as TEXT [n] does; what is beyond ASCII may be another case.
static int may_stand(const char *left, const char *text, size_t n)
{
    enum { ALIKE = 2 };
    for (const char *p = left; n >= ALIKE && *p; p++)
        if (((unsigned char)*text | (unsigned char)*p) >= 0x80 ||
            ((p == left || !word_has(p[-1])) && !strncasecmp(p, text, ALIKE)))
            return 1;
    return 0;
}

// Adds the cell TEXT [n] of COLUMN to the ones that the question names, if it does; ENDS: whether
// its end may be named, too.
static void add_value(struct rows_plan *p, const char *left, const char *text, size_t n, int column,
                      int ends)
{
    enum { WORDS = 4 };
    int digits;
    struct rows_value v = {.column = column, .ends = ends};
    for (int word = 0; n && word < WORDS; word++) {
        if (n < ROWS_ASKED && may_stand(left, text, n) &&
            (n >= SHORTEST || is_short_name(text, n)) &&
            name_letters(text, n, &digits) >= (n < SHORTEST ? (int)n : SHORTEST) &&
            says_name(left, text, n, &v))
            break;
        const char *blank = ends ? memchr(text, ' ', n) : NULL;
        n = blank ? n - (size_t)(blank + 1 - text) : 0;
        text = blank ? blank + 1 : text;
    }
    if (!n || !*v.name)
        return;
    for (int i = 0; i < p->n_values && i < ROWS_VALUES; i++)
        if (p->values[i].column == column && !strcasecmp(p->values[i].name, v.name))
            return;
    if (p->n_values < ROWS_VALUES)
        p->values[p->n_values] = v;
    p->n_values++;
}

int rows_has_value(const struct rows_value *v, const char *text, const struct row *r)
{
    if (v->column >= r->n)
        return 0;
    const char *cell = text + r->cells[v->column].from;
    const size_t own = strlen(v->name), n = span_bytes(r->cells[v->column]);
    return n >= own && !strncasecmp(cell + n - own, v->name, own) &&
           (n == own || (v->ends && cell[n - own - 1] == ' '));
}

// Drops value I of P.
static void drop_value(struct rows_plan *p, int i)
{
    p->values[i] = p->values[--p->n_values];
}

// Strikes the values of P out of LEFT; those that are a part of another one are dropped.
static void strike_values(struct rows_plan *p, char *left)
{
    for (int i = 0; i < p->n_values; i++)
        for (int j = 0; j < p->n_values; j++)
            if (strlen(p->values[i].said) < strlen(p->values[j].said) &&
                name_stands(p->values[j].said, p->values[j].said, p->values[i].said,
                            strlen(p->values[i].said))) {
                drop_value(p, i--);
                break;
            }
    for (int i = 0; i < p->n_values; i++)
        rows_asked_strike_words(left, p->values[i].said);
}

// Of values of several columns that the question says with the same words, leaves those of the
// column that it names as well, HITS: 0 where that is not one.
static int choose_values(struct rows_plan *p, const int *hits)
{
    for (int i = 0; i < p->n_values; i++)
        for (int j = i + 1; j < p->n_values; j++) {
            if (p->values[i].column == p->values[j].column ||
                strcasecmp(p->values[i].said, p->values[j].said) != 0)
                continue;
            const int a = hits[p->values[i].column], b = hits[p->values[j].column];
            if (!a == !b)
                return 0;
            drop_value(p, a ? j : i);
            i = -1;
            break;
        }
    return 1;
}

// ------------------------------------------------------------------------------------- its columns

// What a word for a row is: one for rows of any table, of a column that names them or of what is
// above the table, or the only one of its title.
enum { GENERAL = 1, OF_COLUMN = 2, OF_TITLE = 4 };

// Whether the name of column I of G has one of WORDS.
static int column_has(const struct gathering *g, int i, const char *words)
{
    const struct span_of_text name = g->head.cells[i];
    return words_any(words, g->p.t.text + name.from, span_bytes(name));
}

// Adds to HITS the columns of G that WORD [bytes], of STEM, asks for by the surest way that finds
// any; whether there are any, and OF_COLUMN in *SUBJECT where one of them names rows.
static int hit_columns(const struct gathering *g, const char stem[WORD_STEM], const char *word,
                       size_t bytes, int *hits, int *subject)
{
    int way[COLUMNS], best = 0;
    for (int i = 0; i < g->head.n; i++) {
        const struct span_of_text name = g->head.cells[i];
        way[i] = column_way(g->p.t.text + name.from, span_bytes(name), stem, word, bytes);
        best = way[i] && (!best || way[i] < best) ? way[i] : best;
    }
    for (int i = 0; best && i < g->head.n; i++)
        if (way[i] == best) {
            hits[i]++;
            *subject |= rows_name_has(&g->p.name, i) ? OF_COLUMN : 0;
        }
    return best > 0;
}

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
             hit_columns(g, stem, behind + at - n, n, hits, &subject));
}

// Whether the title of G's table says by the word of STEM what each of its rows is: these have
// numbers, days or names of their own, for a row of a month may be about many.
static int titles_rows(const struct gathering *g, const char stem[WORD_STEM])
{
    static const char own[] = "no nr id number num ref code key sku date day name";
    const struct span_of_text name = g->head.cells[g->p.name.column[0]];
    const char *text = g->p.t.text;
    return (words_any(own, text + name.from, span_bytes(name)) ||
            word_is_in(text + name.from, span_bytes(name), stem)) &&
           table_is_titled(text, g->p.head, stem);
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
            column_has(g, i, COLUMN_PAY " job department position role manager employee staff");
    for (size_t at = 0; word_next(left, strlen(left), &at, stem, &bytes);) {
        const char *word = left + at - bytes;
        int found = word_is_listed(GENERIC, word, bytes) ||
                    (p->name.person && word_is_listed(PEOPLE, word, bytes)) ||
                    (staff && word_is_listed(STAFF, word, bytes));
        subject |= found ? GENERAL : 0;
        if (word_is_listed(SMALL, word, bytes))
            found = !word_is_listed(" or ", word, bytes);
        else if (bytes >= SHORTEST && !tells_place(g, word, bytes, left + at))
            found |= hit_columns(g, stem, word, bytes, hits, &subject) ||
                     (p->name.person && word_is_listed(WORKS, word, bytes)) ||
                     ((p->n_values || a->during.day) && word_is_listed(COMES, word, bytes));
        if (!found && telling_word(word, bytes, stem, TELLING_BYTES, "") &&
            word_is_in(p->t.text + title, p->head - title, stem)) {
            found = 1;
            subject |= OF_COLUMN;
        }
        subject |= found && titles_rows(g, stem) ? OF_TITLE : 0;
        if (found)
            memset(left + at - bytes, ' ', bytes);
    }
    return subject;
}

// The only column of G with one of NAMES; -1: there is none, or several.
static int only_column(const struct gathering *g, const char *names)
{
    int best = -1;
    for (int i = 0; names && i < g->head.n; i++)
        if (column_has(g, i, names)) {
            if (best >= 0)
                return -1;
            best = i;
        }
    return best;
}

static int is_valued(const struct rows_plan *p, int column)
{
    for (int i = 0; i < p->n_values; i++)
        if (p->values[i].column == column)
            return 1;
    return 0;
}

// The column of G that A compares: the one of most HITS, or the only one of the kind; -1: there is
// none, or several. When people were born makes nobody the newest, and no other day makes them old.
static int compared(struct gathering *g, const struct rows_asked *a, const int *hits)
{
    struct rows_plan *p = &g->p;
    int best = -1, most = 0, several = 0;
    for (int i = 0; i < g->head.n; i++) {
        if (rows_name_has(&p->name, i) || is_valued(p, i) || !hits[i] || hits[i] < most ||
            (a->bound && !column_has(g, i, a->column)))
            continue;
        several = hits[i] == most;
        most = hits[i];
        best = i;
    }
    if (most)
        return several ? -1 : best;
    best = only_column(g, a->column);
    if (best >= 0)
        return column_has(g, best, COLUMN_BIRTH) ? -1 : best;
    best = only_column(g, a->other);
    p->up = a->other_up;
    return best >= 0 && p->name.person && !column_has(g, best, COLUMN_BIRTH) ? -1 : best;
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
    if (!word_is_listed(GENERIC, word, bytes) && !titles_rows(g, stem) &&
        !(g->p.name.person && word_is_listed(STAFF, word, bytes)))
        return -1;
    for (int i = 0; i < g->head.n; i++) {
        const struct span_of_text name = g->head.cells[i];
        if (column_has(g, i, "quantity qty pieces pcs stock units count headcount"))
            return -1;
        if (!hits[i] || is_valued(&g->p, i) || word_is_in(text + name.from, span_bytes(name), stem))
            continue;
        if (best >= 0)
            return -1;
        best = i;
    }
    return best;
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
// several are in stock do not add up.
static int adds_up(const struct gathering *g, const struct rows_asked *a)
{
    const int column = g->p.column;
    if (column_has(g, column, "no nr id number num code year ext phone tel") ||
        only_column(g, a->figure == ROWS_SUM ? "total sum" : "average mean") >= 0)
        return 0;
    for (int i = 0; a->figure == ROWS_SUM && i < g->head.n; i++)
        if (i != column && column_has(g, i, "quantity qty pieces pcs stock units number amount"))
            return 0;
    return 1;
}

// Whether A may ask for rows of table G as they stand, or how many these are, SUBJECT where it has
// a word for a row: of a table that is all of its text, unless it is called one or has it as title.
static int is_by_place(const struct gathering *g, const struct rows_asked *a, int subject,
                       const int *hits)
{
    const struct span_of_text all = {g->p.head, g->last.line.to};
    for (int i = 0; i < g->head.n; i++) // "the first name"
        if (hits[i] && column_has(g, i, "first last second third"))
            return 0;
    return !g->p.n_groups &&
           (a->listed || subject & OF_TITLE || 5 * span_bytes(all) >= 4 * g->p.t.n);
}

// Whether the rest of A, SUBJECT where it has a word for a row and NAMED where it has one of a
// column, asks for rows that table G can tell.
static int is_answered(const struct gathering *g, const struct rows_asked *a, int subject,
                       int named, const int *hits)
{
    const struct rows_plan *p = &g->p;
    if (p->by >= 0)
        return !p->n_groups;
    if (a->figure)
        return p->n_groups <= !p->n_values && p->column >= 0 && adds_up(g, a);
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
    if (a->kind == ROWS_COUNT && !p->n_values && !*a->prefix)
        return (subject & (GENERAL | OF_TITLE)) && is_by_place(g, a, subject, hits);
    if (a->happened)
        return !p->n_values && is_by_place(g, a, subject, hits);
    if (a->during.month && !p->n_values)
        return (subject || p->told >= 0) && !p->n_groups && a->kind != ROWS_WHAT;
    for (int i = 0; i < p->n_values; i++) // it is a row's own name
        if (p->values[i].column == p->name.column[p->name.n - 1] ||
            (p->name.person && rows_name_has(&p->name, p->values[i].column)))
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
        const int column = p->values[i].column, home = column_has(g, column, lives);
        if (work ? home : !home && !column_has(g, column, places))
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

// Whether table G, whose values are found, understands all of A.
static int understands(struct gathering *g, const struct rows_asked *a)
{
    struct rows_plan *p = &g->p;
    struct rows_asked own = *a;
    int hits[COLUMNS] = {0}, named = 0;
    if (p->n_values > ROWS_VALUES)
        return 0;
    p->up = a->up;
    strike_values(p, own.left);
    int subject = strike_columns(g, &own, hits);
    if (!choose_values(p, hits) || are_names(p))
        return 0;
    for (int i = 0; i < p->n_values; i++)
        subject |= p->values[i].several || p->values[i].ends ? OF_COLUMN : 0;
    p->by = counted_by(g, a, hits);
    const int compares = p->by < 0 && (a->up || a->figure);
    p->column = compares ? compared(g, &own, hits) : -1;
    if ((compares && (p->column < 0 || is_of_other_money(g, a, p->column))) ||
        !take_groups(p, own.left))
        return 0;
    p->by_title = (subject & OF_TITLE) != 0;
    p->told =
        !compares && !p->n_groups &&
                (((a->kind == ROWS_LIST || (a->kind == ROWS_WHAT && a->each)) && p->n_values) ||
                 (a->nth && p->by_title) || (a->during.day && a->kind == ROWS_WHICH))
            ? compared(g, &own, hits)
            : -1;
    for (int i = 0; i < g->head.n; i++) {
        const int used = !hits[i] || rows_name_has(&p->name, i) || i == p->column || i == p->told ||
                         i == p->by || is_valued(p, i);
        if (!used && (p->column < 0 || hits[i] >= hits[p->column])) // asked for otherwise
            return 0;
        named |= hits[i] && !rows_name_has(&p->name, i);
    }
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
        if (!rows_name_has(&g->p.name, i) && column_has(g, i, jobs))
            g->jobs |= (uint64_t)1 << i;
}

int rows_plan_find(const struct surveying *s, const struct rows_asked *a, struct rows_plan *out,
                   struct err *e)
{
    struct gathering g = {0};
    struct table b;
    struct row r;
    int rc, n = 0;
    tables_begin(&b, s->k, s->n_k);
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
        for (int i = 0; i < r.n; i++)
            add_value(&g.p, a->left, text + r.cells[i].from, span_bytes(r.cells[i]), i,
                      g.jobs >> i & 1);
    }
    finish(&g, a, g.p.t.n, out, &n);
    return rc < 0 ? rc : n;
}
