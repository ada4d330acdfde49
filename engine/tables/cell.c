// Looks up a cell of a table by the row that the question names: "What is the price of hinge pin 80
// mm?", where a row has the cell "hinge pin 80 mm" and a column is called "price". Votes can hardly
// tell similar rows apart; the words of their cells can.
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "engine/lookup/telling.h"
#include "engine/question/asked.h"
#include "engine/rows/column.h"
#include "engine/rows/rows_name.h"
#include "engine/rows/rows_words.h"
#include "engine/rows/table.h"
#include "engine/tables/cell_named.h"
#include "engine/tables/cell_own.h"
#include "engine/tables/kind.h"
#include "engine/tables/tables.h"
#include "engine/words/chars.h"
#include "engine/words/letter.h"
#include "engine/words/names.h"
#include "engine/words/wordlist.h"
#include "engine/words/words.h"
#include "io/mem.h"

enum {
    FEW = 3,  // rows of each cell that a question names that an answer prints, at most
    BOTH = 2, // columns that it is of, at most
};

// What it asks for: all of it, or only what stands before "and" or behind it.
enum part { ALL, FIRST, SECOND, PARTS };

// What is asked, by the cells that the question names in one way.
struct asking {
    struct cells_named named;
    int rows[NAMED_CELLS];   // number of rows that have each of them
    const char *part[PARTS]; // of the question without these cells; NULL: it has no "and"
    // How well each column of the table that was looked at last fits each part; all of a table's
    // rows have the same, and to find them takes long.
    double fits[PARTS][COLUMNS];
    const char *text; // that the table is in,
    size_t head;      // the byte of its head, and how many columns this has
    int n_columns;
};

// A row with such cells.
struct named_row {
    struct texts t;
    struct table_row row;
    unsigned cells; // a bit for each named cell that the row has
    int more;       // 1: the question has more words than those tell and the column that answers
    struct span_of_text above; // what is above the table and has a number of the question's
};

static int count_bits(unsigned v)
{
    int n = 0;
    for (; v; v &= v - 1)
        n++;
    return n;
}

// Verbs that ask for a column by its kind.
static const char ASKS[] = " cost costs weigh weighs take takes last lasts ";

// How many more words ASKED has, but for those of the list IDLE, that are neither in HEAD, the
// names of the columns, nor in TITLE, than are in NAME.
static int count_more(const char *text, struct span_of_text head, struct span_of_text title,
                      struct span_of_text name, const char *asked, const char *idle)
{
    char stem[WORD_STEM];
    size_t bytes;
    int more = 0;
    for (size_t at = 0; word_next(asked, strlen(asked), &at, stem, &bytes);)
        if (bytes >= TELLING_BYTES && !word_says_little(asked + at - bytes, bytes, stem) &&
            !word_is_listed(idle, asked + at - bytes, bytes))
            more += word_is_in(text + name.from, span_bytes(name), stem) ? -1
                    : word_is_in(text + head.from, span_bytes(head), stem) ||
                            word_is_in(text + title.from, span_bytes(title), stem)
                        ? 0
                        : 1;
    return more;
}

// Whether ASKED has a name with an underscore that the row F lacks: "drain_time" is no row with
// "time".
static int lacks_option(const struct named_row *f, const char *asked)
{
    const size_t n = strlen(asked), bytes = span_bytes(f->row.line);
    const char *row = f->t.text + f->row.line.from;
    size_t own;
    for (size_t at = 0; (own = name_token(asked, n, &at)) > 0; at += own)
        if (memchr(asked + at, '_', own) && !memmem(row, bytes, asked + at, own) &&
            !memmem(f->t.text + f->row.head.from, span_bytes(f->row.head), asked + at, own))
            return 1;
    return 0;
}

// Whether CELL of TEXT is a phrase, which "none" and "see below" are not, that has no number where
// QUESTION asks for one: "ran on A2, split shift" of "Done" is no number of hours.
static int lacks_number(const char *text, struct span_of_text cell, const char *question)
{
    enum { SHORT = 2 }; // words
    char own[LONGEST_SENTENCE + 1], stem[WORD_STEM];
    size_t bytes;
    int words = 0;
    if (span_bytes(cell) >= sizeof own)
        return 0;
    for (size_t at = cell.from; word_next(text, cell.to, &at, stem, &bytes);)
        words += !word_has_digit(text + at - bytes, bytes);
    memcpy(own, text + cell.from, span_bytes(cell));
    own[span_bytes(cell)] = 0;
    return words > SHORT && asked_lacking(question, own);
}

// Whether QUESTION asks how long somebody may do something, or does it, and neither cell I of ROW
// nor the name of its column, in HEAD, has a unit of time, but another cell of ROW has.
static int is_no_span(const char *question, const char *text, const struct row *head,
                      const struct row *row, int i)
{
    static const char units[] = WORDLIST_SPANS " night nights term terms ",
                      verbs[] = " can could do does did may might must shall should will would ";
    const char *behind = strcasestr(question, "how long ");
    behind = behind ? behind + strlen("how long ") : "";
    if (!word_is_listed(verbs, behind, strcspn(behind, " ")) ||
        words_listed(units, text + row->cells[i].from, span_bytes(row->cells[i])) ||
        words_listed(units, text + head->cells[i].from, span_bytes(head->cells[i])))
        return 0;
    for (int k = 0; k < row->n; k++)
        if (words_listed(units, text + row->cells[k].from, span_bytes(row->cells[k])))
            return 1;
    return 0;
}

// Whether column I of F, whose cells are HEAD and ROW, may tell what is asked for.
static int may_tell(const struct asking *a, const struct named_row *f, int i,
                    const struct row *head, const struct row *row)
{
    const char *text = f->t.text, *asked = a->part[ALL];
    const struct span_of_text title = table_title(text, f->row.head.from);
    return span_bytes(row->cells[i]) &&
           column_tells(text + head->cells[i].from, span_bytes(head->cells[i]),
                        text + row->cells[i].from, span_bytes(row->cells[i]), a->named.question) &&
           !lacks_number(text, row->cells[i], a->named.question) &&
           !column_falls_short(text + f->row.head.from, span_bytes(f->row.head), asked) &&
           !(a->fits[ALL][i] == COLUMN_KIND &&
             (kind_is_other(text, &f->row, head->cells[i], a->named.question, asked) ||
              (words_any("long", a->named.question, strlen(a->named.question)) &&
               count_more(text, f->row.head, title, f->row.line, asked, ASKS) > 1))) &&
           !table_lacks_name(text, &f->row, asked) && !lacks_option(f, asked) &&
           !(cells_named_numbers(&a->named, text, row) &&
             count_more(text, f->row.head, title, head->cells[i], asked, " number ") > 0);
}

// Whether the column NAME [n] is only called like what the question, which asks for somebody, a
// time or a place, calls a cell, right before it: "Who leads project B4?" asks for no project.
static int is_kind(const struct asking *a, const char *name, size_t n)
{
    static const char asks[] = " who whom whose when where wer wem wann wo ";
    const char *question = a->named.question;
    size_t at = 0, bytes, behind = 0;
    char stem[WORD_STEM];
    if (!word_next(question, strlen(question), &at, stem, &bytes) ||
        !word_is_listed(asks, question + at - bytes, bytes) ||
        !word_next(question, strlen(question), &at, stem, &behind))
        return 0;
    for (int i = 0; n && i < a->named.n; i++) {
        const size_t from = a->named.v[i].in.from;
        if (from > at + n && question[from - 1] == ' ' && question[from - n - 2] == ' ' &&
            letters_same(question + from - n - 1, name, n))
            return 1;
    }
    return 0;
}

// Finds how well the columns HEAD of F's table fit what is asked for, unless these are known.
static void fit_columns(struct asking *a, const struct named_row *f, const struct row *head)
{
    const char *text = f->t.text;
    size_t bytes;
    if (a->text == text && a->head == f->row.head.from && a->n_columns == head->n)
        return;
    a->text = text;
    a->head = f->row.head.from;
    a->n_columns = head->n;
    for (int i = 0; i < head->n; i++) {
        const char *name = text + head->cells[i].from;
        const size_t n = span_bytes(head->cells[i]);
        const int known =
            table_number(a->named.question, name, n, &bytes) != NULL || is_kind(a, name, n);
        for (int part = 0; part < PARTS; part++)
            a->fits[part][i] = known || !a->part[part] ? 0 : column_fits(name, n, a->part[part]);
    }
}

// The column of ROW, in TEXT below HEAD, that answers this PART; -1: no column does, or several do.
static int column_of(const struct asking *a, enum part part, const char *text,
                     const struct row *head, const struct row *row)
{
    double most = 0;
    int best = -1;
    for (int i = 0; i < row->n && i < a->n_columns; i++) {
        const double fit = a->fits[part][i];
        if (fit < most || fit <= 0 || cells_named_as(&a->named, text, row->cells[i]) ||
            is_no_span(a->named.question, text, head, row, i) ||
            column_is_object(text + head->cells[i].from, span_bytes(head->cells[i]),
                             text + row->cells[i].from, span_bytes(row->cells[i]),
                             a->named.question))
            continue;
        best = fit > most ? i : -1;
        most = fit;
    }
    return best;
}

// The columns of F that answer the question: two where it has "and" between words for each, else
// the one that column_of finds. Returns their number, 0 to BOTH.
static int columns_of(struct asking *a, const struct named_row *f, struct row *head,
                      struct row *row, int out[BOTH])
{
    const char *text = f->t.text;
    int all = 0;
    table_cells(text, &f->row, head, row);
    fit_columns(a, f, head);
    if (a->part[FIRST]) {
        out[0] = column_of(a, FIRST, text, head, row);
        out[1] = column_of(a, SECOND, text, head, row);
        all = out[0] >= 0 && out[1] >= 0 && out[0] != out[1] ? BOTH : 0;
    }
    if (!all && ((out[0] = cell_default(text, head, row, a->part[ALL])) >= 0 ||
                 (out[0] = cell_labelled(text, row, a->part[ALL])) >= 0 ||
                 (out[0] = column_of(a, ALL, text, head, row)) >= 0))
        all = 1;
    for (int i = 0; i < all; i++)
        if (!may_tell(a, f, out[i], head, row))
            return 0;
    return all;
}

// What is above F's table and has a number of the question that neither NAME, a column, nor the
// named cells of ROW have; {0}: nothing is.
static struct span_of_text told_above(const struct asking *a, const struct named_row *f,
                                      struct span_of_text name, const struct row *row)
{
    struct span_of_text said[COLUMNS + 1] = {name};
    int n = 1;
    for (int i = 0; i < row->n; i++)
        if (cells_named_as(&a->named, f->t.text, row->cells[i]))
            said[n++] = row->cells[i];
    return table_told_above(f->t.text, f->row.head.from, a->named.question, said, n);
}

// Finds the rows with most of the named cells among those with a column that answers: F
// [NAMED_CELLS * FEW]. If that is one cell, only the rows with cells that few rows have, or no
// other one where the question has more words. Returns their number, 0 if there are too many, or an
// error.
static int find_rows(const struct lookup *s, struct asking *a, struct named_row *f, struct err *e)
{
    const struct span_of_text no_title = {0};
    struct table b;
    struct row head, r;
    int rc, most = 0, all = 0, rows = 0;
    tables_begin(&b, s->k, s->n_k);
    while ((rc = table_next(&b, e)) > 0) {
        table_cells(b.t.text, &b.row, NULL, &r);
        struct named_row one = {
            .t = b.t, .row = b.row, .cells = cells_named_in(&a->named, b.t.text, &r)};
        const int bits = count_bits(one.cells);
        int column[BOTH];
        if (!bits || bits < most || cells_named_in_part(&a->named, one.cells) ||
            !columns_of(a, &one, &head, &r, column))
            continue;
        const struct span_of_text name = head.cells[*column];
        one.more = count_more(b.t.text, b.row.head, no_title, name, a->part[ALL], "") > 0;
        if (a->named.by == LOOSELY &&
            count_more(b.t.text, b.row.head, no_title, name, a->part[ALL], ASKS) > 0)
            continue;
        one.above = told_above(a, &one, name, &r);
        if (bits > most)
            all = rows = 0;
        most = bits;
        rows++;
        for (int j = 0; j < a->named.n; j++)
            a->rows[j] += one.cells >> j & 1;
        if (all < NAMED_CELLS * FEW)
            f[all++] = one;
    }
    if (rc < 0)
        return rc;
    if (most > 1)
        return rows <= FEW ? rows : 0;
    int few = 0;
    for (int i = 0; i < all; i++)
        for (int j = 0; j < a->named.n; j++)
            if (f[i].cells >> j & 1 && a->rows[j] <= (f[i].more ? 1 : FEW)) {
                f[few++] = f[i];
                break;
            }
    return rows <= NAMED_CELLS * FEW ? few : 0;
}

// Whether the question asks how many of something there are that row F does not have, though a
// column of F says what it is of: how many saws somebody ordered is not how many hammers.
static int counts_others(const struct asking *a, const struct named_row *f)
{
    static const char idle[] =
        ROWS_GOODS "pieces units quantity amount order ordered place placed buy bought purchase "
                   "purchased sell sold ship shipped deliver delivered ";
    const struct span_of_text none = {0};
    return words_any("many", a->named.question, strlen(a->named.question)) &&
           words_listed(ROWS_GOODS, f->t.text + f->row.head.from, span_bytes(f->row.head)) &&
           (f->cells != (1u << a->named.n) - 1 ||
            count_more(f->t.text, f->row.head, f->row.line, none, a->part[ALL], idle) > 0);
}

// Whether cell I of ROW says which one it is of what the question calls it by: what project B4 is.
static int tells_kind(const struct asking *a, const char *text, const struct row *head,
                      const struct row *row, int i)
{
    enum { MOST = 80 }; // bytes
    return i < head->n && span_bytes(row->cells[i]) > 0 && span_bytes(row->cells[i]) <= MOST &&
           is_kind(a, text + head->cells[i].from, span_bytes(head->cells[i]));
}

// Prints which ROW of F is told of: who it is, unless that is SAID, its other cells that the
// question names, and what the table is of.
static void say_named(FILE *out, const struct asking *a, const struct named_row *f,
                      const struct rows_name *name, const struct row *head, const struct row *row,
                      int said)
{
    const char *begins = " (";
    if (name->full && !said) {
        fputs(begins, out);
        begins = ", ";
        rows_name_say(out, f->t.text, name, row);
    }
    for (int i = 0; i < row->n; i++) {
        if (!(cells_named_as(&a->named, f->t.text, row->cells[i]) ||
              tells_kind(a, f->t.text, head, row, i)) ||
            (name->full && (i == name->column[0] || i == name->column[1])))
            continue;
        fputs(begins, out);
        begins = ", ";
        lookup_say(out, f->t.text, row->cells[i]);
    }
    if (span_bytes(f->above)) {
        fputs(*begins == ',' ? "; " : begins, out);
        begins = ", ";
        lookup_say(out, f->t.text, f->above);
    }
    fputs(*begins == ',' ? ")" : "", out);
}

// Prints what row F says about what is asked for. Returns 1, 0 if it says nothing, or an error.
static int say_row(struct lookup *s, struct asking *a, const struct named_row *f, int first,
                   struct err *e)
{
    struct row head, row;
    int column[BOTH], said = 0;
    const int all = columns_of(a, f, &head, &row, column);
    if (!all)
        return 0;
    const struct rows_name name = rows_name_of(f->t.text, &head);
    const int who =
        name.full && words_any(WORDLIST_WHO, a->named.question, strlen(a->named.question));
    fputs(first ? "" : "\n", s->out);
    for (int i = 0; i < all; i++) {
        fputs(i ? "; " : "", s->out);
        if (who && (column[i] == name.column[0] || column[i] == name.column[1])) {
            rows_name_say(s->out, f->t.text, &name, &row);
            said = 1;
            continue;
        }
        lookup_say_cell(s->out, f->t.text, head.cells[column[i]], row.cells[column[i]]);
    }
    say_named(s->out, a, f, &name, &head, &row, said);
    const int rc = lookup_add(s, &f->t, f->row.line, 0, e);
    return rc ? rc : 1;
}

// Whether CELL [n] is a code, with a mark in it or none: "A4", "MO22-06".
static int is_code(const char *cell, size_t n)
{
    enum { LONGEST = 16 };
    if (n > LONGEST || !is_upper(*cell) || !word_has_digit(cell, n))
        return name_is_code(cell, n);
    for (size_t i = 0; i < n; i++)
        if (!is_upper(cell[i]) && !is_digit(cell[i]) && !is_one_of(cell[i], "-/."))
            return 0;
    return 1;
}

// Strikes the few words before byte AT of WORDS, where a code is, that say what has it: "action
// item" of "the owner of action item A4".
static void strike_nouns(char *words, size_t at)
{
    enum { MOST = 3 };
    size_t to = at;
    for (int i = 0; i <= MOST; i++) {
        size_t end = to;
        while (end > 0 && words[end - 1] == ' ')
            end--;
        const size_t from = word_start_before(words, 0, end);
        if (from == end)
            return;
        if (word_is_listed(" of for in on to by with from ", words + from, end - from)) {
            memset(words + end, ' ', at - end);
            return;
        }
        to = from;
    }
}

// Strikes the cells that A names out of its question, and divides what is left into its parts,
// which WORDS [2 * (strlen(question) + 1)] has room for.
static void divide(struct asking *a, char *words)
{
    const size_t room = strlen(a->named.question) + 1;
    char *first = words + room;
    memcpy(words, a->named.question, room);
    for (int i = 0; i < a->named.n; i++) {
        const struct span_of_text in = a->named.v[i].in;
        if (is_code(words + in.from, span_bytes(in)))
            strike_nouns(words, in.from);
        memset(words + in.from, ' ', span_bytes(in));
    }
    a->part[ALL] = words;
    const char *join = name_stands(words, words, "and", 3);
    if (!join)
        return;
    memcpy(first, words, (size_t)(join - words));
    first[join - words] = 0;
    a->part[FIRST] = first;
    a->part[SECOND] = join + 3;
}

// Keeps those of F [n] that say most of A's question. Returns their number.
static int keep_most_said(const struct asking *a, struct named_row *f, int n)
{
    int most = 0, kept = 0;
    for (int i = 0; i < n; i++) {
        const int said = table_words_said(f[i].t.text, &f[i].row, a->part[ALL]);
        if (said < most)
            continue;
        kept = said > most ? 0 : kept;
        most = said;
        f[kept++] = f[i];
    }
    return kept;
}

// Whether a cell that the question of A names stands right behind "most" or "fewest": who ordered
// the most drills is not told by each row of drills.
static int ranks_named(const struct asking *a)
{
    const char *question = a->named.question;
    for (int i = 0; i < a->named.n; i++) {
        size_t to = a->named.v[i].in.from;
        to -= to > 0;
        const size_t from = word_start_before(question, 0, to);
        if (word_is_listed(" most fewest least ", question + from, to - from))
            return 1;
    }
    return 0;
}

// Prints the cells of rows that the named cells of A tell.
static int say_cells(struct lookup *s, struct asking *a, struct err *e)
{
    struct named_row f[NAMED_CELLS * FEW];
    char *words = mem_new(strlen(a->named.question) + 1, 2, e);
    int rc = 0, said = 0, rows = ERR_NOMEM, told = 0;
    if (words) {
        divide(a, words);
        rows = find_rows(s, a, f, e);
        rows = rows > 1 ? keep_most_said(a, f, rows) : rows;
        rows = rows > 1 && ranks_named(a) ? 0 : rows;
    }
    for (int i = 0; i < rows; i++)
        told |= span_bytes(f[i].above) > 0;
    for (int i = 0; rc >= 0 && i < rows; i++) {
        if ((told && !span_bytes(f[i].above)) || counts_others(a, &f[i])) // or of another day
            continue;
        rc = say_row(s, a, &f[i], !said, e);
        said += rc > 0;
    }
    free(words);
    return rows < 0 ? rows : rc < 0 ? rc : said > 0;
}

int tables_cell(struct lookup *s, const char *question, struct err *e)
{
    struct cells_named named[NAMINGS];
    int rc = 0;
    if (!asked_what(question) || (rc = cells_named_find(s, question, named, e)))
        return rc;
    for (int by = 0; !rc && by < NAMINGS; by++) {
        struct asking a = {.named = named[by]};
        if (a.named.n)
            rc = say_cells(s, &a, e);
    }
    return rc;
}
