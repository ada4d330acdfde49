#include "io/form/html_table.h"

#include <limits.h>
#include <stdlib.h>

#include "io/form/html_element.h"

enum {
    WIDEST = 32, // columns, and rows, of one cell
    SHORT = 200  // bytes of a paragraph that another one may stand beside
};

// The number that attribute NAME says, from 1 to WIDEST.
static int span(const unsigned char **attributes, const char *name)
{
    const char *text = html_attribute(attributes, name);
    const long n = text ? strtol(text, NULL, 10) : 1;
    return n < 1 ? 1 : n > WIDEST ? WIDEST : (int)n;
}

void html_table_begin(struct html_tables *t)
{
    if (t->depth < HTML_DEEP)
        t->outer[t->depth] = t->now, t->outer[t->depth].corner = 0;
    t->depth += t->depth < INT_MAX;
    t->now = (struct html_table){0};
}

// What stood in the inner table are lines of the outer one's cell.
void html_table_end(struct html_tables *t)
{
    const int has_words = t->now.has_words;
    t->depth -= t->depth > 0;
    t->now = t->depth < HTML_DEEP ? t->outer[t->depth] : (struct html_table){0};
    if (!has_words || !t->now.columns)
        return;
    t->now.texts += !t->now.in_cell;
    t->now.tabs = 0;
    t->now.in_cell = t->now.is_broken = t->now.has_words = 1;
}

void html_table_row(struct html_table *t)
{
    t->is_below = t->texts > 1 && !t->is_broken;
    t->texts = t->columns = t->tabs = t->corner = t->wide = t->in_cell = t->is_broken = 0;
    t->bytes = 0;
}

// The row is N columns on.
static void go_on(struct html_table *t, int n)
{
    t->tabs += n - (t->columns == 0 && n > 0);
    t->columns += n;
}

// Those of the next columns that cells of rows above go on in.
static void pass_down(struct html_table *t)
{
    for (; t->columns < HTML_COLUMNS && t->down[t->columns]; go_on(t, 1))
        t->down[t->columns]--;
}

void html_table_wide(struct html_table *t, const unsigned char **attributes, const char *name)
{
    t->wide = span(attributes, name) - 1;
}

void html_table_cell(struct html_table *t, int heads, const unsigned char **attributes)
{
    const int down = span(attributes, "rowspan") - 1;
    t->is_broken |= t->bytes > SHORT;
    go_on(t, t->wide);
    pass_down(t);
    go_on(t, 1);
    t->wide = span(attributes, "colspan") * span(attributes, "table:number-columns-repeated") - 1;
    for (int i = 0; down && i <= t->wide && t->columns - 1 + i < HTML_COLUMNS; i++)
        t->down[t->columns - 1 + i] = (unsigned char)down;
    t->is_data |= heads;
    t->in_cell = 0;
    t->bytes = 0;
}

int html_table_words(struct html_table *t, size_t n, int *lines)
{
    t->bytes += n;
    t->corner = t->bytes > SHORT ? 0 : t->corner;
    if (!t->columns || t->in_cell) {
        if (*lines > 0)
            html_table_break(t);
        return -1;
    }
    int tabs = t->tabs;
    t->in_cell = t->has_words = 1;
    t->tabs = 0;
    if (!t->texts++) {
        t->corner = t->is_data ? 0 : tabs;
        tabs -= t->corner;
        *lines = t->is_below && *lines > 1 ? 1 : *lines;
    } else if (*lines && !t->is_broken) {
        *lines = 0;
    } else if (*lines) {
        tabs = t->corner = 0;
    }
    return tabs;
}

int html_table_corner(struct html_table *t)
{
    const int tabs = t->corner;
    t->corner = 0;
    return tabs;
}

void html_table_break(struct html_table *t)
{
    t->is_broken |= t->in_cell;
}

int html_table_row_end(struct html_table *t)
{
    go_on(t, t->wide);
    pass_down(t);
    const int several = t->texts > 1, tabs = several || (t->is_data && t->texts) ? t->tabs : 0;
    t->is_data |= several;
    t->columns = t->corner = 0;
    return t->is_broken ? 0 : tabs;
}
