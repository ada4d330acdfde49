// The cells of tables that a question names: in full, "hinge pin 80 mm", without its size and in
// the plural as well, "hinge pins", or by the day that the question says in whatever form.
#ifndef LCTOOL_ENGINE_TABLES_CELL_NAMED_H
#define LCTOOL_ENGINE_TABLES_CELL_NAMED_H

#include "engine/lookup/lookup.h"
#include "engine/rows/table.h"
#include "engine/words/day.h"

enum { NAMED_CELLS = 8 }; // that a question names, at most

// How a question names cells: in full, or without a size and in the plural as well.
enum naming { IN_FULL, LOOSELY, NAMINGS };

// A cell that the question names.
struct named_cell {
    struct span_of_text in; // the question
    size_t bytes;           // of IN without the plural's "s"
};

// A question and the cells that it names in one way.
struct cells_named {
    const char *question;
    enum naming by;
    struct span_of_text day_in; // where it says a day, DAY; {0}: it says none
    struct day day;
    struct named_cell v[NAMED_CELLS];
    int n;
};

// Finds those of all tables that S surveys, by each of the ways to name them; of overlapping ones
// the longest is kept.
int cells_named_find(const struct lookup *s, const char *question, struct cells_named c[NAMINGS],
                     struct err *e);

// Which of C CELL of TEXT is, and which of them the cells of row R are: a bit for each.
unsigned cells_named_as(const struct cells_named *c, const char *text, struct span_of_text cell);
unsigned cells_named_in(const struct cells_named *c, const char *text, const struct row *r);

// Whether a row with those of the bits CELLS lacks one that stands right beside one of them in the
// question: what "Mary Jones" is in neither a row with "Mary" nor one with "Jones" alone.
int cells_named_in_part(const struct cells_named *c, unsigned cells);

// Whether those that row R of TEXT has have no letter: "2022" alone hardly names a row.
int cells_named_numbers(const struct cells_named *c, const char *text, const struct row *r);

#endif
