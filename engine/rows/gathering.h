// A table that is gathered row by row, to be asked by a question, and the columns that its words
// ask for.
#ifndef LCTOOL_ENGINE_ROWS_GATHERING_H
#define LCTOOL_ENGINE_ROWS_GATHERING_H

#include <stdint.h>

#include "engine/rows/rows_plan.h"

// A table whose rows are read for the cells that the question names.
struct gathering {
    struct rows_plan p;
    struct row head;
    uint64_t jobs;              // a bit for each column of what people are
    signed char flags[COLUMNS]; // what tells yes and no in them (flagged.h)
    uint64_t blanks;            // a bit for each column with a cell that says nothing
    struct table_row last;
    int traded; // 1: a cell says that the row was traded as the question asks: "sold"
    int n;      // rows
    int parts;  // 1: there may be more rows than were read
};

// Names of columns of days.
#define GATHERING_DAYS "date day"

// What a word for a row is: one for rows of any table, of a column that names them or of what is
// above the table, or the only one of its title.
enum { GATHERING_GENERAL = 1, GATHERING_OF_COLUMN = 2, GATHERING_OF_TITLE = 4 };

// Whether the name of column I of G has one of WORDS.
int gathering_has(const struct gathering *g, int i, const char *words);
// Adds to HITS the columns of G that WORD [bytes], of STEM, asks for by the surest way that finds
// any; whether there are any, and GATHERING_OF_COLUMN in *SUBJECT where one of them names rows.
int gathering_hit(const struct gathering *g, const char stem[WORD_STEM], const char *word,
                  size_t bytes, int *hits, int *subject);
// Whether the title of G's table says by the word of STEM what each of its rows is: these have
// numbers, days or names of their own, for a row of a month may be about many.
int gathering_titles(const struct gathering *g, const char stem[WORD_STEM]);
// Whether WORD [bytes] is all that column I of G is called by: "orders" for "Order" or "Order no.",
// not for "Order date".
int gathering_is_called(const struct gathering *g, int i, const char *word, size_t bytes);
// Whether WORD [bytes] is what the first column of G that names rows is called by, so that each row
// is one.
int gathering_is_key(const struct gathering *g, const char *word, size_t bytes);
// The only column of G with one of NAMES; -1: there is none, or several.
int gathering_only(const struct gathering *g, const char *names);
// The only column of G that the first word of LEFT asks for; -1: it asks for none, or for several.
int gathering_asked(const struct gathering *g, const char *left);
// Whether a cell of COLUMN is one that the question names.
int gathering_values(const struct gathering *g, int column);

#endif
