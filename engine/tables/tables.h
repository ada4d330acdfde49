// Inside of survey(): what looks answers up in tables, records and lists of values, a file each.
// All return as survey() does.
#ifndef LCTOOL_ENGINE_TABLES_TABLES_H
#define LCTOOL_ENGINE_TABLES_TABLES_H

#include "engine/lookup/surveying.h"

// The only row of a table that has the letter of such a section before all else (section_row.c).
int survey_section_row(struct surveying *v, struct err *e);
// The cell of a table that a question about a row asks for (cell.c).
int survey_cell(struct surveying *v, const char *question, struct err *e);
// The rows of a table that have the most of something, more than so much, or a cell (rows.c).
int survey_rows(struct surveying *v, const char *question, struct err *e);
// The lines of a list of prices that cost the most, or more than so much (priced.c).
int survey_priced(struct surveying *v, const char *question, struct err *e);
// What dots lead to behind what the question names (led.c).
int survey_led(struct surveying *v, const char *question, struct err *e);
// The sum of a statement behind what the question names (led.c).
int survey_summed(struct surveying *v, const char *question, struct err *e);
// What stands in the second of two columns beside what the question names (led.c).
int survey_aligned(struct surveying *v, const char *question, struct err *e);
// The cell for a question with the words of a row and of a column in any order (grid.c).
int survey_grid(struct surveying *v, const char *question, struct err *e);
// The same for a row that is for a range of numbers, by one of these (range.c).
int survey_range(struct surveying *v, const char *question, struct err *e);
// The same for a row that the question calls by its number (numbered.c).
int survey_numbered(struct surveying *v, const char *question, struct err *e);
// The row that begins with the day in the question (dated.c).
int survey_dated(struct surveying *v, const char *question, struct err *e);
// The field of a record that the question names (field.c).
int survey_field(struct surveying *v, const char *question, struct err *e);
// The value behind its key in the line of what the question names (pair.c).
int survey_pair(struct surveying *v, const char *question, struct err *e);
// The line of a log that tells of what the question calls by an id what it asks (pair.c).
int survey_told_of(struct surveying *v, const char *question, struct err *e);

#endif
