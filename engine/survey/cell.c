// Looks up a cell of a table by the row that the question names: "What is the price of hinge pin 80
// mm?", where a row has the cell "hinge pin 80 mm" and a column is called "price". Votes can hardly
// tell similar rows apart; the words of their cells can.
#include <stdlib.h>
#include <string.h>

#include "engine/survey/column.h"
#include "engine/survey/lookups.h"
#include "engine/survey/names.h"
#include "engine/survey/rows_name.h"
#include "engine/survey/table.h"
#include "engine/survey/telling.h"
#include "engine/text/asked.h"
#include "engine/text/chars.h"
#include "engine/text/letter.h"
#include "engine/text/lines.h"
#include "engine/text/wordlist.h"
#include "engine/text/words.h"
#include "io/mem.h"

enum {
    NAMED = 8,   // cells that a question names, at most
    FEW = 3,     // rows of each that an answer prints, at most
    BOTH = 2,    // columns that it is of, at most
    HALF = 256,  // bytes of what is asked for before "and"
    SHORTEST = 3 // bytes of a cell that may be named
};

// How a question names cells: in full, or without a size and in the plural as well.
enum naming { IN_FULL, LOOSELY, NAMINGS };

// A cell that the question names.
struct named_cell {
    struct span_of_text in; // the question
    size_t bytes;           // of IN without the plural's "s"
    enum naming naming;
    int rows; // number of rows that have it
};

// A row with such cells.
struct named_row {
    struct texts t;
    struct table_row row;
    unsigned cells; // a bit for each named cell that the row has
    int more;       // 1: the question has more words than those tell and the column that answers
};

// What CELL of TEXT is called by NAMING: "Angle grinder" of "Angle grinder 125 mm".
static struct span_of_text called(const char *text, struct span_of_text cell, enum naming naming)
{
    char stem[WORD_STEM];
    size_t bytes, at = cell.from;
    if (naming == IN_FULL)
        return cell;
    do {
        if (!word_next(text, cell.to, &at, stem, &bytes))
            return cell;
    } while (!word_has_digit(text + at - bytes, bytes));
    struct span_of_text name = {cell.from, at - bytes};
    while (name.to > name.from && !letter_ends(text, name.to))
        name.to--;
    // A number without a unit, as in "Hall 3", tells one from another.
    const int unit = word_next(text, cell.to, &at, stem, &bytes) &&
                     !word_has_digit(text + at - bytes, bytes) &&
                     !word_next(text, cell.to, &at, stem, &bytes);
    return unit && span_bytes(name) ? name : cell;
}

// Whether CELL [n] may name a row: it is a word with some letters, or a long number.
static int may_name_row(const char *cell, size_t n)
{
    enum { LETTERS = 4, DIGITS = 3 };
    int digits;
    const int letters = name_letters(cell, n, &digits);
    return n >= SHORTEST && (letters >= LETTERS || digits >= DIGITS || (letters && digits));
}

// Whether what is at AT of QUESTION is only compared with: "more than 3.50".
static int is_compared(const char *question, const char *at)
{
    static const char than[] = "than ";
    const size_t n = sizeof than - 1;
    return at - question >= (ptrdiff_t)n && !memcmp(at - n, than, n);
}

// Finds CELL [n] in QUESTION, where it is not only compared with: IN.
static int is_in_question(const char *question, const char *cell, size_t n, enum naming naming,
                          struct named_cell *in)
{
    enum { MOST = 64 }; // bytes of a plural
    char plural[MOST];
    const int may_be_plural = naming == LOOSELY && n + 1 < MOST;
    if (may_be_plural) {
        memcpy(plural, cell, n);
        plural[n] = 's';
    }
    for (int more = 0; more <= may_be_plural; more++)
        for (const char *p = question;
             (p = name_stands(question, p, more ? plural : cell, n + (size_t)more)); p++)
            if (!is_compared(question, p)) {
                const size_t at = (size_t)(p - question);
                *in = (struct named_cell){{at, at + n + (size_t)more}, n, naming, 0};
                return 1;
            }
    return 0;
}

// Adds IN to the cells that the question names; of overlapping ones the longest is kept.
static void keep_named(struct named_cell *v, int *n, const struct named_cell *cell)
{
    const struct span_of_text in = cell->in;
    for (int i = 0; i < *n; i++)
        if (in.from < v[i].in.to && v[i].in.from < in.to) {
            if (span_bytes(in) <= span_bytes(v[i].in))
                return;
            v[i--] = v[--*n];
        }
    if (*n < NAMED)
        v[(*n)++] = *cell;
}

// Adds the cells of row R of TEXT that QUESTION names, by each of the ways to name them, to V [N].
static void name_cells(const char *text, const struct row *r, const char *question,
                       struct named_cell v[NAMINGS][NAMED], int n[NAMINGS])
{
    struct named_cell in;
    for (int i = 0; i < r->n; i++)
        for (enum naming by = 0; by < NAMINGS; by++) {
            const struct span_of_text name = called(text, r->cells[i], by);
            const char *cell = text + name.from;
            if (may_name_row(cell, span_bytes(name)) &&
                is_in_question(question, cell, span_bytes(name), by, &in))
                keep_named(v[by], &n[by], &in);
        }
}

// Finds those of all tables.
static int find_named(const struct surveying *s, const char *question,
                      struct named_cell v[NAMINGS][NAMED], int n[NAMINGS], struct err *e)
{
    struct texts t;
    struct table b;
    struct row r;
    int rc;
    texts_begin(&t, s->k, s->n_k);
    while ((rc = texts_next(&t, e)) > 0) {
        table_begin(&b, &t);
        while (table_next(&b)) {
            table_cells(t.text, &b.row, NULL, &r);
            name_cells(t.text, &r, question, v, n);
        }
    }
    return rc;
}

// The bits of those of V [N] that the row R has.
static unsigned cells_named(const struct row *r, const char *text, const char *question,
                            const struct named_cell *v, int n)
{
    unsigned cells = 0;
    for (int i = 0; i < r->n; i++)
        for (int j = 0; j < n; j++) {
            const struct span_of_text name = called(text, r->cells[i], v[j].naming);
            if (span_bytes(name) == v[j].bytes &&
                letters_same(text + name.from, question + v[j].in.from, v[j].bytes))
                cells |= 1u << j;
        }
    return cells;
}

// Whether a row with the named CELLS lacks one that stands right beside one of them in QUESTION:
// what "Mary Jones" is in neither a row with "Mary" nor one with "Jones" alone.
static int parts_name(unsigned cells, const char *question, const struct named_cell *v, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (v[i].in.to + 1 == v[j].in.from && question[v[i].in.to] == ' ' &&
                (cells >> i & 1) != (cells >> j & 1))
                return 1;
    return 0;
}

static int count_bits(unsigned v)
{
    int n = 0;
    for (; v; v &= v - 1)
        n++;
    return n;
}

// Whether the named cells of ROW have no letter: "2022" alone hardly names a row.
static int only_numbers(const char *text, const struct row *row, const char *question,
                        const struct named_cell *v, int n)
{
    for (int i = 0; i < row->n; i++) {
        const struct row one = {.cells = {row->cells[i]}, .n = 1};
        if (!cells_named(&one, text, question, v, n))
            continue;
        for (size_t j = one.cells[0].from; j < one.cells[0].to; j++)
            if (is_lower(text[j]) || is_upper(text[j]))
                return 0;
    }
    return 1;
}

// Verbs that ask for a column by its kind.
static const char ASKS[] = " cost costs weigh weighs take takes last lasts ";

// Whether ASKED has more words, but for those of the list IDLE, that are not in HEAD, the names of
// the columns, than are in NAME.
static int asks_more(const char *text, struct span_of_text head, struct span_of_text name,
                     const char *asked, const char *idle)
{
    char stem[WORD_STEM];
    size_t bytes;
    int more = 0;
    for (size_t at = 0; word_next(asked, strlen(asked), &at, stem, &bytes);)
        if (bytes >= TELLING_BYTES && !word_is_common(stem) &&
            !word_is_listed(idle, asked + at - bytes, bytes))
            more += word_is_in(text + name.from, span_bytes(name), stem)   ? -1
                    : word_is_in(text + head.from, span_bytes(head), stem) ? 0
                                                                           : 1;
    return more > 0;
}

// Whether column I of F, whose cells are HEAD and ROW, may tell what is asked for.
static int may_tell(const struct named_row *f, int i, const char *asked, const char *question,
                    const struct named_cell *v, int n, const struct row *head,
                    const struct row *row)
{
    const char *text = f->t.text;
    return span_bytes(row->cells[i]) &&
           column_tells(text + head->cells[i].from, span_bytes(head->cells[i]),
                        text + row->cells[i].from, span_bytes(row->cells[i]), question) &&
           !column_falls_short(text + f->row.head.from, span_bytes(f->row.head), asked) &&
           !table_lacks_name(text, &f->row, asked) &&
           !(only_numbers(text, row, question, v, n) &&
             asks_more(text, f->row.head, head->cells[i], asked, ""));
}

// The column of F, whose cells are HEAD and ROW, that answers QUESTION; ASKED is the question, or a
// part of it, without the cells that it names. -1: no column does, or several do.
static int column_of(const struct named_row *f, const char *asked, const char *question,
                     const struct named_cell *v, int n, const struct row *head,
                     const struct row *row)
{
    double most = 0;
    int best = -1;
    for (int i = 0; i < row->n && i < head->n; i++) {
        const struct row one = {.cells = {row->cells[i]}, .n = 1};
        if (cells_named(&one, f->t.text, question, v, n))
            continue;
        const char *name = f->t.text + head->cells[i].from;
        const size_t n_name = span_bytes(head->cells[i]);
        const double fit = column_fits(name, n_name, asked);
        size_t bytes;
        if (fit < most || fit <= 0 || table_number(question, name, n_name, &bytes)) // it is known
            continue;
        best = fit > most ? i : -1;
        most = fit;
    }
    return best;
}

// The columns of F that answer QUESTION: two where ASKED has "and" between words for each, else the
// one that column_of finds. Returns their number, 0 to BOTH.
static int columns_of(const struct named_row *f, const char *asked, const char *question,
                      const struct named_cell *v, int n, struct row *head, struct row *row,
                      int out[BOTH])
{
    char first[HALF];
    const char *join = name_stands(asked, asked, "and", 3);
    int all = 0;
    table_cells(f->t.text, &f->row, head, row);
    if (join && join - asked < HALF) {
        memcpy(first, asked, (size_t)(join - asked));
        first[join - asked] = 0;
        out[0] = column_of(f, first, question, v, n, head, row);
        out[1] = column_of(f, join + 3, question, v, n, head, row);
        all = out[0] >= 0 && out[1] >= 0 && out[0] != out[1] ? BOTH : 0;
    }
    if (!all && (out[0] = column_of(f, asked, question, v, n, head, row)) >= 0)
        all = 1;
    for (int i = 0; i < all; i++)
        if (!may_tell(f, out[i], asked, question, v, n, head, row))
            return 0;
    return all;
}

// Finds the rows with most of the named cells among those with a column that answers: F [NAMED *
// FEW]. If that is one cell, only the rows with cells that few rows have, or no other one where the
// question has more words. Returns their number, 0 if there are too many, or an error.
static int find_rows(const struct surveying *s, const char *asked, const char *question,
                     struct named_cell *v, int n, struct named_row *f, struct err *e)
{
    struct texts t;
    struct table b;
    struct row head, r;
    int rc, most = 0, all = 0, rows = 0;
    texts_begin(&t, s->k, s->n_k);
    while ((rc = texts_next(&t, e)) > 0) {
        table_begin(&b, &t);
        while (table_next(&b)) {
            table_cells(t.text, &b.row, NULL, &r);
            const unsigned cells = cells_named(&r, t.text, question, v, n);
            struct named_row one = {t, b.row, cells, 0};
            const int bits = count_bits(cells);
            int column[BOTH];
            if (!bits || bits < most || parts_name(cells, question, v, n) ||
                !columns_of(&one, asked, question, v, n, &head, &r, column))
                continue;
            one.more = asks_more(t.text, b.row.head, head.cells[*column], asked, "");
            if (v->naming == LOOSELY &&
                asks_more(t.text, b.row.head, head.cells[*column], asked, ASKS))
                continue;
            if (bits > most)
                all = rows = 0;
            most = bits;
            rows++;
            for (int j = 0; j < n; j++)
                v[j].rows += (cells >> j) & 1;
            if (all < NAMED * FEW)
                f[all++] = one;
        }
    }
    if (rc < 0)
        return rc;
    if (most > 1)
        return rows <= FEW ? rows : 0;
    int few = 0;
    for (int i = 0; i < all; i++)
        for (int j = 0; j < n; j++)
            if (f[i].cells >> j & 1 && v[j].rows <= (f[i].more ? 1 : FEW)) {
                f[few++] = f[i];
                break;
            }
    return rows <= NAMED * FEW ? few : 0;
}

// Prints which ROW of F is told of: who it is, unless that is SAID, and its other cells that the
// question names.
static void say_named(FILE *out, const struct named_row *f, const struct rows_name *name,
                      const struct row *row, const char *question, const struct named_cell *v,
                      int n, int said)
{
    const char *begins = " (";
    if (name->full && !said) {
        fputs(begins, out);
        begins = ", ";
        rows_name_say(out, f->t.text, name, row);
    }
    for (int i = 0; i < row->n; i++) {
        const struct row one = {.cells = {row->cells[i]}, .n = 1};
        if (!cells_named(&one, f->t.text, question, v, n) ||
            (name->full && (i == name->column[0] || i == name->column[1])))
            continue;
        fputs(begins, out);
        begins = ", ";
        survey_say(out, f->t.text, row->cells[i]);
    }
    fputs(*begins == ',' ? ")" : "", out);
}

// Prints what row F says about what QUESTION asks for. Returns 1, 0 if it says nothing, or an
// error.
static int say_row(struct surveying *s, const struct named_row *f, const char *asked,
                   const char *question, const struct named_cell *v, int n, int first,
                   struct err *e)
{
    struct row head, row;
    int column[BOTH], said = 0;
    const int all = columns_of(f, asked, question, v, n, &head, &row, column);
    if (!all)
        return 0;
    const struct rows_name name = rows_name_of(f->t.text, &head);
    const int who = name.full && words_any(WORDLIST_WHO, question, strlen(question));
    fputs(first ? "" : "\n", s->out);
    for (int i = 0; i < all; i++) {
        fputs(i ? "; " : "", s->out);
        if (who && (column[i] == name.column[0] || column[i] == name.column[1])) {
            rows_name_say(s->out, f->t.text, &name, &row);
            said = 1;
            continue;
        }
        survey_say(s->out, f->t.text, head.cells[column[i]]);
        fputs(": ", s->out);
        survey_say(s->out, f->t.text, row.cells[column[i]]);
    }
    say_named(s->out, f, &name, &row, question, v, n, said);
    const int rc = survey_add(s, &f->t, f->row.line, 0, e);
    return rc ? rc : 1;
}

// Prints the cells of rows that V [N], which QUESTION names in one way, tell.
static int say_cells(struct surveying *s, const char *question, struct named_cell *v, int n,
                     struct err *e)
{
    int said = 0;
    struct named_row *f = mem_new(NAMED * FEW, sizeof *f, e);
    char *asked = mem_new(strlen(question) + 1, 1, e);
    int rows = ERR_NOMEM;
    if (f && asked) {
        memcpy(asked, question, strlen(question) + 1);
        for (int i = 0; i < n; i++)
            memset(asked + v[i].in.from, ' ', span_bytes(v[i].in));
        rows = find_rows(s, asked, question, v, n, f, e);
    }
    int rc = rows < 0 ? rows : 0;
    for (int i = 0; rc >= 0 && i < rows; i++) {
        rc = say_row(s, &f[i], asked, question, v, n, !said, e);
        said += rc > 0;
    }
    free(asked);
    free(f);
    return rc < 0 ? rc : said > 0;
}

int survey_cell(struct surveying *s, const char *question, struct err *e)
{
    struct named_cell v[NAMINGS][NAMED];
    int n[NAMINGS] = {0}, rc = 0;
    if (!asked_what(question) || (rc = find_named(s, question, v, n, e)))
        return rc;
    for (int by = 0; !rc && by < NAMINGS; by++)
        if (n[by])
            rc = say_cells(s, question, v[by], n[by], e);
    return rc;
}
