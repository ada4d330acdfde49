// Lines as rows of tables that marks divide into cells: tabs, bars, commas or semicolons.
#ifndef LCTOOL_ENGINE_LINES_LINE_CELLS_H
#define LCTOOL_ENGINE_LINES_LINE_CELLS_H

#include <stddef.h>

// The mark that closes the quotation which the cell at byte AT of TEXT [n] is ("a, b" in a CSV);
// AT: it is none.
size_t line_quotation(const char *text, size_t n, size_t at);
// Whether byte AT of TEXT is MARK and divides cells: a bar behind a backslash is one of the cell.
int line_is_mark(const char *text, size_t at, char mark);
// The byte of the first such mark of TEXT [n] from byte AT on, where the cell ends that has that
// byte; N: there is none. For a cell that may be quoted, AT is what line_quotation returns.
size_t line_cell_end(const char *text, size_t n, size_t at, char mark);
// How many MARKs that divide cells the line TEXT [n] has outside of quoted ones.
size_t line_marks(const char *text, size_t n, char mark);
// Whether lines A [n_a] and B [n_b] are rows of one table: the same number of fields, at least
// three.
int lines_divide_alike(const char *a, size_t n_a, const char *b, size_t n_b);
// Whether ROW [n_row] is a row of the table whose columns the line HEAD [n_head] names: it has as
// many fields, and no name is a number, except for years.
int line_is_headed(const char *head, size_t n_head, const char *row, size_t n_row);

#endif
