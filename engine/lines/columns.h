// Tables whose columns are divided by blanks, as in reports, RFCs and reStructuredText: two or more
// between the cells, three behind a stop.
//
//     struct columns t;
//     if (columns_begin(&t, &c, at))        // the line at byte `at` is above the rows
//         while (columns_next(&t, &c))
//             n = columns_cells(c.text, t.head, t.row, head, row); // [COLUMNS_MOST] each
#ifndef LCTOOL_ENGINE_LINES_COLUMNS_H
#define LCTOOL_ENGINE_LINES_COLUMNS_H

#include <stdint.h>

#include "engine/lines/lines.h"
#include "engine/words/text_span.h"

enum {
    COLUMNS_MOST = 64,
    COLUMNS_HEAD = 1 << 14 // bytes of a line that names columns, which is read with each row
};

// A table, row by row.
struct columns {
    struct span_of_text head; // the line that names the columns
    struct span_of_text row;  // a row, with the lines that its cells go on in
    size_t at;                // byte where the next line begins
    uint64_t filled;          // a bit for each column that the row has a cell in; 0: no row yet
};

// Begins with the table whose first line is at byte AT of C; 0: there is none.
int columns_begin(struct columns *t, const struct lines *c, size_t at);
// The next row: 1, or 0 at the end of the table; T->at is behind its last row.
int columns_next(struct columns *t, const struct lines *c);
// Divides the line HEAD and the row ROW of TEXT into cells, NAMES and CELLS [COLUMNS_MOST], and
// returns their number. The first name is empty where the rows begin with a column that has none;
// so is a cell that goes on in a line below, unless nothing else stands between. 0: the row does
// not fit below the head.
int columns_cells(const char *text, struct span_of_text head, struct span_of_text row,
                  struct span_of_text *names, struct span_of_text *cells);
// Whether the line TEXT [n] is divided into cells.
int columns_are_in(const char *text, size_t n);
// Whether the line of C at byte AT is a rule below cells.
int columns_rule(const struct lines *c, size_t at);

#endif
