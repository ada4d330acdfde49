// The tables of a text: rows of cells below a line that names their columns.
//
//     table_begin(&b, &t);
//     while (table_next(&b))
//         table_row(&row, t.text, b.line, table_mark(&b)); // and b.head likewise
#ifndef LCTOOL_ENGINE_SURVEY_TABLE_H
#define LCTOOL_ENGINE_SURVEY_TABLE_H

#include "engine/survey/texts.h"
#include "engine/text/cut.h"

enum { COLUMNS = 64 };

// A line of a table and its cells.
struct row {
    struct span_of_text cells[COLUMNS]; // [n] without what surrounds their words
    int n;
};

// A table, line by line.
struct table {
    const struct texts *t;
    struct cut c;
    size_t at;                      // the next line
    struct span_of_text head, line; // the names of the columns, and a row; none: head.to 0
    int ruled;                      // a rule is below the line: it is a head, whatever it has
};

// The tables of T's document, which stays the caller's.
void table_begin(struct table *b, const struct texts *t);
// The next row of a table whose columns have names: 1, or 0 at the end of the text.
int table_next(struct table *b);
// What parts the cells of the rows of B; 0: nothing.
char table_mark(const struct table *b);
// The cells of the line OWN of TEXT, which MARK parts; a mark in quotation marks parts none.
void table_row(struct row *r, const char *text, struct span_of_text own, char mark);
// The number, in its *N bytes, that QUESTION has right behind the last word of a column's name,
// NAME [n_name], or behind its "number": "code 3", "code no. 3"; NULL: none.
const char *table_number(const char *question, const char *name, size_t n_name, size_t *n);

#endif
