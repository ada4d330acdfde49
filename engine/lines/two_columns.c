#include "engine/lines/two_columns.h"

#include <string.h>

#include "engine/lines/line_cells.h"
#include "engine/lines/lines.h"
#include "engine/words/chars.h"
#include "engine/words/words.h"

enum {
    LONGEST = 32, // bytes of a name
    MEASURES = 2, // rows with one, at least, below commas
    WHOLE = 3     // rows of a text that is nothing else, at least
};

// The only tab of the line OWN, with words of the line's on either side; 0: there is none.
static size_t tab_of(const struct lines *c, struct span_of_text own)
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

// Whether TEXT [n] may be the name of a column: short, with a capital unless SMALL, and without a
// number.
static int is_name(const char *text, size_t n, int small)
{
    return n && n <= LONGEST && (is_upper(*text) || (small && is_lower(*text))) &&
           !word_has_digit(text, n) && !is_one_of(text[n - 1], ".:;,");
}

static int begins_with_tab(const struct lines *c, size_t at, size_t *end)
{
    const struct span_of_text head = span_trimmed(c->text, line_at(c, at));
    const size_t tab = head.from == at ? tab_of(c, head) : 0;
    if (!tab || !is_name(c->text + at, tab - at, 0) ||
        !is_name(c->text + tab + 1, head.to - tab - 1, 0))
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

// The two cells that the only MARK of the line OWN divides, each with its quotation marks: 1, or 0
// where it has none or several, or a blank is beside it, as in prose.
static int divide(const struct lines *c, struct span_of_text own, char mark,
                  struct span_of_text cells[2])
{
    own = span_trimmed(c->text, own);
    if (line_marks(c->text + own.from, span_bytes(own), mark) != 1)
        return 0;
    const size_t at =
        line_cell_end(c->text, own.to, line_quotation(c->text, own.to, own.from), mark);
    cells[0] = (struct span_of_text){own.from, at};
    cells[1] = (struct span_of_text){at + 1, own.to};
    return at > own.from && !is_space(c->text[at - 1]) &&
           (at + 1 == own.to || !is_space(c->text[at + 1]));
}

// Whether TEXT [n] begins with a number, which a sign may be before.
static int is_measure(const char *text, size_t n)
{
    static const char *const signs[] = {"\"", "-", "$", "\u20ac", "\u00a3"};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (begins_with(text, n, signs[i])) {
            text += strlen(signs[i]);
            n -= strlen(signs[i]);
        }
    return n && is_digit(*text);
}

static int begins_with_mark(const struct lines *c, size_t at, char mark, size_t *end)
{
    struct span_of_text cells[2];
    int rows = 0, measures = 0, others = 0;
    if (!divide(c, line_at(c, at), mark, cells) || cells[0].from != at)
        return 0;
    for (int i = 0; i < 2; i++)
        if (!is_name(c->text + cells[i].from, span_bytes(cells[i]), 1))
            return 0;
    size_t line = line_end(c, at) + 1;
    for (; line < c->n && !line_is_empty(c, line); line = *end + 1) {
        const struct span_of_text own = line_at(c, line);
        if (!divide(c, own, mark, cells))
            return 0;
        const size_t n = span_bytes(cells[1]);
        const int is = is_measure(c->text + cells[1].from, n);
        *end = own.to;
        rows++;
        measures += is;
        others += n && !is;
    }
    while (line < c->n && is_space(c->text[line]))
        line++;
    return (measures >= MEASURES && !others) || (!at && line >= c->n && rows >= WHOLE);
}

int two_columns_begin(const struct lines *c, size_t at, size_t *end, char *mark)
{
    if (!line_is_bare_above(c, at))
        return 0;
    if (begins_with_tab(c, at, end))
        return *mark = '\t';
    for (const char *m = ",;"; *m; m++)
        if (begins_with_mark(c, at, *m, end))
            return *mark = *m;
    return 0;
}
