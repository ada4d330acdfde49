#define _GNU_SOURCE
#include "engine/passage/contents.h"

#include <string.h>
#include <strings.h>

#include "engine/lines/lines.h"
#include "engine/sentences/refers.h"
#include "engine/words/words.h"

enum {
    LEAST = 10,      // bytes of a title: "Notes" may stand anywhere,
    LEAST_BELOW = 4, // but not where it has to follow another one
    MOST = 48,       // that are compared: a long one may be broken otherwise
    LEADERS = 4,     // dots that lead to a page, with spaces between them or not
    REFERRED = 64,   // lines that may be what a sentence refers to, at most
    LOOKED = 8 << 20 // bytes of other documents that are looked through for a title
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

// Where the section begins whose entry the line of byte AT is, or the next one that says something;
// c->n: it is no entry.
static size_t section_of(const struct lines *c, size_t at)
{
    const size_t line = next_line(c, line_start(c, at));
    if (line >= c->n)
        return c->n;
    const size_t end = line_end(c, line), below = next_line(c, end + 1);
    const size_t place = again(c, title_at(c, line), LEAST, end);
    if (place >= c->n || leaders_in(c, line, end) < end)
        return place;
    // The dots of a long title are on the next line.
    const size_t next = end + 1 < c->n ? line_end(c, end + 1) : end;
    if (leaders_in(c, end, next) < next)
        return place;
    return below < place && again(c, title_at(c, below), LEAST_BELOW, place) < c->n ? place : c->n;
}

int contents_entry(const char *text, size_t n, size_t at)
{
    return section_of(&(struct lines){.text = text, .n = n}, at) < n;
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

// Whether the line at byte AT begins with the number of a section and words, "3.14. Why", "K5.
// Why", unlike one of a log: "0612  Engines", "2024-05-03 Engines".
static int is_numbered(const struct lines *c, size_t at)
{
    enum { FEW = 2 }; // digits
    const size_t end = line_end(c, at);
    size_t digits = 0;
    while (at < end && is_space(c->text[at]))
        at++;
    at += at < end && is_upper(c->text[at]);
    if (at == end || !is_digit(c->text[at]))
        return 0;
    for (; at < end && digits <= FEW && (is_digit(c->text[at]) || c->text[at] == '.'); at++)
        digits = is_digit(c->text[at]) ? digits + 1 : 0;
    at += at < end && is_one_of(c->text[at], "):");
    return digits <= FEW && at + 1 < end && is_gap(c->text[at]) && word_has(c->text[at + 1]) &&
           !is_digit(c->text[at + 1]);
}

// The text of document D of K, to C; one without text has no bytes.
static int text_of(struct lines *c, struct kvz *k, uint64_t d, struct err *e)
{
    const char *text;
    uint64_t bytes;
    const int rc = kvz_document_text(k, d, &text, &bytes, e);
    *c = (struct lines){.text = rc || !text ? "" : text, .n = rc || !text ? 0 : (size_t)bytes};
    return rc;
}

// Two titles, each on a line of its own.
struct entries {
    struct span_of_text title, next;
};

// The title on the line of byte AT of C, one of several with numbers, and the one below it. Whether
// they are.
static int entries_at(struct entries *p, const struct lines *c, size_t at)
{
    const size_t below = line_end(c, at) + 1;
    if (below >= c->n || !is_numbered(c, at) || !is_numbered(c, below))
        return 0;
    *p = (struct entries){title_at(c, at), title_at(c, below)};
    return p->title.to >= p->title.from + LEAST && p->next.to >= p->next.from + LEAST_BELOW;
}

// Where the first of P, of C, heads a section of OTHER, in which the second stands behind it;
// OTHER's end: nowhere.
static size_t heads_in(const struct lines *c, const struct entries *p, const struct lines *other)
{
    const size_t place = place_of(other, c->text + p->title.from, span_bytes(p->title), 0),
                 on = place < other->n ? line_end(other, place) + 1 : other->n;
    // A copy of the contents has none of these sections.
    return on < other->n && line_is_bare(other, on) &&
                   place_of(other, c->text + p->next.from, span_bytes(p->next), on) < other->n
               ? place
               : other->n;
}

// Where the title on the line of byte AT of C, the text of document D of K, heads a section of
// another document, as in a manual with a page for each chapter: *OTHER and its byte *PLACE. 1, 0,
// or an error.
static int heads_elsewhere(const struct lines *c, struct kvz *k, uint32_t d, size_t at,
                           uint32_t *other, size_t *place, struct err *e)
{
    const uint64_t n = kvz_n_documents(k);
    struct entries entries;
    uint64_t looked = 0;
    if (n < 2 || !entries_at(&entries, c, at))
        return 0;
    for (uint64_t i = 0; i < n && looked < LOOKED; i++) {
        struct lines own;
        const int rc = text_of(&own, k, i, e);
        if (rc)
            return rc;
        looked += own.n;
        if (i == d || (*place = heads_in(c, &entries, &own)) >= own.n)
            continue;
        *other = (uint32_t)i;
        return 1;
    }
    return 0;
}

int contents_has(struct kvz *k, uint32_t document, uint64_t start, uint64_t end, int *entry,
                 struct err *e)
{
    struct lines c;
    uint32_t other;
    size_t place;
    int rc = text_of(&c, k, document, e);
    *entry = 0;
    if (rc || start >= c.n)
        return rc;
    const size_t first = line_start(&c, (size_t)start),
                 last = end > start && end <= c.n ? line_start(&c, (size_t)end - 1) : first;
    *entry = section_of(&c, first) < c.n || (last > first && section_of(&c, last) < c.n);
    if (!*entry && (rc = heads_elsewhere(&c, k, document, first, &other, &place, e)) > 0)
        *entry = 1;
    return rc < 0 ? rc : 0;
}

// Whether the line of byte AT of C stands apart from what is above and below it.
static int stands_alone(const struct lines *c, size_t at)
{
    const size_t end = line_end(c, at);
    return line_is_bare_above(c, line_start(c, at)) && end + 1 < c->n && line_is_bare(c, end + 1);
}

// Whether the line of byte AT of C, document D of K, which stands alone, is the title of a section:
// an entry of a table of contents has it, here or in another document. 1, 0, or an error.
static int is_title(const struct lines *c, struct kvz *k, uint32_t d, size_t at, struct err *e)
{
    const struct span_of_text title = title_at(c, at);
    uint64_t looked = 0;
    if (title.to < title.from + LEAST)
        return 0;
    for (uint64_t i = 0; i < kvz_n_documents(k) && looked < LOOKED; i++) {
        struct lines own;
        const int rc = text_of(&own, k, i, e);
        if (rc)
            return rc;
        looked += own.n;
        const size_t entry = place_of(&own, c->text + title.from, span_bytes(title), 0);
        if (entry >= own.n || (i == d && entry >= at))
            continue;
        const size_t line = line_start(&own, entry);
        struct entries entries;
        if (i == d ? section_of(&own, line) < own.n
                   : entries_at(&entries, &own, line) && heads_in(&own, &entries, c) == title.from)
            return 1;
    }
    return 0;
}

// Whether the line of C that begins with byte LINE is what R, of the sentence TEXT, names: its
// title and no more, or its kind and number, WITH_KIND, or else its number.
static int is_referred(const struct lines *c, size_t line, const char *text,
                       const struct reference *r, int with_kind)
{
    const size_t end = line_trimmed(c, line, line_end(c, line)), n = span_bytes(r->number),
                 n_kind = span_bytes(r->kind);
    size_t at = line;
    if (!n) {
        at = past_number(c, line, end);
        const size_t bytes =
            at < end ? bytes_of(c, text + r->title.from, span_bytes(r->title), at) : 0;
        return bytes && at + bytes == end;
    }
    while (at < end && is_one_of(c->text[at], " \t#*"))
        at++;
    if (with_kind && (end - at <= n_kind || c->text[at + n_kind] != ' ' ||
                      strncasecmp(c->text + at, text + r->kind.from, n_kind) != 0))
        return 0;
    at += with_kind ? n_kind + 1 : 0;
    if (end - at < n || memcmp(c->text + at, text + r->number.from, n) != 0)
        return 0;
    at += n;
    at += at < end && is_one_of(c->text[at], ".:)");
    return at == end || is_space(c->text[at]);
}

// Whether the line of C that begins with byte LINE ends a sentence, as a clause may.
static int ends_sentence(const struct lines *c, size_t line)
{
    const size_t end = line_trimmed(c, line, line_end(c, line));
    return end > line && is_one_of(c->text[end - 1], ".;:");
}

int contents_referred(struct kvz *k, uint32_t document, const char *text, const struct reference *r,
                      uint64_t *at, struct err *e)
{
    struct lines c;
    const int rc = text_of(&c, k, document, e);
    if (rc)
        return rc;
    size_t first = c.n; // that is no title
    int looked = 0;
    for (int with_kind = span_bytes(r->kind) > 0; first == c.n && with_kind >= 0; with_kind--)
        for (size_t line = 0; line < c.n; line = line_end(&c, line) + 1) {
            if (!is_referred(&c, line, text, r, with_kind))
                continue;
            const int titles = stands_alone(&c, line) && !ends_sentence(&c, line);
            if ((!titles && first < c.n) || looked++ >= REFERRED || section_of(&c, line) < c.n)
                continue;
            if (titles) {
                const size_t below = next_line(&c, line_end(&c, line) + 1);
                *at = below;
                return below < c.n;
            }
            first = line;
        }
    *at = first;
    return first < c.n && span_bytes(r->number) > 0;
}

// How many of QUESTION's words the line at byte AT of C has.
static int words_asked(const struct lines *c, size_t at, const char *question)
{
    const size_t n = strlen(question);
    char stem[WORD_STEM];
    size_t bytes;
    int words = 0;
    for (size_t i = 0; word_next(question, n, &i, stem, &bytes);)
        words += !word_says_little(question + i - bytes, bytes, stem) &&
                 word_is_in(c->text + at, line_end(c, at) - at, stem);
    return words;
}

// Where the section begins whose title the line of byte AT of C has, document *D of K, as an entry
// or as the title itself: *D and its line *LINE. 1, 0, or an error.
static int find_section(const struct lines *c, struct kvz *k, uint32_t *d, size_t at, size_t *line,
                        struct err *e)
{
    if ((*line = section_of(c, at)) < c->n)
        return stands_alone(c, *line);
    const int rc = heads_elsewhere(c, k, *d, at, d, line, e);
    if (rc || !stands_alone(c, at))
        return rc;
    *line = at;
    return is_title(c, k, *d, at, e);
}

int contents_below(struct kvz *k, uint32_t *document, uint64_t start, uint64_t end,
                   const char *question, uint64_t *at, struct err *e)
{
    struct lines c;
    size_t best = 0;
    int most = -1, rc = text_of(&c, k, *document, e);
    if (rc || start >= c.n)
        return rc;
    const size_t to = end < c.n ? (size_t)end : c.n;
    for (size_t line = next_line(&c, line_start(&c, (size_t)start)); line < to;
         line = next_line(&c, line_end(&c, line) + 1)) {
        const int words = words_asked(&c, line, question);
        best = words > most ? line : best;
        most = words > most ? words : most;
    }
    if (most < 0 || (rc = find_section(&c, k, document, best, &best, e)) <= 0)
        return rc;
    if ((rc = text_of(&c, k, *document, e)))
        return rc;
    const size_t below = next_line(&c, line_end(&c, best) + 1);
    *at = below;
    return below < c.n;
}
