// Rows of a table by what they have in a column: "Which vet has the most visits?"
#ifndef LCTOOL_ENGINE_ROWS_ROWS_GROUPS_H
#define LCTOOL_ENGINE_ROWS_ROWS_GROUPS_H

#include "engine/rows/rows_plan.h"

// Prints the cells of P's column BY that the most of rows V [n] have, or the fewest where P asks
// for these, and how many of all ALL rows that are; or those whose rows have the most in its column
// COLUMN together, with DECIMALS. Adds the rows to the places. Returns as survey() does; 0 where
// one of the cells may name several, or too many share the first place.
int rows_groups_say(struct lookup *s, const struct rows_plan *p, const struct rows_hit *v, int n,
                    int all, int decimals, struct err *e);

// How many different cells V [n] have in P's column I, or an error.
int rows_groups_number(const struct rows_plan *p, int i, const struct rows_hit *v, int n,
                       struct err *e);

// Says how many different cells V [n], rows, have in P's column BY, and which these are. Returns as
// rows_groups_say() does; 0 where one of them is a number, too.
int rows_groups_list(struct lookup *s, const struct rows_plan *p, const struct rows_hit *v, int n,
                     struct err *e);

#endif
