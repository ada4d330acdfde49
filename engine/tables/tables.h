// Inside of survey(): what looks answers up in tables, records and lists of values, a file each.
// All return as survey() does.
#ifndef LCTOOL_ENGINE_TABLES_TABLES_H
#define LCTOOL_ENGINE_TABLES_TABLES_H

#include "engine/lookup/lookup.h"

// The only row of a table that has the letter of such a section before all else (section_row.c).
int tables_section_row(struct lookup *v, struct err *e);
// The cell of a table that a question about a row asks for (cell.c).
int tables_cell(struct lookup *v, const char *question, struct err *e);
// The rows of a table that have the most of something, more than so much, or a cell (rows.c).
int tables_rows(struct lookup *v, const char *question, struct err *e);
// The lines of a list of prices that cost the most, or more than so much (priced.c).
int tables_priced(struct lookup *v, const char *question, struct err *e);
// What dots lead to behind what the question names (led.c).
int tables_led(struct lookup *v, const char *question, struct err *e);
// The sum of a statement behind what the question names (led.c).
int tables_summed(struct lookup *v, const char *question, struct err *e);
// What stands in the second of two columns beside what the question names (led.c).
int tables_aligned(struct lookup *v, const char *question, struct err *e);
// The cell for a question with the words of a row and of a column in any order (grid.c).
int tables_grid(struct lookup *v, const char *question, struct err *e);
// How much more one row has of it than another (difference.c).
int tables_difference(struct lookup *v, const char *question, struct err *e);
// The same for a row that is for a range of numbers, by one of these (range.c).
int tables_range(struct lookup *v, const char *question, struct err *e);
// The same for a row that the question calls by its number (numbered.c).
int tables_numbered(struct lookup *v, const char *question, struct err *e);
// The row that begins with the day in the question (dated.c).
int tables_dated(struct lookup *v, const char *question, struct err *e);
// The field of a record that the question names (field.c).
int tables_field(struct lookup *v, const char *question, struct err *e);
// The setting that the question names with the groups that it is in (nested_key.c).
int tables_nested_key(struct lookup *v, const char *question, struct err *e);
// The value behind its key in the line of what the question names (pair.c).
int tables_pair(struct lookup *v, const char *question, struct err *e);
// The line of a log that tells of what the question calls by an id what it asks (pair.c).
int tables_told_of(struct lookup *v, const char *question, struct err *e);

#endif
