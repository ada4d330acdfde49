// What a section says, asked for by its number: "4.3 Pets", "## 4. Rent", "§ 2".
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "engine/survey/lookups.h"
#include "engine/text/chars.h"
#include "engine/text/lines.h"

enum { DEPTH = 6 };

struct number {
    long v[DEPTH]; // [n]
    int n;
    int called; // 1: its line is marked as a head: "## 4.", "Section 4", "Section 4: Pets"
};

// Bytes of the word before the number of a section at the beginning of TEXT [n].
static size_t word_of(const char *text, size_t n)
{
    for (const char *word = WANTED_SECTIONS "|\u00a7\u00a7"; *word;) {
        const size_t len = strcspn(word, "|");
        if (n > len && !strncasecmp(text, word, len) &&
            (is_space(text[len]) || is_digit(text[len])))
            return len;
        word += len + (word[len] == '|');
    }
    return 0;
}

// Reads the number at the beginning of TEXT [n] into *V; returns its bytes, 0 if there is none.
static size_t number_of(const char *text, size_t n, struct number *v)
{
    size_t i = 0;
    v->n = 0;
    while (v->n < DEPTH && i < n && is_digit(text[i])) {
        long value = 0;
        for (; i < n && is_digit(text[i]); i++)
            value = value < 100000 ? value * 10 + (text[i] - '0') : value;
        v->v[v->n++] = value;
        if (i + 1 >= n || text[i] != '.' || !is_digit(text[i + 1]))
            return i;
        i++;
    }
    return 0;
}

// Whether the line at byte AT of C, with a number before byte BEHIND, is a head and not a line of
// prose that goes on from the one above or mentions a section.
static int is_head(const struct cut *c, size_t at, size_t behind)
{
    const size_t end = line_trimmed(c, at, line_end(c, at)), up = at ? line_start(c, at - 1) : 0,
                 up_end = at ? line_trimmed(c, up, at - 1) : 0;
    const int closed = up_end == up || is_one_of(c->text[up_end - 1], ".:;!?");
    while (behind < end && is_space(c->text[behind]))
        behind++;
    if (behind < end && (is_lower(c->text[behind]) || is_one_of(c->text[behind], ",;")))
        return 0;
    return closed || (!line_is_open(c->text + up, up_end - up) && c->text[up_end - 1] != ',' &&
                      (behind >= end || !is_one_of(c->text[end - 1], ".,;")));
}

// Reads the number with which the line at byte AT begins, if it may be a section's.
static int number_at(const struct cut *c, size_t at, struct number *v)
{
    const size_t end = line_end(c, at);
    size_t from = line_words(c, at, end), word = word_of(c->text + from, end - from);
    for (from += word; from < end && is_space(c->text[from]);)
        from++;
    const size_t bytes = number_of(c->text + from, end - from, v), next = from + bytes;
    v->called = bytes && (c->text[at] == '#' || (word && is_head(c, at, next)));
    if (!bytes || word || next == end)
        return bytes > 0;
    if (is_one_of(c->text[next], ".):"))
        return next + 1 == end || is_space(c->text[next + 1]);
    // "4 eggs" is not a section.
    return is_space(c->text[next]) && next + 1 < end &&
           (v->n > 1 || is_upper(c->text[next + 1]) || (unsigned char)c->text[next + 1] >= 0x80);
}

static int is_under(const struct number *v, const struct number *of)
{
    for (int i = 0; i < of->n; i++)
        if (i >= v->n || v->v[i] != of->v[i])
            return 0;
    return 1;
}

// Whether V is the next item of a list, of *ITEMS so far, in the section OF.
static int is_next_item(const struct number *v, const struct number *of, long *items)
{
    const int is = of->n > 1 && v->n == 1 && v->v[0] == *items + 1;
    *items += is;
    return is;
}

// Whether V, the number of the line at byte AT, begins another section than OF: neither one inside
// it nor an item of a list. If it is lower than OF, a table of contents ends here.
static int is_other(const struct cut *c, size_t at, const struct number *v, const struct number *of)
{
    const size_t next = line_end(c, at) + 1;
    const int alone =
        next >= c->n || !line_says_something(c->text + next, line_end(c, next) - next);
    return !is_under(v, of) && ((v->called && of->called) || v->n > 1 || v->v[0] == of->v[0] + 1 ||
                                (alone && !is_under(of, v)));
}

// Finds the longest section with the number OF in T's document: *S, if it is longer than that. In a
// table of contents it is short.
static void find_section(const struct texts *t, const struct number *of, struct span_of_text *s)
{
    struct cut c;
    struct number v, own_head = *of;
    struct span_of_text own = {0, 0};
    int in = 0;
    long items = 0;
    cut_text(&c, t->text, t->n);
    for (size_t at = 0; at < t->n; at = line_end(&c, at) + 1) {
        if (!number_at(&c, at, &v))
            continue;
        const int same = v.n == of->n && is_under(&v, of);
        if (in && is_next_item(&v, of, &items))
            continue;
        if (in && (same || is_other(&c, at, &v, &own_head))) {
            own.to = at;
            *s = own.to - own.from > s->to - s->from ? own : *s;
            in = 0;
        }
        if (same) {
            own.from = line_words(&c, at, line_end(&c, at));
            own_head = v;
            in = 1;
            items = 0;
        }
    }
    if (in && t->n - own.from > s->to - s->from)
        *s = (struct span_of_text){own.from, t->n};
}

int survey_section(struct surveying *v, struct err *e)
{
    struct number of = {0};
    struct texts t, best = {0};
    struct span_of_text s = {0, 0};
    const size_t n = strlen(v->w.what);
    int rc;
    if (number_of(v->w.what, n, &of) != n)
        return 0;
    texts_begin(&t, v->k, v->n_k);
    while ((rc = texts_next(&t, e)) > 0) {
        struct span_of_text own = s;
        find_section(&t, &of, &own);
        if (own.from != own.to && own.to - own.from > s.to - s.from) {
            s = own;
            best = t;
        }
    }
    if (rc < 0 || s.from == s.to)
        return rc;
    if ((rc = survey_passage(v->out, &best, &s, e)) || (rc = survey_add(v, &best, s, 0, e)))
        return rc;
    return 1;
}
