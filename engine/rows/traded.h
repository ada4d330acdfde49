// What tables tell of what was sold, bought or ordered: how many of it.
#ifndef LCTOOL_ENGINE_ROWS_TRADED_H
#define LCTOOL_ENGINE_ROWS_TRADED_H

#include "engine/rows/gathering.h"
#include "engine/rows/rows_asked.h"

// Whether column I of G tells how many of what its row names there are: "Unit price" does not.
int traded_is_quantity(const struct gathering *g, int i);
// The only such column of G; -1: there is none, or several.
int traded_quantity(const struct gathering *g);
// The column of G that tells how many were traded as A asks; -1: none does. Strikes out of LEFT the
// word that says so.
int traded_column(const struct gathering *g, const struct rows_asked *a, char *left);
// Notes in G that a cell of row R says that this was traded as A asks, "sold", so that others were
// not.
void traded_read(struct gathering *g, const struct rows_asked *a, const struct row *r);
// The column of G whose price of one, times *QUANTITY, is what each row comes to, where no column
// tells that and A asks for all of it: "the total revenue", "the total of all orders"; -1: there is
// none. Strikes out of LEFT what says so.
int traded_for(const struct gathering *g, const struct rows_asked *a, char *left, int *quantity);
// The column of G by which A asks for the most of what was traded: who did so, or what it was; -1:
// it does not, or there are several.
int traded_by(const struct gathering *g, const struct rows_asked *a);

#endif
