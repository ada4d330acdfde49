#define _GNU_SOURCE
#include "engine/outline/below.h"

#include <string.h>

#include "engine/lines/fence.h"
#include "engine/lines/lines.h"
#include "engine/outline/list.h"
#include "engine/sentences/cut.h"
#include "engine/sentences/heading.h"
#include "engine/words/chars.h"
#include "engine/words/words.h"

enum { LONG = 120 }; // bytes of a heading

size_t below_mark(const char *text, size_t n)
{
    size_t i = 0;
    while (i < n && is_one_of(text[i], "#* "))
        i++;
    const int is_lettered = i + 1 < n && is_upper(text[i]) && is_digit(text[i + 1]);
    const size_t q = i + (is_lettered || (i < n && text[i] == 'Q'));
    size_t at = q + (q < n && text[q] == '(');
    const size_t number = at;
    while (at < n && (is_digit(text[at]) || text[at] == '.'))
        at++;
    if ((at == number && q == i) || (is_lettered && text[i] != 'Q' && text[at - 1] != '.'))
        return i;
    while (at < n && is_one_of(text[at], "):.]"))
        at++;
    if (at >= n || !is_space(text[at]))
        return i;
    while (at < n && is_space(text[at]))
        at++;
    return at;
}

// The byte of C behind what closes the bold words S, or the stop of the numbered title S, where
// more follows on their line; 0: S are none or stand alone.
static size_t runs_on(const struct lines *c, struct span_of_text s)
{
    const size_t bold = strlen("**"), end = line_end(c, s.to);
    size_t at = s.to + bold;
    if (at < end && c->text[s.to] == '.' && cut_runs_in(c, s.to, at))
        return at;
    if (s.from < bold || end < at || memcmp(c->text + s.from - bold, "**", bold) != 0 ||
        memcmp(c->text + s.to, "**", bold) != 0)
        return 0;
    while (at < end && is_space(c->text[at]))
        at++;
    return at < end ? at : 0;
}

// Whether S, a line of its own, is the first one of a paragraph, whose sentence goes on below it:
// "2.1 When the lease ends the tenant shall clear the". A heading is shorter.
static int begins_prose(const struct lines *c, struct span_of_text s)
{
    enum { FULL = 50 }; // columns, at least
    const size_t end = line_end(c, s.from);
    return line_width(c->text + s.from, span_bytes(s)) >= FULL && !line_is_bare(c, end + 1) &&
           !cut_ends_at(c, end);
}

// Whether the line that begins with byte LINE stands apart like a heading: short, below an empty
// line, without a stop and without gaps between cells; or begins with S, bold words which ask what
// the rest of it answers, or a numbered title: "**Can I change it?** Yes.", "4.2 Changing it.
// Press".
static int stands_apart(const struct lines *c, size_t line, struct span_of_text *s)
{
    const size_t end = line_end(c, line);
    *s = (struct span_of_text){line, line_trimmed(c, line, end)};
    while (s->from < s->to && is_space(c->text[s->from]))
        s->from++;
    if (line_quoted(c, line) || !line_is_bare_above(c, line) || fence_holds(c, line))
        return 0;
    if (begins_with(c->text + s->from, span_bytes(*s), "**")) {
        struct span_of_text bold = {s->from + 2, s->from + 2};
        while (bold.to < s->to && c->text[bold.to] != '*')
            bold.to++;
        if (runs_on(c, bold)) {
            *s = bold;
            return span_bytes(bold) < LONG && line_asks(c->text + bold.from, span_bytes(bold));
        }
    }
    size_t from, to;
    if (is_digit(c->text[s->from]) && heading_runs_in(c, s->to, &from, &to) && from == s->from) {
        s->to = to;
        return 1;
    }
    const size_t n = span_bytes(*s);
    if (!n || n >= LONG || is_one_of(c->text[s->to - 1], ".!;:,|") || begins_prose(c, *s))
        return 0;
    const size_t mark = below_mark(c->text + s->from, n);
    return !memmem(c->text + s->from + mark, n - mark, "  ", 2) &&
           !memchr(c->text + s->from, '\t', n);
}

// The last number in the mark TEXT [n] of a heading; 0: there is none.
static int number_in(const char *text, size_t n)
{
    int number = 0;
    for (size_t i = 0; i < n; i++)
        if (is_digit(text[i]))
            number = (i && is_digit(text[i - 1]) ? 10 * (number % 10000) : 0) + text[i] - '0';
    return number;
}

// Whether text[AT..END) begins with the number that follows the one of HEAD's mark [mark], marked
// as that: "(8)" behind "(7)".
static int is_next(const struct lines *c, struct span_of_text head, size_t mark, size_t at,
                   size_t end)
{
    const size_t own = below_mark(c->text + at, end - at);
    return own && number_in(c->text + head.from, mark) &&
           number_in(c->text + at, own) == number_in(c->text + head.from, mark) + 1 &&
           is_digit(c->text[at]) == is_digit(c->text[head.from]);
}

// Where the text below HEAD, on the line that begins with byte LINE, begins; n: below it another
// one follows at once, as in a table of contents.
static size_t text_below(const struct lines *c, struct span_of_text head, size_t line)
{
    const size_t mark = below_mark(c->text + head.from, span_bytes(head)), on = runs_on(c, head);
    if (on)
        return on;
    do
        line = line_end(c, line) + 1;
    while (line < c->n && line_is_bare(c, line));
    if (line >= c->n)
        return c->n;
    const size_t to = line_trimmed(c, line, line_end(c, line));
    return is_next(c, head, mark, line, to) ||
                   (line_asks(c->text + line, to - line) && below_mark(c->text + line, to - line))
               ? c->n
               : line;
}

// Whether the heading S is of a part of what HEAD heads: "### Method" below "## Flatbread", or
// "Ingredients" below any other one.
static int is_within(const struct lines *c, struct span_of_text head, struct span_of_text s)
{
    static const char parts[] = " ingredients method ";
    const size_t n = span_bytes(s) - (c->text[s.to - 1] == ':');
    if (word_is_listed(parts, c->text + s.from, n) && !span_is_alike(c->text, head, c->text, s))
        return 1;
    const int level = heading_level(c->text + head.from, span_bytes(head));
    return level && heading_level(c->text + s.from, span_bytes(s)) > level;
}

// Whether the line S asks, in bold or not.
static int asks(const struct lines *c, struct span_of_text s)
{
    while (s.to > s.from && c->text[s.to - 1] == '*')
        s.to--;
    return line_asks(c->text + s.from, span_bytes(s));
}

// Whether the line at byte AT is a heading of the kind of HEAD, right below which is its text: it
// is short and stands right above a longer line.
static int is_alike(const struct lines *c, struct span_of_text head, size_t at)
{
    const struct span_of_text line = line_at(c, at);
    const size_t own = line_end(c, head.to) + 1, next = line.to + 1;
    if (own >= c->n || next >= c->n || line_is_bare(c, own) || line_is_bare(c, next) ||
        !is_upper(c->text[line.from]) || !is_upper(c->text[head.from]))
        return 0;
    return list_is_heading(c, line) && !list_is_item(c, line_at(c, next)) &&
           3 * span_bytes(line) < 2 * span_bytes(line_at(c, next)) && !list_is_row(c, line);
}

// Where the text below HEAD that begins with byte LINE ends: before the next line that asks, is the
// next by its number, is a heading as HEAD is, or one of no part of it.
static size_t text_end(const struct lines *c, struct span_of_text head, size_t line)
{
    const size_t mark = below_mark(c->text + head.from, span_bytes(head));
    struct span_of_text s;
    size_t from, to;
    for (size_t at = line_end(c, line) + 1; at < c->n; at = line_end(c, at) + 1) {
        if (line_is_empty(c, at) || !line_is_bare(c, line_start(c, at - 1)))
            continue;
        if (is_next(c, head, mark, at, line_end(c, at)) ||
            (stands_apart(c, at, &s) && !is_within(c, head, s) &&
             (asks(c, s) || heading_is(c, at, &from, &to) || is_alike(c, head, at) ||
              (mark && below_mark(c->text + s.from, span_bytes(s))))))
            return at;
    }
    return c->n;
}

// The end of text[FROM..TO) without the rule that divides it, apart from it, from the next section.
static size_t before_rule(const struct lines *c, size_t from, size_t to)
{
    const size_t line = to > from ? line_start(c, to - 1) : from;
    const int is_rule = line > from && is_one_of(c->text[line], "-*_=") &&
                        !line_says_something(c->text + line, to - line) &&
                        line_is_bare_above(c, line);
    return is_rule ? line_trimmed(c, from, line) : to;
}

// Looks at all lines of T's document for the heading that FITS: B, if it is better than that.
static void find_in(struct below *b, const struct texts *t, below_fit *fits, const void *asked)
{
    struct lines c;
    struct span_of_text s;
    lines_of_text(&c, t->text, t->n);
    for (size_t line = 0; line < c.n; line = line_end(&c, line) + 1) {
        if (!stands_apart(&c, line, &s))
            continue;
        const int more = fits(asked, &c, s);
        const size_t text = more < 0 ? c.n : text_below(&c, s, line);
        if (text == c.n || (b->t.text && more > b->more))
            continue;
        b->same = b->t.text && more == b->more ? b->same + 1 : 0;
        if (b->same)
            continue;
        b->t = *t;
        b->head = s;
        b->more = more;
        b->text.from = text;
        b->text.to = before_rule(&c, text, line_trimmed(&c, text, text_end(&c, s, text)));
    }
}

int below_find(struct below *b, const struct lookup *v, below_fit *fits, const void *asked,
               struct err *e)
{
    struct texts t;
    int rc;
    *b = (struct below){0};
    texts_begin(&t, v->k, v->n_k);
    while ((rc = texts_next(&t, e)) > 0)
        find_in(b, &t, fits, asked);
    return rc < 0 ? rc : b->t.text && !b->same;
}

int below_say(struct lookup *v, struct below *b, size_t whole, struct err *e)
{
    lookup_say(v->out, b->t.text, b->head);
    fputs("\n\n", v->out);
    int rc = span_bytes(b->text) <= whole ? lookup_quote(v->out, &b->t, b->text, e)
                                          : lookup_passage(v->out, &b->t, &b->text, e);
    return rc || (rc = lookup_add(v, &b->t, b->text, 0, e)) ? rc : 1;
}
