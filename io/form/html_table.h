// Tables of HTML and of a word processor: how many columns are between two cells with words, so
// that what stands below one another there has as many tabs before it here.
#ifndef LCTOOL_IO_FORM_HTML_TABLE_H
#define LCTOOL_IO_FORM_HTML_TABLE_H

#include <stddef.h>

enum {
    HTML_COLUMNS = 64, // of which cells that go on in the rows below are known
    HTML_DEEP = 4      // tables in tables of which the outer one's columns are known
};

struct html_table {
    int is_data;   // 1: it has a head, or had a row with several texts: not only for the looks
    int texts;     // cells of the row with words
    int columns;   // of the row so far; 0: outside of rows
    int tabs;      // that belong before the next words
    int corner;    // that belong before the row's first words if others stand beside these
    int wide;      // columns more that the cell takes
    int in_cell;   // 1: the cell has had words
    int is_broken; // 1: so many of it or one before it that the next one stands below it
    size_t bytes;  // of the cell's words
    int has_words; // 1: a cell of any row had
    int is_below;  // 1: the row above had several texts on one line
    unsigned char down[HTML_COLUMNS]; // for how many rows the cell in a column goes on
};

struct html_tables {
    int depth;                          // how many are open
    struct html_table now;              // the innermost one
    struct html_table outer[HTML_DEEP]; // those around it, as far as they are known
};

void html_table_begin(struct html_tables *t);
void html_table_end(struct html_tables *t);
void html_table_row(struct html_table *t);
// A cell begins; HEADS: <th>. ATTRIBUTES: as html_attribute has them.
void html_table_cell(struct html_table *t, int heads, const unsigned char **attributes);
// It takes as many columns as the attribute NAME says.
void html_table_wide(struct html_table *t, const unsigned char **attributes, const char *name);
// N bytes of words follow, behind LINES line ends that were wished for: in *LINES those that are
// written, and the tabs behind these are returned. -1: it is outside of rows, or within a cell.
int html_table_words(struct html_table *t, size_t n, int *lines);
// The tabs that belong before the row's first words after all, once.
int html_table_corner(struct html_table *t);
// A line ends among the words of a cell.
void html_table_break(struct html_table *t);
// The row ends: the tabs behind its last words.
int html_table_row_end(struct html_table *t);

#endif
