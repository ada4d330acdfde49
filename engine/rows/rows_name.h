// What the rows of a table are called: the columns that name them.
#ifndef LCTOOL_ENGINE_ROWS_ROWS_NAME_H
#define LCTOOL_ENGINE_ROWS_ROWS_NAME_H

#include <stdio.h>

#include "engine/rows/table.h"

// Columns that name a row: a number and a name, or a person's names in the order in which they are
// said.
struct rows_name {
    int column[2];
    int n;      // of them
    int person; // 1: they may be people
    int full;   // 1: a first and a last name
    int who;    // the column of what a person is called, the last name of two; -1: there is none
};

// The columns of the table with the columns' names HEAD in TEXT that name its rows.
struct rows_name rows_name_of(const char *text, const struct row *head);
// Whether column I is one of them, or the first one.
int rows_name_has(const struct rows_name *name, int i);
// Prints what row R of TEXT is called: "G-1, Garden hose", "Ada Lind".
void rows_name_say(FILE *out, const char *text, const struct rows_name *name, const struct row *r);

#endif
