#include "engine/text/page.h"

#include "engine/text/lines.h"
#include "engine/text/span.h"

enum {
    FAR = 480,  // bytes from a form feed to the beginning of the footer or the end of the header
    LINES = 2,  // of a footer, and of a header, at most
    NARROW = 32 // columns of a line of prose, at least
};

static size_t past_space(const struct cut *c, size_t at)
{
    while (at < c->n && is_space(c->text[at]))
        at++;
    return at;
}

// Whether the line L has columns, as many footers do and prose has not.
static int is_spaced(const struct cut *c, struct span_of_text l)
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
static int has_empty_line(const struct cut *c, size_t from, size_t to)
{
    int ends = 0;
    for (; from < to; from++)
        ends += c->text[from] == '\n';
    return ends > 1;
}

// Whether the line L ends with a stop, or with what no word ends with.
static int is_ended(const struct cut *c, struct span_of_text l)
{
    size_t last = l.to - 1;
    while (last > l.from && is_one_of(c->text[last], "\"')\x80\x9d\x99\xe2"))
        last--;
    const char end = c->text[last];
    return !is_lower(end) && !is_upper(end) && !is_digit(end) && !is_one_of(end, ",-") &&
           (unsigned char)end < 0x80;
}

// Whether the line L may end within a sentence.
static int may_go_on(const struct cut *c, struct span_of_text l)
{
    const char *text = c->text + l.from;
    const size_t n = l.to - l.from;
    return n && !is_ended(c, l) && !is_spaced(c, l) &&
           (line_is_open(text, n) || line_hyphen(text, n) || line_width(text, n) >= NARROW);
}

// Whether the word at byte AT is none that begins a sentence: it is small, or a number before one
// that is.
static int is_within(const struct cut *c, size_t at)
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
static size_t goes_on_at(const struct cut *c, size_t at, struct span_of_text above)
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
static int divides(const struct cut *c, size_t feed, size_t *from, size_t *to)
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

int page_divides(const struct cut *c, size_t i, size_t *from, size_t *to)
{
    const char *feed = memchr(c->text + i, '\f', c->n - i < FAR ? c->n - i : FAR);
    if (feed && divides(c, (size_t)(feed - c->text), from, to) && i >= *from && i < *to)
        return 1;
    for (size_t f = i; f > 0 && i - f < FAR; f--)
        if (c->text[f - 1] == '\f')
            return divides(c, f - 1, from, to) && i >= *from && i < *to;
    return 0;
}
