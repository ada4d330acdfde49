// What a table has to do with a question about its rows: which cells the question names, which
// column it compares, and whether the table has all that it asks for.
#ifndef LCTOOL_ENGINE_ROWS_ROWS_PLAN_H
#define LCTOOL_ENGINE_ROWS_ROWS_PLAN_H

#include "engine/lookup/lookup.h"
#include "engine/rows/rows_asked.h"
#include "engine/rows/rows_name.h"

enum {
    ROWS_VALUES = 8, // cells that a question may name
    ROWS_GROUPS = 2, // rows that it may name by their words: "the drill or the saw"
};

// A cell that the question names.
struct rows_value {
    int column;
    int ends;              // 1: cells that end with it are meant as well: "Sales Engineer"
    int several;           // 1: the question has it in the plural
    int filled;            // 1: any cell that says something is meant, -1: one that says nothing
    char name[ROWS_ASKED]; // as the cell has it
    char said[ROWS_ASKED]; // as the question has it
};

// A row that is answered with.
struct rows_hit {
    struct table_row row;
    double number;
};

// The question as one table understands it.
struct rows_plan {
    struct texts t;
    size_t head; // byte of the table's head
    struct rows_value values[ROWS_VALUES];
    int n_values;
    char groups[ROWS_GROUPS][ROWS_ASKED]; // words of rows
    int n_groups;
    int column;    // the one that is compared, or -1
    int told;      // the one that is asked for of the rows found, or -1
    int by;        // the one by which rows are counted, or COLUMN is added up; or -1
    int summed;    // the one by which COLUMN is added up where several rows have the same; or -1
    int different; // 1: how many different cells BY has is asked for, whatever number of rows has
                   // each
    int counts;    // 1: with DIFFERENT, the rows may be counted as well where no two have the same
                   // cell
    int times;     // what COLUMN is multiplied by, the price of each; or -1
    int itself;    // 1: COLUMN's number itself is asked for: "the highest price"
    int key;       // 1: the question calls rows as the column does that numbers or names them first
    int up;        // as in rows_asked
    int by_title;  // 1: the question calls the rows as the title of the table does
    struct rows_name name;
};

// Finds the table that understands A: OUT. Returns the number of such tables, or an error.
int rows_plan_find(const struct lookup *s, const struct rows_asked *a, struct rows_plan *out,
                   struct err *e);
// Whether row R of TEXT has the cell that V names.
int rows_has_value(const struct rows_value *v, const char *text, const struct row *r);

#endif
