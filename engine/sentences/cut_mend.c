// Sentences as they are read and said: their lines joined.
#include "engine/sentences/cut_impl.h"

#include <string.h>

#include "engine/lines/code.h"
#include "engine/lines/columns.h"
#include "engine/lines/fence.h"
#include "engine/lines/lines.h"
#include "engine/lines/page.h"
#include "engine/sentences/divided.h"
#include "engine/words/chars.h"
#include "engine/words/markup.h"
#include "engine/words/words.h"

// The byte behind the line at byte AT if that only underlines or divides ("-----", "|---|:--:|"),
// or is a row of empty cells ("| | |"), else AT.
static size_t skip_rule(const struct lines *c, size_t at, size_t to)
{
    enum { RULE = 3 };
    size_t end = line_end(c, at), i = at, n = 0, cells = 0;
    for (; i < end && is_one_of(c->text[i], "-=~_*^|:+ "); i++) {
        n += is_one_of(c->text[i], "-=~_*^");
        cells += i > at && c->text[i] == '|' && c->text[i - 1] == ' ';
    }
    if (i < end || (n < RULE && (n || !cells || c->text[at] != '|')))
        return at;
    return end < to ? end + 1 : to;
}

// Whether the line at byte AT is a rule of a table or a diagram: it begins with a bar or a plus, or
// has several parts.
static int is_table_rule(const struct lines *c, size_t at)
{
    if (columns_rule(c, at))
        return 1;
    if (at >= c->n || skip_rule(c, at, c->n) == at)
        return 0;
    const size_t end = line_trimmed(c, at, line_end(c, at));
    while (is_space(c->text[at]))
        at++;
    return is_one_of(c->text[at], "|+") || memchr(c->text + at, ' ', end - at) != NULL;
}

// The number of cells of the line that begins with byte LINE, with gaps between them that justified
// prose does not have; *LAST: the column of the last one.
static int wide_cells(const struct lines *c, size_t line, size_t *last)
{
    const size_t bytes = line_trimmed(c, line, line_end(c, line)) - line;
    const char *text = c->text + line;
    size_t width, gap, begins = 0;
    int n = 0;
    for (size_t at = 0; at < bytes; at += gap ? gap : 1) {
        gap = line_gap(text, bytes, at, &width);
        if (at && width <= LINE_SPREAD)
            continue;
        n++;
        begins = at + gap;
    }
    *last = line_width(text, begins);
    return n;
}

// Whether the line behind the line end at byte I goes on with several cells of the row above, or
// with one that is not its last: as one line they would be mixed.
static int mixes_cells(const struct lines *c, size_t i)
{
    size_t last, own;
    const int n = wide_cells(c, line_start(c, i), &last), below = wide_cells(c, i + 1, &own);
    return below > 1 ? n > 1 : n > 2 && own < last;
}

// Whether the line end at byte I is read as a space. APART: somebody else's words stay apart from
// one's own: "Ada wrote:", "> It runs."; and lines of code from one another, for as one line they
// would say something else.
static int is_joint(const struct lines *c, size_t i, int apart)
{
    return i + 1 < c->n && !is_table_rule(c, i + 1) &&
           (!apart || (lines_quoted_alike(c, i, i + 1) && !code_keeps(c, i))) &&
           cut_line_goes_on(c, i) && !mixes_cells(c, i) && !fence_holds(c, line_start(c, i)) &&
           !fence_is(c, i + 1);
}

// Whether the line of byte AT is prose broken into lines: it continues on the next line, or
// continues the one before.
static int is_broken(const struct lines *c, size_t at, int apart)
{
    const size_t start = line_start(c, at);
    return is_joint(c, line_end(c, at), apart) || (start > 0 && is_joint(c, start - 1, apart));
}

// The byte behind the margins of pages (page.h) and the empty lines below them at byte AT, where a
// line begins; AT: there is no margin.
static size_t skip_margins(const struct lines *c, size_t at, size_t to)
{
    const size_t first = at;
    while (at < to && (page_is_margin(c, at) || (at > first && line_is_empty(c, at))))
        at = line_end(c, at) + 1;
    return at < to ? at : to;
}

// The byte behind the lines at byte AT that are not read: rules and margins.
static size_t skip_lines(const struct lines *c, size_t at, size_t to)
{
    for (size_t behind; at < to; at = behind)
        if ((behind = skip_rule(c, at, to)) == at && (behind = skip_margins(c, at, to)) == at)
            break;
    return at;
}

// Whether the word that OUT [n] ends with, before its hyphen, goes on at byte AT of C.
static int is_divided(const struct lines *c, const char *out, size_t n, size_t at)
{
    size_t first = n - 1, end = at;
    while (first > 0 && word_has(out[first - 1]))
        first--;
    while (end < c->n && word_has(c->text[end]))
        end++;
    return (!first || is_space(out[first - 1]) || is_one_of(out[first - 1], "(\"'[")) &&
           divided_word(c, at, out + first, n - 1 - first, c->text + at, end - at);
}

// Prepares OUT [n] for what is at byte AT of C: cuts the white space at its end and the hyphen of a
// divided word, and adds a space unless a word was divided. Returns its bytes.
static size_t join(const struct lines *c, char *out, size_t n, size_t at)
{
    static const char *const others[] = {"and ", "or ", "to ", "und ", "oder ", "bis "};
    const char *const text = c->text + at;
    const size_t bytes = c->n - at;
    while (n > 0 && is_space(out[n - 1]))
        n--;
    const size_t hyphen = line_hyphen(out, n);
    size_t space = !hyphen || !bytes || !(is_lower(*text) || (unsigned char)*text >= 0x80);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) // "pre- and post-processing"
        space |= bytes > strlen(others[i]) && !memcmp(text, others[i], strlen(others[i]));
    if (space)
        out[n++] = ' ';
    else if (hyphen > 1 || is_divided(c, out, n, at))
        n -= hyphen;
    return n;
}

// The blanks at byte AT, where a line goes on with cells of the row that begins with byte FROM,
// that are as wide as those before the row, which are not said: so that its cells stand below
// theirs.
static size_t skip_indentation(const struct lines *c, size_t from, size_t at)
{
    const size_t first = line_start(c, from), in = line_indentation(c, first);
    size_t n = 0;
    if (line_width(c->text + first, from - first) != in || !mixes_cells(c, at - 1))
        return 0;
    while (n < in && at + n < c->n && c->text[at + n] == ' ')
        n++;
    return n;
}

// cut_mend, APART or joined.
static size_t mend(const struct lines *c, size_t from, size_t to, int apart, char *out)
{
    size_t n = 0, start = line_start(c, from), width;
    int broken = from < to && is_broken(c, from, apart);
    for (size_t i = from, page_end, next; i < to; i++) {
        if ((i == from || is_one_of(c->text[i], "\n\f")) && page_divides(c, i, &page_end, &next)) {
            n = n && next < to ? join(c, out, n, next) : n;
            i = next - 1;
            continue;
        }
        if (i > from && c->text[i - 1] == '\n') {
            if ((i = skip_lines(c, i, to)) >= to) {
                while (n > 0 && is_space(out[n - 1]))
                    n--;
                break;
            }
            start = i;
            broken = is_broken(c, i, apart);
            i += skip_indentation(c, from, i);
        }
        if (c->text[i] == '\r' && i + 1 < c->n && c->text[i + 1] == '\n')
            continue;
        out[n++] = c->text[i] ? c->text[i] : ' ';
        if (c->text[i] == '\n' && is_joint(c, i, apart)) {
            next = line_said(c, i + 1, line_end(c, i + 1));
            n = join(c, out, n, next);
            start = i + 1;
            broken = 1;
            i = next - 1;
        } else if (broken && is_gap(c->text[i]) && n > 1 && !is_space(out[n - 2])) {
            // justified text
            const size_t gap = line_gap(c->text + start, to - start, i - start, &width);
            out[n - 1] = width > LINE_SPREAD ? out[n - 1] : ' ';
            i += width > LINE_SPREAD ? 0 : gap - 1;
        }
    }
    return markup_strip(out, n);
}

size_t cut_mend(const struct lines *c, size_t from, size_t to, char *out)
{
    return mend(c, from, to, 1, out);
}

size_t cut_mend_joined(const struct lines *c, size_t from, size_t to, char *out)
{
    return mend(c, from, to, 0, out);
}
