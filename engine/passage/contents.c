#define _GNU_SOURCE
#include "engine/passage/contents.h"

#include <string.h>
#include <strings.h>

#include "engine/lines/lines.h"
#include "engine/words/words.h"

enum {
    LEAST = 10,      // bytes of a title: "Notes" may stand anywhere,
    LEAST_BELOW = 4, // but not where it has to follow another one
    MOST = 48,       // that are compared: a long one may be broken otherwise
    LEADERS = 4      // dots that lead to a page, with spaces between them or not
};

// The next line from byte AT on that has a letter or a digit; c->n: there is none.
static size_t next_line(const struct lines *c, size_t at)
{
    while (at < c->n && !line_says_something(c->text + at, line_end(c, at) - at))
        at = line_end(c, at) + 1;
    return at < c->n ? at : c->n;
}

// The byte behind a Roman number and its stop, from byte AT on: "XII. "; AT: there is none.
static size_t past_roman(const struct lines *c, size_t at, size_t end)
{
    size_t stop = at;
    while (stop < end && is_one_of(c->text[stop], "IVXLC"))
        stop++;
    return stop > at && stop + 1 < end && c->text[stop] == '.' && c->text[stop + 1] == ' '
               ? stop + 2
               : at;
}

// The byte behind a section's number and the mark of a list item: "\u2022 2.3. ", "  IV. ".
static size_t past_number(const struct lines *c, size_t at, size_t end)
{
    while (at < end && is_space(c->text[at]))
        at++;
    at = past_roman(c, at, end);
    while (at < end && !is_upper(c->text[at]) && !is_lower(c->text[at]) &&
           !(c->text[at] == '"' || c->text[at] == '\'' || c->text[at] == '`'))
        at++;
    return at;
}

// Where the dots that lead to a page begin in a line that ends at TO; TO: it has none.
static size_t leaders_in(const struct lines *c, size_t from, size_t to)
{
    size_t dots = 0, first = to;
    for (size_t i = from; i < to; i++) {
        if (c->text[i] == '.')
            first = dots++ ? first : i;
        else if (!is_space(c->text[i]))
            dots = 0;
        if (dots == LEADERS)
            return first;
    }
    return to;
}

// The title on the line of byte AT, without its number and its page.
static struct span_of_text title_at(const struct lines *c, size_t at)
{
    const size_t end = line_end(c, at), to = leaders_in(c, at, end);
    struct span_of_text t = {past_number(c, at, end), to};
    while (t.to > t.from &&
           (is_space(c->text[t.to - 1]) || (to == end && is_digit(c->text[t.to - 1]))))
        t.to--;
    t.to = t.to - t.from > MOST ? t.from + MOST : t.to;
    return t;
}

// The bytes from AT on that are TITLE [n], however wide its gaps are there; 0: they are not.
static size_t bytes_of(const struct lines *c, const char *title, size_t n, size_t at)
{
    size_t i = 0, end = at;
    while (i < n && end < c->n && title[i] == c->text[end]) {
        const int gap = title[i] == ' ';
        i++;
        end++;
        while (gap && i < n && title[i] == ' ')
            i++;
        while (gap && end < c->n && c->text[end] == ' ')
            end++;
    }
    return i == n ? end - at : 0;
}

// Whether byte AT, which begins a title, is behind no more than a number and marks on its line, and
// not in what a reply quotes.
static int is_first(const struct lines *c, size_t at)
{
    const size_t line = line_start(c, at);
    return past_number(c, line, at) == at && !line_quoted(c, line);
}

// Where TITLE [n] stands behind byte AT, as the first words of a line; c->n: nowhere.
static size_t place_of(const struct lines *c, const char *title, size_t n, size_t at)
{
    const char *p, *gap = memmem(title, n, "  ", 2);
    const size_t first = gap ? (size_t)(gap - title) : n;
    while (at < c->n && (p = memmem(c->text + at, c->n - at, title, first))) {
        const size_t place = (size_t)(p - c->text);
        const size_t bytes = bytes_of(c, title, n, place);
        const char next = place + bytes < c->n ? c->text[place + bytes] : ' ';
        const int whole =
            bytes && (n == MOST || !(is_lower(next) || is_upper(next) || is_digit(next)));
        if (whole && is_first(c, place) &&
            leaders_in(c, place, line_end(c, place)) == line_end(c, place))
            return place;
        at = place + 1;
    }
    return c->n;
}

// Where TITLE stands again behind byte AT, as it is or in capitals; c->n: nowhere.
static size_t again(const struct lines *c, struct span_of_text title, size_t least, size_t at)
{
    char capitals[MOST];
    const size_t n = title.to - title.from;
    if (title.to <= title.from || n < least)
        return c->n;
    const size_t place = place_of(c, c->text + title.from, n, at);
    if (place < c->n)
        return place;
    for (size_t i = 0; i < n; i++) {
        const char own = c->text[title.from + i];
        capitals[i] = is_lower(own) ? (char)(own - 'a' + 'A') : own;
    }
    return place_of(c, capitals, n, at);
}

int contents_entry(const char *text, size_t n, size_t at)
{
    const struct lines c = {.text = text, .n = n};
    const size_t line = next_line(&c, line_start(&c, at));
    if (line >= n)
        return 0;
    const size_t end = line_end(&c, line), below = next_line(&c, end + 1);
    const size_t place = again(&c, title_at(&c, line), LEAST, end);
    if (place >= n)
        return 0;
    if (leaders_in(&c, line, end) < end)
        return 1;
    // The dots of a long title are on the next line.
    const size_t next = end + 1 < n ? line_end(&c, end + 1) : end;
    if (leaders_in(&c, end, next) < next)
        return 1;
    return below < place && again(&c, title_at(&c, below), LEAST_BELOW, place) < n;
}

int contents_keywords(const char *text, const char *question)
{
    static const char *const labels[] = {"key words", "keywords", "index terms", "key-words"};
    const char *p = text + strspn(text, " *_#");
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
        const size_t n = strlen(labels[i]);
        if (!strncasecmp(p, labels[i], n))
            return is_one_of(p[n + strspn(p + n, " *_")], ":-.") &&
                   !words_any("key keyword keywords index", question, strlen(question));
    }
    return 0;
}

int contents_has(struct kvz *k, uint32_t document, uint64_t start, uint64_t end, int *entry,
                 struct err *e)
{
    const char *text;
    uint64_t bytes;
    int rc = kvz_document_text(k, document, &text, &bytes, e);
    *entry = 0;
    if (rc || !text || start >= bytes)
        return rc;
    const struct lines c = {.text = text, .n = (size_t)bytes};
    const size_t first = line_start(&c, (size_t)start),
                 last = end > start && end <= bytes ? line_start(&c, (size_t)end - 1) : first;
    *entry = contents_entry(text, c.n, first) || (last > first && contents_entry(text, c.n, last));
    return 0;
}
