// Terms that head the section that tells of them: "### `retries` (number)", "3.12. sleep_time".
#include "engine/lines/lines.h"
#include "engine/sentences/heading.h"
#include "engine/survey/term_impl.h"
#include "engine/words/chars.h"

enum {
    BEHIND = 40,   // bytes behind a term, of what it takes
    SECTION = 2400 // bytes of a section
};

// The first byte behind the marks of a heading and its number, from byte LINE of C on; *MARKED: 1
// if there are such.
static size_t past_marks(const struct lines *c, size_t line, size_t end, int *marked)
{
    size_t at = line;
    while (at < end && is_one_of(c->text[at], "# \t"))
        at++;
    *marked = c->text[line] == '#';
    const size_t number = at;
    while (at < end && (is_digit(c->text[at]) || c->text[at] == '.'))
        at++;
    if (at > number && (at == end || c->text[at] != ' '))
        return number;
    *marked |= at > number;
    while (at < end && is_one_of(c->text[at], " `\"'*$<["))
        at++;
    return at;
}

// Whether the line below that of C which begins with byte LINE only underlines it.
static int is_underlined(const struct lines *c, size_t line)
{
    const size_t next = line_end(c, line) + 1;
    return next < c->n && !line_is_empty(c, next) && line_is_bare(c, next) &&
           is_one_of(c->text[next], "-=~^");
}

// Whether the line of C that begins with byte LINE heads what is below it, by its marks or alone.
static int is_heading(const struct lines *c, size_t line)
{
    size_t from, to;
    return c->text[line] == '#' || is_underlined(c, line) || heading_is(c, line, &from, &to);
}

// Whether text[FROM..END) of C, behind a term, is what it takes or another name of it: "(number)",
// "=VALUE", " N", ", -r".
static int is_taken(const struct lines *c, size_t from, size_t end)
{
    if (c->text[from] == ' ')
        from++;
    if (from < end && is_one_of(c->text[from], "(=,[<"))
        return !is_one_of(c->text[end - 1], ".!?;");
    while (from < end && (is_upper(c->text[from]) || is_digit(c->text[from]) ||
                          is_one_of(c->text[from], " _-|.[]")))
        from++;
    return from == end;
}

size_t term_section(const struct lines *c, size_t at, size_t n, int coded, struct span_of_text s)
{
    int marked;
    const size_t line = s.from, end = line_trimmed(c, line, s.to), next = s.to + 1;
    size_t behind = at + n;
    if (past_marks(c, line, end, &marked) != at || next >= c->n || !line_is_bare_above(c, line))
        return 0;
    const int ruled = is_underlined(c, line);
    if ((!marked && !coded && !ruled) || !(line_is_bare(c, next) || c->text[line] == '#'))
        return 0;
    while (behind < end && is_one_of(c->text[behind], "`\"'*>]:"))
        behind++;
    if (behind < end && (end - behind > BEHIND || !is_taken(c, behind, end)))
        return 0;
    size_t below = ruled ? line_end(c, next) + 1 : next, last = 0;
    for (below = line_past_empty(c, below); below < c->n && below - line < SECTION;
         below = line_end(c, below) + 1) {
        if (is_heading(c, below))
            break;
        last = line_end(c, below);
    }
    return last > line ? line_trimmed(c, line, last) : 0;
}
