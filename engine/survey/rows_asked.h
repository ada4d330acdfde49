// What a question asks of the rows of a table: those that have the most of something, more than so
// much, or a cell.
#ifndef LCTOOL_ENGINE_SURVEY_ROWS_ASKED_H
#define LCTOOL_ENGINE_SURVEY_ROWS_ASKED_H

#include <stddef.h>

enum { ROWS_ASKED = 200 }; // bytes of a question

// Names of columns with prices.
#define ROWS_PRICE "price cost costs amount fee rate rent eur usd gbp"

enum rows_kind { ROWS_NONE, ROWS_WHICH, ROWS_WHAT, ROWS_LIST, ROWS_COUNT };

// What a question asks of rows.
struct rows_asked {
    enum rows_kind kind;
    char left[ROWS_ASKED]; // the question without what is understood
    int does;              // 1: it has "does" or "do"
    int up;                // 1: the most, or more, is asked for; -1: the least, or less
    int pair;              // 1: more or less than something, or than some other rows
    int equal;             // 1: a row with LIMIT itself counts
    int limited;           // 1: what is compared is compared with LIMIT
    double limit;
    const char *column; // names of the column that is compared; NULL: the question names it
    int either;         // 1: it has "or"
};

// Fills in A from QUESTION: 1, or 0 when it asks nothing of rows.
int rows_asked_parse(struct rows_asked *a, const char *question);
// Strikes N bytes out of LEFT, from byte AT on.
void rows_asked_strike(char *left, size_t at, size_t n);
// Strikes WORDS out of LEFT: 1, or 0 where they are not in it. *AT is where they were.
int rows_asked_strike_words(char *left, const char *words, size_t *at);

#endif
