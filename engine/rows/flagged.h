// Columns whose cells all say yes or no: rows are what such a column is called, "Paid", or not. So
// do days where there are cells without one: who has a day below "Paid" has paid.
#ifndef LCTOOL_ENGINE_ROWS_FLAGGED_H
#define LCTOOL_ENGINE_ROWS_FLAGGED_H

#include "engine/rows/gathering.h"

// Row R, the next one of G's table, tells which columns are still such ones.
void flagged_read(struct gathering *g, const struct row *r);
// Adds what LEFT says rows are by the name of such a column, or are not, "How many orders are not
// paid?", to the values of G's plan, and strikes it out of LEFT.
void flagged_take(struct gathering *g, char *left);

#endif
