#define _GNU_SOURCE
#include "engine/lines/page.h"

#include <string.h>

#include "engine/lines/lines.h"
#include "engine/words/text_span.h"
#include "engine/words/words.h"

enum {
    FAR = 480,     // bytes from a form feed to the beginning of the footer or the end of the header
    LINES = 2,     // of a footer, and of a header, at most
    NARROW = 32,   // columns of a line of prose, at least
    NUMBER = 16,   // bytes of a page's number, with what stands around it, at most
    MARGIN = 96,   // and of a header or a footer
    SEEN = 1 << 14 // bytes before and behind a margin that another page's is looked for in
};

static size_t past_space(const struct lines *c, size_t at)
{
    while (at < c->n && is_space(c->text[at]))
        at++;
    return at;
}

// Whether the line L has columns, as many footers do and prose has not.
static int is_spaced(const struct lines *c, struct span_of_text l)
{
    size_t width;
    for (size_t i = l.from, gap; i < l.to; i += gap ? gap : 1) {
        gap = line_gap(c->text + l.from, l.to - l.from, i - l.from, &width);
        if (width > LINE_SPREAD)
            return 1;
    }
    return 0;
}

// Whether an empty line is among the white space text[FROM..TO).
static int has_empty_line(const struct lines *c, size_t from, size_t to)
{
    int ends = 0;
    for (; from < to; from++)
        ends += c->text[from] == '\n';
    return ends > 1;
}

// Whether the line L ends with a stop, or with what no word ends with.
static int is_ended(const struct lines *c, struct span_of_text l)
{
    size_t last = l.to - 1;
    while (last > l.from && is_one_of(c->text[last], "\"')\x80\x9d\x99\xe2"))
        last--;
    const char end = c->text[last];
    return !is_lower(end) && !is_upper(end) && !is_digit(end) && !is_one_of(end, ",-") &&
           (unsigned char)end < 0x80;
}

// Whether the line L may end within a sentence.
static int may_go_on(const struct lines *c, struct span_of_text l)
{
    const char *text = c->text + l.from;
    const size_t n = l.to - l.from;
    return n && !is_ended(c, l) && !is_spaced(c, l) &&
           (line_is_open(text, n) || line_hyphen(text, n) || line_width(text, n) >= NARROW);
}

// Whether the word at byte AT is none that begins a sentence: it is small, or a number before one
// that is.
static int is_within(const struct lines *c, size_t at)
{
    const size_t end = line_end(c, at);
    size_t word = at;
    while (word < end && is_digit(c->text[word]))
        word++;
    word += word > at && word < end && c->text[word] == ' ';
    if (word < end && (word == at || c->text[word - 1] == ' '))
        return (is_lower(c->text[word]) && !line_is_item(c->text + at, end - at)) ||
               (end - word > 1 && c->text[word] == '\xc3' &&
                (unsigned char)c->text[word + 1] >= 0xa0);
    return 0;
}

// The first word behind the header of the page at byte AT; n if the page does not go on with the
// sentence of the line ABOVE.
static size_t goes_on_at(const struct lines *c, size_t at, struct span_of_text above)
{
    const int open = line_is_open(c->text + above.from, above.to - above.from);
    size_t found = c->n;
    at = past_space(c, at);
    for (int i = 0; i <= LINES && at < c->n; i++) {
        const size_t end = line_trimmed(c, at, line_end(c, at)), below = past_space(c, end);
        const int head = i < LINES && below < c->n && has_empty_line(c, end, below);
        if (is_within(c, at) && !(head && is_within(c, below)))
            return at;
        if (open && i < LINES)
            found = at;
        if (!head)
            break;
        at = below;
    }
    return found;
}

// page_divides, for the form feed at byte FEED. Of several lines that may be the last one of the
// page's text it is the first one, since a footer may look like prose.
static int divides(const struct lines *c, size_t feed, size_t *from, size_t *to)
{
    int found = 0;
    for (size_t i = 0, end = line_trimmed(c, 0, feed); i <= LINES && end; i++) {
        const struct span_of_text l = {past_space(c, line_start(c, end - 1)), end};
        const size_t next = may_go_on(c, l) ? goes_on_at(c, feed + 1, l) : c->n;
        if (next < c->n) {
            *from = l.to;
            *to = next;
            found = 1;
        }
        end = line_trimmed(c, 0, l.from);
        if (feed - end > FAR || !has_empty_line(c, end, l.from))
            break;
    }
    return found;
}

int page_divides(const struct lines *c, size_t i, size_t *from, size_t *to)
{
    const char *feed = memchr(c->text + i, '\f', c->n - i < FAR ? c->n - i : FAR);
    if (feed && divides(c, (size_t)(feed - c->text), from, to) && i >= *from && i < *to)
        return 1;
    for (size_t f = i; f > 0 && i - f < FAR; f--)
        if (c->text[f - 1] == '\f')
            return divides(c, f - 1, from, to) && i >= *from && i < *to;
    return 0;
}

// Whether TEXT [n], a word, is a number, Arabic or Roman.
static int counts(const char *text, size_t n)
{
    int arabic = 1, roman = 1;
    for (size_t i = 0; i < n; i++) {
        arabic &= is_digit(text[i]);
        roman &= is_one_of(text[i], "ivxlc");
    }
    return n && (arabic || roman);
}

// Whether the line L is the number of a page: "12", "xiv", "- 12 -", "Page 2 of 9".
static int is_number(const struct lines *c, struct span_of_text l)
{
    size_t numbers = 0;
    if (l.to - l.from > NUMBER)
        return 0;
    for (size_t at = l.from, end; at < l.to; at = end) {
        for (end = at; end < l.to && word_has(c->text[end]);)
            end++;
        const int number = counts(c->text + at, end - at);
        if (end == at ? !is_one_of(c->text[end++], " -[]()|")
                      : !number && !word_is_listed(" page Page of ", c->text + at, end - at))
            return 0;
        numbers += (size_t)number;
    }
    return numbers > 0;
}

// The line beside the form feed at byte FEED, empty lines aside: the last one ABOVE it, or the
// first one behind it. Empty where there is none, or no empty line on its other side.
static struct span_of_text margin_at(const struct lines *c, size_t feed, int above)
{
    struct span_of_text l;
    size_t other, other_end;
    if (above) {
        l.to = line_trimmed(c, 0, feed);
        l.from = l.to ? line_start(c, l.to - 1) : 0;
        other = line_trimmed(c, 0, l.from);
        other_end = l.from;
    } else {
        l.from = past_space(c, feed + 1);
        l.to = line_trimmed(c, l.from, line_end(c, l.from));
        other = l.to;
        other_end = past_space(c, l.to);
    }
    l.from = l.from < l.to ? past_space(c, l.from) : l.from;
    return l.from < l.to && l.to - l.from <= MARGIN && has_empty_line(c, other, other_end)
               ? l
               : (struct span_of_text){l.from, l.from};
}

// The first byte of text[AT..TO) that is neither of a number nor a blank.
static size_t past_number(const struct lines *c, size_t at, size_t to)
{
    while (at < to && (is_digit(c->text[at]) || c->text[at] == ' '))
        at++;
    return at;
}

// Whether lines A and B are alike but for their numbers.
static int are_alike(const struct lines *c, struct span_of_text a, struct span_of_text b)
{
    for (;; a.from++, b.from++) {
        a.from = past_number(c, a.from, a.to);
        b.from = past_number(c, b.from, b.to);
        if (a.from == a.to || b.from == b.to)
            return a.from == a.to && b.from == b.to;
        if (c->text[a.from] != c->text[b.from])
            return 0;
    }
}

// Whether L, the margin beside the form feed at byte FEED, is that of another page, too.
static int comes_again(const struct lines *c, size_t feed, int above, struct span_of_text l)
{
    const size_t from = feed > SEEN ? feed - SEEN : 0, to = c->n - feed > SEEN ? feed + SEEN : c->n;
    const char *other;
    for (size_t at = from; (other = memchr(c->text + at, '\f', to - at));) {
        at = (size_t)(other - c->text);
        const struct span_of_text m = margin_at(c, at, above);
        if (at != feed && m.from < m.to && are_alike(c, l, m))
            return 1;
        at++;
    }
    return 0;
}

// page_is_margin, beside the form feed at byte FEED.
static int is_margin(const struct lines *c, size_t line, size_t feed, int above)
{
    const struct span_of_text l = margin_at(c, feed, above);
    return l.from < l.to && l.from >= line && l.from < line_end(c, line) &&
           (is_number(c, l) || comes_again(c, feed, above, l));
}

int page_is_margin(const struct lines *c, size_t line)
{
    size_t above = line, below = line_end(c, line);
    while (above > 0 && is_space(c->text[above - 1]) && c->text[above - 1] != '\f')
        above--;
    while (below < c->n && is_space(c->text[below]) && c->text[below] != '\f')
        below++;
    const int begins = above > 0 && c->text[above - 1] == '\f',
              fed = line < c->n && c->text[line] == '\f';
    return (fed && is_margin(c, line, line, 0)) || (begins && is_margin(c, line, above - 1, 0)) ||
           (below < c->n && c->text[below] == '\f' && is_margin(c, line, below, 1));
}
