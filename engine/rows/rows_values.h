// The cells of a table that a question names. LEFT is what is still to be understood of a question.
#ifndef LCTOOL_ENGINE_ROWS_ROWS_VALUES_H
#define LCTOOL_ENGINE_ROWS_ROWS_VALUES_H

#include "engine/rows/rows_plan.h"

// Adds the cell TEXT [n] of COLUMN to those of P that LEFT names, if it does; ENDS: whether its end
// may be named, too. p->n_values counts also those that P has no room for.
void rows_values_add(struct rows_plan *p, const char *left, const char *text, size_t n, int column,
                     int ends);
// Strikes the values of P out of LEFT; those that are a part of another one are dropped.
void rows_values_strike(struct rows_plan *p, char *left);
// Of values of several columns that the question says with the same words, leaves those of the
// column that it names as well, HITS [columns]: 0 where that is not one.
int rows_values_choose(struct rows_plan *p, const int *hits);

#endif
