// What a row of a table says about an option or a variable whose cell also has other names of it,
// or its argument: "| `-j`, `--jobs N` | `4` | Files sent at a time. |".
#include <string.h>

#include "engine/rows/table.h"
#include "engine/survey/surveys.h"
#include "engine/survey/term_impl.h"
#include "engine/words/chars.h"
#include "engine/words/words.h"

enum { ENTRIES = 3 }; // rows that are printed if several fit

struct term_row {
    struct texts t;
    struct table_row row;
    int name, value; // columns of the term, and of what is asked for; VALUE -1: of the whole row
};

// Whether CELL of TEXT begins with TERM, or has it behind other names of the same thing; where it
// is not CODED, whether it is nothing else, and marked as code.
static int names_term(const char *text, struct span_of_text cell, const char *term, int coded)
{
    const size_t n = strlen(term);
    if (!coded)
        return span_bytes(cell) == n && !memcmp(text + cell.from, term, n) && cell.from > 0 &&
               text[cell.from - 1] == '`';
    for (size_t at = cell.from; at + n <= cell.to; at++) {
        const int begins = at == cell.from || is_one_of(text[at - 1], " `,|(");
        const int ends = at + n == cell.to || is_one_of(text[at + n], " `,|)=[:");
        if (begins && ends && !memcmp(text + at, term, n))
            return 1;
        if (at > cell.from && is_space(text[at - 1]) && !is_one_of(text[at], "-`"))
            return 0; // its argument, or prose
    }
    return 0;
}

// Whether each of WORDS is in row R of TEXT [n], in the names of its columns, the title of the
// table or of the text.
static int has_words(const char *text, size_t n, const struct table_row *r, const char *words)
{
    const struct span_of_text title = table_title(text, r->head.from);
    char stem[WORD_STEM];
    size_t bytes;
    for (size_t at = 0; word_next(words, strlen(words), &at, stem, &bytes);)
        if (!word_is_in(text + r->line.from, span_bytes(r->line), stem) &&
            !word_is_in(text + r->head.from, span_bytes(r->head), stem) &&
            !word_is_in(text + title.from, span_bytes(title), stem) &&
            !word_is_in(text, n < LOOKUP_TITLE ? n : LOOKUP_TITLE, stem))
            return 0;
    return 1;
}

// Whether the row R of TEXT [n] goes on in the line below it, where the column NAME is empty.
static int goes_on(const char *text, size_t n, const struct table_row *r, int name)
{
    struct table_row next = *r;
    struct row cells;
    if (r->line.to + 1 >= n)
        return 0;
    next.line = texts_line(text, n, r->line.to + 1);
    if (!memchr(text + next.line.from, r->mark, span_bytes(next.line)))
        return 0;
    table_cells(text, &next, NULL, &cells);
    for (int i = name + 1; name < cells.n && !span_bytes(cells.cells[name]) && i < cells.n; i++)
        if (span_bytes(cells.cells[i]))
            return 1;
    return 0;
}

// Whether the row that B is at says what is asked of the term: F.
static int is_entry(const struct table *b, const char *term, int coded, const char *words,
                    int wants_default, struct term_row *f)
{
    const char *text = b->t.text;
    struct row head, r;
    table_cells(text, &b->row, &head, &r);
    *f = (struct term_row){b->t, b->row, 0, -1};
    while (f->name < r.n && !span_bytes(r.cells[f->name]))
        f->name++;
    if (f->name >= r.n || r.n > head.n || !names_term(text, r.cells[f->name], term, coded) ||
        !has_words(text, b->t.n, &b->row, words) || goes_on(text, b->t.n, &b->row, f->name))
        return 0;
    for (int i = f->name + 1; wants_default && f->value < 0 && i < r.n; i++)
        if (span_bytes(r.cells[i]) &&
            words_any("default", text + head.cells[i].from, span_bytes(head.cells[i])))
            f->value = i;
    return !wants_default || f->value >= 0;
}

// Prints what F says: the cell that is asked for, or all that the row has.
static int say(struct lookup *v, const struct term_row *f, struct err *e)
{
    const char *text = f->t.text;
    struct row head, r;
    table_cells(text, &f->row, &head, &r);
    for (int i = f->value < 0 ? f->name : f->value; i < r.n; i++) {
        if (!span_bytes(r.cells[i]))
            continue;
        fputs(i > f->name && f->value < 0 ? "; " : "", v->out);
        lookup_say_cell(v->out, text, head.cells[i], r.cells[i]);
        if (f->value < 0)
            continue;
        fputs(" (", v->out);
        lookup_say(v->out, text, r.cells[f->name]);
        fputc(')', v->out);
        break;
    }
    return lookup_add(v, &f->t, f->row.line, 0, e);
}

int term_row(struct lookup *v, const char *term, int coded, const char *words, int wants_default,
             struct err *e)
{
    struct table b;
    struct term_row f[ENTRIES], one;
    int rc, n = 0;
    tables_begin(&b, v->k, v->n_k);
    while ((rc = table_next(&b, e)) > 0) {
        if (!is_entry(&b, term, coded, words, wants_default, &one))
            continue;
        if (n < ENTRIES)
            f[n] = one;
        n++;
    }
    for (int i = 0; rc >= 0 && n <= ENTRIES && i < n; i++) {
        fputs(i ? "\n" : "", v->out);
        rc = say(v, &f[i], e);
    }
    return rc < 0 ? rc : n > 0 && n <= ENTRIES;
}
