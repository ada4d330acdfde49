// Looks up a row of a table by its number, or its letter: "What does error code 3 mean?", where a
// column is called "Code" and the row has 3 there. Such a short number is in so many rows and lines
// that neither votes nor words find the right one.
#include <string.h>

#include "engine/lookup/telling.h"
#include "engine/question/asked.h"
#include "engine/rows/column.h"
#include "engine/rows/table.h"
#include "engine/tables/tables.h"
#include "engine/words/chars.h"
#include "engine/words/words.h"

enum {
    FEW = 3,   // rows that an answer prints, at most
    SAID = 480 // bytes of a row
};

// Words of questions that a table need not have.
static const char ASKS[] = "mean means meaning stand stands denote denotes called name named have "
                           "number";

// A row that the question calls by its number.
struct numbered_row {
    struct texts t;
    struct table_row in;
    int cell; // index of the cell with the number
};

// The cell of row B with the number that the question calls it by; -1: none.
static int cell_called(const struct table *b, const char *question)
{
    const char *text = b->t.text;
    struct row head, row;
    const char *number;
    size_t bytes;
    if (!b->row.mark || span_bytes(b->row.line) > SAID)
        return -1;
    table_cells(text, &b->row, &head, &row);
    for (int i = 0; i < row.n && i < head.n; i++)
        if ((number = table_number(question, text + head.cells[i].from, span_bytes(head.cells[i]),
                                   &bytes)) &&
            bytes == span_bytes(row.cells[i]) && !memcmp(number, text + row.cells[i].from, bytes) &&
            table_says_all(b, question, ASKS, 1) && !table_lacks_name(text, &b->row, question))
            return i;
    return -1;
}

// Finds the rows that QUESTION calls by their number: V [FEW]. Returns how many there are, FEW + 1
// for more, or an error.
static int find_rows(const struct lookup *s, const char *question, struct numbered_row *v,
                     struct err *e)
{
    struct table b;
    int rc = 0, n = 0, cell;
    tables_begin(&b, s->k, s->n_k);
    while (n <= FEW && (rc = table_next(&b, e)) > 0)
        if ((cell = cell_called(&b, question)) >= 0) {
            if (n < FEW)
                v[n] = (struct numbered_row){b.t, b.row, cell};
            n++;
        }
    return rc < 0 ? rc : n;
}

// Whether the question has a word of the column NAME of TEXT, and VALUE may be what it asks for.
static int names_column(const char *question, const char *text, struct span_of_text name,
                        struct span_of_text value)
{
    const char *own = text + name.from;
    const size_t n = span_bytes(name);
    char stem[WORD_STEM];
    size_t bytes;
    for (size_t at = 0; word_next(own, n, &at, stem, &bytes);)
        if (bytes >= TELLING_BYTES && !word_is_common(stem) &&
            word_is_in(question, strlen(question), stem))
            return column_tells(own, n, text + value.from, span_bytes(value), question);
    return 0;
}

// Prints "Name: DROP, Sent by: collector (Type: 6)"; only the columns that the question names, if
// it names any.
static int say_row(struct lookup *s, const struct numbered_row *h, const char *question, int first,
                   struct err *e)
{
    const char *text = h->t.text;
    struct row head, row;
    int said = 0, asked = 0;
    table_cells(text, &h->in, &head, &row);
    for (int i = 0; i < row.n && i < head.n; i++)
        asked |= i != h->cell && span_bytes(row.cells[i]) &&
                 names_column(question, text, head.cells[i], row.cells[i]);
    fputs(first ? "" : "\n", s->out);
    for (int i = 0; i < row.n && i < head.n; i++) {
        const struct span_of_text name = head.cells[i], value = row.cells[i];
        if (i == h->cell || !span_bytes(value) ||
            (asked && !names_column(question, text, name, value)))
            continue;
        fputs(said++ ? ", " : "", s->out);
        lookup_say_cell(s->out, text, name, value);
    }
    fputs(" (", s->out);
    lookup_say_cell(s->out, text, head.cells[h->cell], row.cells[h->cell]);
    fputc(')', s->out);
    return lookup_add(s, &h->t, h->in.line, 0, e);
}

// Whether QUESTION may call a row by its number: most do not, and then no table need be read.
static int has_number(const char *question)
{
    char stem[WORD_STEM];
    size_t bytes;
    for (size_t at = 0; word_next(question, strlen(question), &at, stem, &bytes);)
        if (table_letter(question + at - bytes, bytes))
            return 1;
    return strpbrk(question, "0123456789") != NULL;
}

int tables_numbered(struct lookup *s, const char *question, struct err *e)
{
    if (!asked_what(question) || !has_number(question))
        return 0;
    struct numbered_row v[FEW];
    const int n = find_rows(s, question, v, e);
    int rc = 0;
    for (int i = 0; !rc && n <= FEW && i < n; i++)
        rc = say_row(s, &v[i], question, !i, e);
    return n < 0 ? n : rc ? rc : n > 0 && n <= FEW;
}
