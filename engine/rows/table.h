// The tables of texts: rows of cells below a line that names their columns.
//
//     tables_begin(&b, k, n_k);
//     while ((rc = table_next(&b, e)) > 0)
//         table_cells(b.t.text, &b.row, &head, &cells);
#ifndef LCTOOL_ENGINE_ROWS_TABLE_H
#define LCTOOL_ENGINE_ROWS_TABLE_H

#include "engine/lines/columns.h"
#include "engine/lines/lines.h"
#include "engine/lookup/texts.h"
#include "engine/words/words.h"

enum {
    COLUMNS = COLUMNS_MOST,
    TABLE_ABOVE = 240 // bytes above a table that may say what it is about
};

// A line of a table and its cells.
struct row {
    struct span_of_text cells[COLUMNS]; // [n] without white space and marks around their words
    int n;
};

// A row of a table as a line.
struct table_row {
    struct span_of_text head, line; // the line that names the columns (to 0: none), and the row
    char mark; // the character that divides both, a space for the blanks of columns.h, an asterisk
               // for the items of listed.h, a brace for objects; 0: none
};

// The tables of texts, row by row.
struct table {
    struct texts t; // the document that the row is in
    struct lines c; // its text
    size_t at;      // byte where the next line begins
    struct table_row row;
    struct columns spaced; // a table that is divided by blanks
    int is_spaced, is_listed;
    size_t pairs_end; // where a table of two_columns.h ends; 0: the row is of none
    char pairs_mark;  // what divides its cells
    int ruled;        // 1: a rule is below the head, so that it is one in any case
    int objects;      // 1: lists of objects (object_rows.h) are tables, too; the caller sets it
    int headless;     // 1: the line that names the columns is too long to be read with each row
};

// Begins with the tables of the texts of K [n_k]; or of T's document and those behind it.
void tables_begin(struct table *b, struct kvz *const *k, int n_k);
void table_begin(struct table *b, const struct texts *t);
// The next row of a table whose columns have names, in this document or one behind it: 1, 0 when
// there is none, or an error (texts_next).
int table_next(struct table *b, struct err *e);
// Whether lines of T between the row LAST and byte TO, where the next row or table begins, may be
// rows of the same table that table_next does not know: what stands directly below a row in blanks,
// or has as many marks.
int table_goes_on(const struct texts *t, const struct table_row *last, size_t to);
// Divides row R of TEXT, and the line that names its columns unless HEAD is NULL, into CELLS.
void table_cells(const char *text, const struct table_row *r, struct row *head, struct row *cells);
// The line right above the head of a table, which is at byte HEAD of TEXT, without marks before it;
// {0}: it is too long for a title, or there is none.
struct span_of_text table_title(const char *text, size_t head);
// Whether that title is the word of STEM and says nothing else: "## Visits", "List of visits 2024".
int table_is_titled(const char *text, size_t head, const char stem[WORD_STEM]);
// What is above the table with its head at byte HEAD of TEXT, its title or a heading, and has a
// number of ASKED with a word that is beside it there, too, but that is in none of SAID [n]: "Rates
// of 3 June". {0}: there is none, or it has not the months of ASKED.
struct span_of_text table_told_above(const char *text, size_t head, const char *asked,
                                     const struct span_of_text *said, int n);
// The next name, one that does not begin a sentence, number or month, which may be in small
// letters, in QUESTION from byte *AT on, *N bytes long; *AT is behind it then. NULL: there is none.
const char *table_next_name(const char *question, size_t *at, size_t *n);
// Whether row R of TEXT, or what is right above its table, has NAME [n].
int table_has_name(const char *text, const struct table_row *r, const char *name, size_t n);
// Whether they lack one of QUESTION's names and numbers.
int table_lacks_name(const char *text, const struct table_row *r, const char *question);
// Whether each word of QUESTION that counts, also none of IDLE (telling_word), is in row B, in the
// names of its columns, or right above these; of numbers only where NUMBERS.
int table_says_all(const struct table *b, const char *question, const char *idle, int numbers);
// How many words of QUESTION that count (telling_word) are in row R of TEXT and not in the names of
// its columns: "evening" tells two drills of a day apart.
int table_words_said(const char *text, const struct table_row *r, const char *question);
// Whether WORD [n] is a capital letter that may stand for a number: "terminal W".
int table_letter(const char *word, size_t n);
// The number in QUESTION, or such a letter, *N bytes long, that follows the last word of a column's
// name, NAME [n_name], directly or with "number" between: "code 3", "code no. 3"; NULL: there is
// none.
const char *table_number(const char *question, const char *name, size_t n_name, size_t *n);

#endif
