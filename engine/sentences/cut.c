// Sentences: where they begin and end.
#include "engine/sentences/cut_impl.h"

#include "engine/lines/lines.h"
#include "engine/lines/page.h"
#include "engine/words/chars.h"
#include "io/utf8.h"

// cut_ends_at, wherever a page ends.
static int ends_at(const struct lines *c, size_t i)
{
    if (i + 1 >= c->n)
        return 1;
    return c->text[i] == '\n' ? !cut_line_goes_on(c, i) : cut_stop_ends(c, i);
}

int cut_ends_at(const struct lines *c, size_t i)
{
    size_t from, to;
    return ends_at(c, i) && !page_divides(c, i, &from, &to);
}

int cut_has_stop(const struct lines *c, size_t from, size_t to)
{
    for (; from + 1 < to; from++)
        if (is_one_of(c->text[from], ".!?") && cut_ends_at(c, from))
            return 1;
    return 0;
}

// Whether byte I is within a number: "75,900".
static int is_in_number(const struct lines *c, size_t i)
{
    return i > 0 && is_digit(c->text[i - 1]) && is_digit(c->text[i + 1]);
}

// Where to cut a long sentence: the best place between bytes FROM and TO < n. The end of a line is
// better than a semicolon, that than a comma, that than a space.
static size_t best_cut(const struct lines *c, size_t from, size_t to)
{
    static const char marks[] = "\n;, ";
    for (const char *mark = marks; *mark; mark++)
        for (size_t i = to; i > from; i--)
            if (c->text[i - 1] == *mark && (is_space(*mark) || !is_in_number(c, i - 1)))
                return i;
    return utf8_border(c->text, to);
}

static void shorten(const struct lines *c, size_t at, size_t *from, size_t *to)
{
    while (*to - *from > LONGEST_SENTENCE) {
        size_t cut = best_cut(c, *from + LONGEST_SENTENCE / 2, *from + LONGEST_SENTENCE);
        if (at < cut) {
            *to = cut;
            return;
        }
        *from = cut;
    }
}

// Leaves text[*FROM..*TO) without the white space around it.
static void trim(const struct lines *c, size_t *from, size_t *to)
{
    *to = line_trimmed(c, *from + 1, *to);
    for (size_t n; *from + 1 < *to && (n = white_space(c->text + *from, *to - 1 - *from)) > 0;)
        *from += n;
}

// The sentence of byte AT, with the white space around it; returns the byte AT, or one near it that
// says something.
static size_t around(const struct lines *c, size_t at, size_t *from, size_t *to)
{
    for (size_t n; at + 1 < c->n && (n = white_space(c->text + at, c->n - 1 - at)) > 0;)
        at += n;
    while (at > 0 && is_space(c->text[at]))
        at--;
    for (*to = at; *to < c->n && !cut_ends_at(c, *to);)
        ++*to;
    *to = *to < c->n ? *to + 1 : c->n;
    for (*from = at; *from > 0 && !cut_ends_at(c, *from - 1);)
        --*from;
    return at;
}

void cut_sentence(const struct lines *c, size_t at, size_t *from, size_t *to)
{
    at = around(c, at, from, to);
    shorten(c, at, from, to);
    trim(c, from, to);
}

void cut_whole(const struct lines *c, size_t at, size_t *from, size_t *to)
{
    around(c, at, from, to);
    trim(c, from, to);
}

int cut_ends_paragraph(const struct lines *c, size_t last, size_t to)
{
    const char *gap = c->text + to;
    const size_t n = strspn(gap, " \t\r\n\f");
    const char *line = memchr(gap, '\n', n);
    return to > last && is_one_of(c->text[to - 1], ".!?") && line &&
           memchr(line + 1, '\n', n - (size_t)(line + 1 - gap));
}
