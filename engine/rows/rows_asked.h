// What a question asks of the rows of a table: those that have the most of something, more than so
// much, or a cell, stand somewhere in it, or a sum over all of them.
#ifndef LCTOOL_ENGINE_ROWS_ROWS_ASKED_H
#define LCTOOL_ENGINE_ROWS_ROWS_ASKED_H

#include <stddef.h>

#include "engine/words/day.h"

enum { ROWS_ASKED = 200 }; // bytes of a question

enum rows_kind { ROWS_NONE, ROWS_WHICH, ROWS_WHAT, ROWS_WHO, ROWS_LIST, ROWS_COUNT };
// What of all rows together.
enum rows_figure { ROWS_EACH, ROWS_SUM, ROWS_MEAN };

// What a question asks of rows.
struct rows_asked {
    enum rows_kind kind;
    enum rows_figure figure;
    char left[ROWS_ASKED]; // the question without what is understood
    int does;              // 1: it has "does" or "do"
    int each;              // 1: it has "each" or "every", or "all" where it asks for no total
    int up;                // 1: the most, or more, is asked for; -1: the least, or less
    int day;               // 1: it asks for the day on which there was the most of something
    size_t many;           // byte of LEFT behind "most" or "fewest"; 0: it has neither
    int pair;              // 1: more or less than something, or than some other rows
    int equal;             // 1: a row with LIMIT itself counts
    int limited;           // 1: what is compared is compared with LIMIT
    int only;              // 1: no other row than one with LIMIT itself counts
    int year;              // 1: LIMIT is a year, of a day
    double limit;
    int currency;       // that LIMIT is in (number_currency_named); 0: it is not said
    struct day during;  // the day of rows, or its month where that is 0; of any year where that
                        // is 0; month 0: any
    int happened;       // 1: what happened on that day is asked for
    const char *column; // names of the column that is compared; NULL: the question names it
    int bound;          // 1: no other column than one of these is meant, whatever is named
    const char *other;  // where there is none of these, names of one that is compared by OTHER_UP
    int other_up;
    const char *trade;       // how many of something were sold or bought, or who did so most, is
                             // asked for, by this word; NULL: it is not
    const char *traded;      // the word of what has been so: "sold" where TRADE is "sell"
    int sells;               // 1: TRADE sells, 0: it buys
    int trader;              // 1: it tells who did so: "did York sell", "sold by York"
    int either;              // 1: it has "or"
    int nth;                 // which one, by place or by UP, from 1; -1: the last one; 0: not asked
    int listed;              // 1: it speaks of a list or a table
    char prefix[ROWS_ASKED]; // what names of rows begin with
};

// A question is first taken to ask how many of something rows tell of, then for rows by what they
// have, then by their place or all together: "the first aiders" before "the first row".
enum rows_way { ROWS_TRADED, ROWS_APART, ROWS_TOGETHER, ROWS_WAYS };

// Fills in A from QUESTION: 1, or 0 when it asks nothing of rows.
int rows_asked_parse(struct rows_asked *a, const char *question, enum rows_way way);
// Whether NUMBER is within the limit of A, if it has one.
int rows_asked_within(const struct rows_asked *a, double number);
// Strikes WORDS out of LEFT. Returns where they were; NULL: they are not in it.
char *rows_asked_strike_words(char *left, const char *words);

#endif
