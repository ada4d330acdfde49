// Numbers of a table that was read: whether they are of the column that is asked for.
#include "engine/answer/guard_impl.h"
#include "engine/lines/columns.h"
#include "engine/lines/lines.h"
#include "engine/words/letter.h"
#include "engine/words/text_span.h"

// A row of a table, of which one column is asked for.
struct asked_row {
    const char *text;
    struct span_of_text names[COLUMNS_MOST], cells[COLUMNS_MOST];
    int n, asked; // columns, and which of them
};

// Whether TEXT [n] has NAME [bytes] as it is, whatever its case: not "D22" of "the D22-T".
static int has_name(const char *text, size_t n, const char *name, size_t bytes)
{
    for (size_t at = 0; bytes && at + bytes <= n; at++) {
        const size_t end = at + bytes;
        if (letters_same(text + at, name, bytes) && !(at && word_has(text[at - 1])) &&
            !(at > 1 && text[at - 1] == '-' && word_has(text[at - 2])) &&
            !(end < n && word_has(text[end])) &&
            !(end + 1 < n && text[end] == '-' && word_has(text[end + 1])))
            return 1;
    }
    return 0;
}

// The only column of R but the first that QUESTION names; -1: none, or several.
static int column_asked(const struct asked_row *r, const char *question, size_t n)
{
    int asked = -1;
    for (int i = 1; i < r->n; i++)
        if (has_name(question, n, r->text + r->names[i].from, span_bytes(r->names[i]))) {
            if (asked >= 0)
                return -1;
            asked = i;
        }
    return asked;
}

// Whether G's answer has not all numbers of the cell of R that is asked for, and has one of another
// cell, which the question has not.
static int tells_other(const struct guarded *g, const struct asked_row *r)
{
    const struct span_of_text asked = r->cells[r->asked];
    int lacks = 0, others = 0;
    for (int i = 1; i < r->n; i++) {
        const char *cell = r->text + r->cells[i].from;
        const size_t n = span_bytes(r->cells[i]);
        for (size_t at = 0, bytes; (bytes = guard_next_number(cell, n, &at, 1)); at += bytes) {
            const int said = guard_has_number(g->own.text, g->own.n, cell + at, bytes, 1);
            lacks |= i == r->asked && !said;
            others |=
                said &&
                !guard_has_number(r->text + asked.from, span_bytes(asked), cell + at, bytes, 1) &&
                !guard_has_number(g->question, g->n_question, cell + at, bytes, 1);
        }
    }
    return lacks && others;
}

int guard_crosses_columns(const struct guarded *g)
{
    const struct lines c = {.text = g->read.text, .n = g->read.n};
    struct asked_row r = {.text = g->read.text};
    struct span_of_text head = {0};
    for (struct span_of_text line = {0}; line.from < c.n; line.from = line.to + 1) {
        line = line_at(&c, line.from);
        if (!columns_are_in(c.text + line.from, span_bytes(line)))
            continue;
        if (!span_bytes(head)) {
            head = line;
            continue;
        }
        r.n = columns_cells(c.text, head, line, r.names, r.cells);
        r.asked = column_asked(&r, g->question, g->n_question);
        if (r.asked > 0 && tells_other(g, &r))
            return 1;
    }
    return 0;
}
