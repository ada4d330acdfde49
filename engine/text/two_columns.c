#include "engine/text/two_columns.h"

#include "engine/text/lines.h"
#include "engine/text/words.h"

enum { LONGEST = 32 }; // bytes of a name

// The only tab of the line OWN, with words of the line's on either side; 0: there is none.
static size_t tab_of(const struct cut *c, struct span_of_text own)
{
    size_t tab = 0;
    for (size_t at = own.from; at < own.to; at++) {
        if (c->text[at] != '\t')
            continue;
        if (tab || at == own.from)
            return 0;
        tab = at;
    }
    return tab && tab + 1 < own.to && !is_space(c->text[own.from]) && !is_space(c->text[tab + 1])
               ? tab
               : 0;
}

// Whether TEXT [n] may be the name of a column: short, with a capital and without a number.
static int is_name(const char *text, size_t n)
{
    return n && n <= LONGEST && is_upper(*text) && !word_has_digit(text, n) &&
           !is_one_of(text[n - 1], ".:;,");
}

int two_columns_begin(const struct cut *c, size_t at, size_t *end)
{
    const struct span_of_text head = span_trimmed(c->text, line_at(c, at));
    const size_t tab = head.from == at && line_is_bare_above(c, at) ? tab_of(c, head) : 0;
    if (!tab || !is_name(c->text + at, tab - at) || !is_name(c->text + tab + 1, head.to - tab - 1))
        return 0;
    *end = 0;
    for (size_t line = line_end(c, at) + 1; line < c->n && !line_is_empty(c, line);) {
        const struct span_of_text own = line_at(c, line);
        const size_t own_tab = tab_of(c, own);
        if (!own_tab || !is_digit(c->text[own_tab + 1]) || is_digit(c->text[own.from]))
            return 0;
        *end = own.to;
        line = own.to + 1;
    }
    return *end > 0;
}
