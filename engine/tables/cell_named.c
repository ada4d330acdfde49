#include "engine/tables/cell_named.h"

#include <string.h>

#include "engine/rows/column.h"
#include "engine/rows/rows_name.h"
#include "engine/tables/short_name.h"
#include "engine/tables/tables.h"
#include "engine/words/chars.h"
#include "engine/words/dates.h"
#include "engine/words/letter.h"
#include "engine/words/names.h"
#include "engine/words/words.h"

enum { SHORTEST = 3 }; // bytes of a cell that may be named

// What CELL of TEXT is called by NAMING: "Angle grinder" of "Angle grinder 125 mm", and "2021" of
// "2021*" by any.
static struct span_of_text called(const char *text, struct span_of_text cell, enum naming naming)
{
    char stem[WORD_STEM];
    size_t bytes, at = cell.from;
    while (span_bytes(cell) && text[cell.to - 1] == '*') // there is a note below
        cell.to--;
    if (naming == IN_FULL)
        return cell;
    do {
        if (!word_next(text, cell.to, &at, stem, &bytes))
            return cell;
    } while (!word_has_digit(text + at - bytes, bytes));
    struct span_of_text name = {cell.from, at - bytes};
    while (name.to > name.from && !letter_ends(text, name.to))
        name.to--;
    // A number without a unit, as in "Hall 3" or "Hall 3, old", tells one from another, and a date
    // is no size.
    const int unit = !dates_say(text + name.to, cell.to - name.to) &&
                     !(at < cell.to && is_one_of(text[at], ",;:")) &&
                     word_next(text, cell.to, &at, stem, &bytes) &&
                     !word_has_digit(text + at - bytes, bytes) &&
                     !word_next(text, cell.to, &at, stem, &bytes);
    return unit && span_bytes(name) ? name : cell;
}

// Whether CELL [n] may name a row: it is a word with some letters, a long number or a code.
static int may_name_row(const char *cell, size_t n)
{
    enum { LETTERS = 4, DIGITS = 3 };
    int digits;
    const int letters = name_letters(cell, n, &digits);
    return name_is_code(cell, n) ||
           (n >= SHORTEST && (letters >= LETTERS || digits >= DIGITS || (letters && digits)));
}

// Whether what is at AT of QUESTION is only compared with: "more than 3.50".
static int is_compared(const char *question, const char *at)
{
    return at - question >= 5 && !memcmp(at - 5, "than ", 5);
}

// Whether CELL [n] is the day of C's question, in whatever form.
static int is_its_day(const struct cells_named *c, const char *cell, size_t n)
{
    struct day day;
    return span_bytes(c->day_in) && n && day_begins(cell, n, &day) == n &&
           day_is_same(&day, &c->day);
}

// Finds CELL [n] in C's question, where it is not only compared with: IN.
static int is_in_question(const struct cells_named *c, const char *cell, size_t n,
                          struct named_cell *in)
{
    enum { MOST = 64 }; // bytes of a plural
    char plural[MOST];
    const int may_be_plural = c->by == LOOSELY && n + 1 < MOST;
    if (may_be_plural) {
        memcpy(plural, cell, n);
        plural[n] = 's';
    }
    for (int more = 0; more <= may_be_plural; more++)
        for (const char *p = c->question;
             (p = name_stands(c->question, p, more ? plural : cell, n + (size_t)more)); p++)
            if (!is_compared(c->question, p)) {
                const size_t at = (size_t)(p - c->question);
                *in = (struct named_cell){{at, at + n + (size_t)more}, n};
                return 1;
            }
    if (!is_its_day(c, cell, n) || is_compared(c->question, c->question + c->day_in.from))
        return 0;
    *in = (struct named_cell){c->day_in, span_bytes(c->day_in)};
    return 1;
}

// Adds CELL to those that the question of C names; of overlapping ones the longest is kept.
static void keep_named(struct cells_named *c, const struct named_cell *cell)
{
    const struct span_of_text in = cell->in;
    int apart = 0;
    for (int i = 0; i < c->n; i++)
        if (in.from < c->v[i].in.to && c->v[i].in.from < in.to &&
            span_bytes(in) <= span_bytes(c->v[i].in))
            return;
    for (int i = 0; i < c->n; i++)
        if (in.from >= c->v[i].in.to || c->v[i].in.from >= in.to)
            c->v[apart++] = c->v[i];
    c->n = apart;
    if (c->n < NAMED_CELLS)
        c->v[c->n++] = *cell;
}

// Whether the column NAME of TEXT has units, "hours", by which no row is named.
static int is_unit(const char *text, struct span_of_text name)
{
    return word_is_listed(" unit units uom einheit ", text + name.from, span_bytes(name));
}

// Whether NAME of TEXT, of three letters, is what a row is called, in column I below HEAD, and
// QUESTION has it as a name, IN.
static int names_shortly(const char *text, const struct row *head, int i, struct span_of_text name,
                         const char *question, const struct named_cell *in)
{
    const struct rows_name names = rows_name_of(text, head);
    return rows_name_has(&names, i) &&
           short_name_stands(question, question + in->in.from, text + name.from, span_bytes(name));
}

// Adds the cells of row R of TEXT, below HEAD, that the question names by each of the ways C to
// name them.
static void name_cells(const char *text, const struct row *head, const struct row *r,
                       struct cells_named c[NAMINGS])
{
    struct named_cell in;
    for (int i = 0; i < r->n; i++) {
        if (i < head->n && (column_is_type(text + head->cells[i].from, span_bytes(head->cells[i]),
                                           text + r->cells[i].from, span_bytes(r->cells[i])) ||
                            is_unit(text, head->cells[i])))
            continue;
        for (int by = 0; by < NAMINGS; by++) {
            const struct span_of_text name = called(text, r->cells[i], c[by].by);
            const char *cell = text + name.from;
            if ((may_name_row(cell, span_bytes(name)) || short_name_is(cell, span_bytes(name))) &&
                is_in_question(&c[by], cell, span_bytes(name), &in) &&
                (may_name_row(cell, span_bytes(name)) ||
                 names_shortly(text, head, i, name, c[by].question, &in)))
                keep_named(&c[by], &in);
        }
    }
}

// Finds those of all tables.
static int find_named(const struct lookup *s, struct cells_named c[NAMINGS], struct err *e)
{
    struct table b;
    struct row head, r;
    int rc;
    tables_begin(&b, s->k, s->n_k);
    while ((rc = table_next(&b, e)) > 0) {
        table_cells(b.t.text, &b.row, &head, &r);
        name_cells(b.t.text, &head, &r, c);
    }
    return rc;
}

int cells_named_find(const struct lookup *s, const char *question, struct cells_named c[NAMINGS],
                     struct err *e)
{
    struct day day;
    size_t at = 0;
    const size_t bytes = day_find(question, strlen(question), &at, &day);
    for (int by = 0; by < NAMINGS; by++) {
        c[by] = (struct cells_named){.question = question, .by = (enum naming)by};
        if (bytes) {
            c[by].day_in = (struct span_of_text){at, at + bytes};
            c[by].day = day;
        }
    }
    return find_named(s, c, e);
}

unsigned cells_named_as(const struct cells_named *c, const char *text, struct span_of_text cell)
{
    const struct span_of_text name = called(text, cell, c->by);
    unsigned cells = 0;
    for (int i = 0; i < c->n; i++)
        if ((span_bytes(name) == c->v[i].bytes &&
             letters_same(text + name.from, c->question + c->v[i].in.from, c->v[i].bytes)) ||
            (c->v[i].in.from == c->day_in.from && c->v[i].in.to == c->day_in.to &&
             is_its_day(c, text + name.from, span_bytes(name))))
            cells |= 1u << i;
    return cells;
}

unsigned cells_named_in(const struct cells_named *c, const char *text, const struct row *r)
{
    unsigned cells = 0;
    for (int i = 0; i < r->n; i++)
        cells |= cells_named_as(c, text, r->cells[i]);
    return cells;
}

int cells_named_in_part(const struct cells_named *c, unsigned cells)
{
    for (int i = 0; i < c->n; i++)
        for (int j = 0; j < c->n; j++)
            if (c->v[i].in.to + 1 == c->v[j].in.from && c->question[c->v[i].in.to] == ' ' &&
                (cells >> i & 1) != (cells >> j & 1))
                return 1;
    return 0;
}

int cells_named_numbers(const struct cells_named *c, const char *text, const struct row *r)
{
    for (int i = 0; i < r->n; i++) {
        struct span_of_text cell = r->cells[i];
        if (!cells_named_as(c, text, cell))
            continue;
        for (; cell.from < cell.to; cell.from++)
            if (is_lower(text[cell.from]) || is_upper(text[cell.from]))
                return 0;
    }
    return 1;
}
