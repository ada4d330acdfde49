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
    struct span_of_text cells[COLUMNS]; // [n] without white space and marks around their words
    int n;
};

// A table, line by line.
struct table {
    const struct texts *t;
    struct cut c;
    size_t at;                      // byte where the next line begins
    struct span_of_text head, line; // the line that names the columns (to 0: none), and a row
    int ruled; // 1: a rule is below that line, so that it is a head in any case
};

// Begins with the tables of T's document; T is borrowed.
void table_begin(struct table *b, const struct texts *t);
// The next row of a table whose columns have names: 1, or 0 at the end of the text.
int table_next(struct table *b);
// The character that separates the cells of B's rows; 0: none does.
char table_mark(const struct table *b);
// Divides the line OWN of TEXT into cells at MARK, except where that is in quotation marks.
void table_row(struct row *r, const char *text, struct span_of_text own, char mark);
// The number in QUESTION, *N bytes long, that follows the last word of a column's name, NAME
// [n_name], directly or with "number" between: "code 3", "code no. 3"; NULL: there is none.
const char *table_number(const char *question, const char *name, size_t n_name, size_t *n);

#endif
