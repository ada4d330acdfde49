#include "engine/outline/enumerated.h"

#include <string.h>

#include "engine/lines/lines.h"
#include "engine/sentences/heading.h"
#include "engine/words/chars.h"

enum {
    LEAD = 240, // bytes of the sentence up to its colon
    WORDS = 8   // of one of the things
};

// The sentence that enumerates what is asked for.
struct enumerated {
    struct texts t;
    struct span_of_text at, v[ENUMERATED_MOST];
    int n, found; // how many things, and such sentences
};

// Bytes of "and " or "or " at TEXT [n]; 0: neither is there.
static size_t join_at(const char *text, size_t n)
{
    for (const char *const *join = (const char *const[]){"and", "or", NULL}; *join; join++) {
        const size_t bytes = strlen(*join);
        if (n > bytes && !memcmp(text, *join, bytes) && is_space(text[bytes]))
            return bytes + 1;
    }
    return 0;
}

// The byte behind the only "and" or "or" within TEXT's S, *AT its first one; 0: there is none;
// S.to: there are several.
static size_t find_join(const char *text, struct span_of_text s, size_t *at)
{
    size_t found = 0;
    for (size_t i = s.from + 1; i < s.to; i++) {
        const size_t bytes = is_space(text[i - 1]) ? join_at(text + i, s.to - i) : 0;
        if (!bytes)
            continue;
        if (found)
            return s.to;
        *at = i;
        found = i + bytes;
    }
    return found;
}

static int is_plain(const char *text, struct span_of_text s)
{
    static const char open[] = " etc other others more such as example including which who are is "
                               "was were that if when ";
    char stem[WORD_STEM];
    size_t bytes;
    int words = 0;
    for (size_t at = s.from; word_next(text, s.to, &at, stem, &bytes); words++)
        if (word_is_listed(open, text + at - bytes, bytes))
            return 0;
    for (size_t i = s.from; i < s.to; i++)
        if (is_one_of(text[i], "():;.!?\"") && (text[i] != '.' || i + 1 == s.to))
            return 0;
    return words > 0 && words <= WORDS;
}

// Divides TEXT's S, behind the colon, into what it enumerates, V [ENUMERATED_MOST]: their number,
// or 0 when it is not plain where one ends.
static int parse(const char *text, struct span_of_text s, struct span_of_text *v)
{
    int n = 0;
    size_t at = s.from, join = 0, behind;
    s = span_trimmed(text, s);
    s.to -= s.to > s.from && text[s.to - 1] == '.';
    const int semicolons = memchr(text + s.from, ';', span_bytes(s)) != NULL;
    for (at = s.from; at < s.to; at++) {
        size_t to = at;
        while (to < s.to && text[to] != (semicolons ? ';' : ','))
            to++;
        if (n == ENUMERATED_MOST)
            return 0;
        v[n++] = span_trimmed(text, (struct span_of_text){at, to});
        at = to;
    }
    if (n < 2)
        return 0;
    struct span_of_text *last = &v[n - 1];
    if ((behind = join_at(text + last->from, span_bytes(*last))))
        last->from += behind;
    else if ((behind = find_join(text, *last, &join)) && behind < last->to && n < ENUMERATED_MOST) {
        v[n] = span_trimmed(text, (struct span_of_text){behind, last->to});
        *last = span_trimmed(text, (struct span_of_text){last->from, join});
        n++;
    } else {
        return 0;
    }
    for (int i = 0; i < n; i++)
        if (!is_plain(text, v[i]) || find_join(text, v[i], &join))
            return 0;
    return n;
}

// Whether the sentence S of C, with a colon at byte COLON, enumerates what A asks for: then it is
// F's.
static void look_at(struct enumerated *f, const struct texts *t, const struct lines *c,
                    struct span_of_text s, size_t colon, const struct items_asked *a)
{
    struct span_of_text v[ENUMERATED_MOST], heading = {0};
    const struct span_of_text lead = {s.from, colon};
    const int n = parse(c->text, (struct span_of_text){colon + 1, s.to}, v);
    char near[LEAD + HEADING_LONGEST + 2];
    if (!n || !items_asked_names(a, c->text, lead, n))
        return;
    if (!heading_before(c, s.from, &heading.from, &heading.to) ||
        span_bytes(heading) > HEADING_LONGEST)
        heading = (struct span_of_text){0};
    memcpy(near, c->text + lead.from, span_bytes(lead));
    near[span_bytes(lead)] = ' ';
    memcpy(near + span_bytes(lead) + 1, c->text + heading.from, span_bytes(heading));
    const size_t bytes = span_bytes(lead) + 1 + span_bytes(heading);
    if (!words_all(a->what, near, bytes) || !words_all(a->of, near, bytes))
        return;
    f->found++;
    f->t = *t;
    f->at = s;
    f->n = n;
    memcpy(f->v, v, sizeof v);
}

static void look_through(struct enumerated *f, const struct texts *t, const struct items_asked *a)
{
    struct lines c;
    size_t at = 0;
    lines_of_text(&c, t->text, t->n);
    for (const char *p; at < c.n && (p = memchr(c.text + at, ':', c.n - at));) {
        const size_t colon = (size_t)(p - c.text), low = colon > LEAD ? colon - LEAD : 0;
        struct span_of_text s;
        at = colon + 1;
        if (at >= c.n || !is_space(c.text[at]) || !word_is_in(c.text + low, colon - low, a->last))
            continue;
        lookup_sentence(&c, colon, &s.from, &s.to);
        if (s.from >= colon || colon - s.from > LEAD || s.to <= at)
            continue;
        look_at(f, t, &c, s, colon, a);
        at = s.to;
    }
}

int outline_enumerated(struct lookup *v, const struct items_asked *a, struct err *e)
{
    struct enumerated f = {.n = 0};
    struct texts t;
    int rc;
    if (a->steps)
        return 0;
    texts_begin(&t, v->k, v->n_k);
    while ((rc = texts_next(&t, e)) > 0)
        look_through(&f, &t, a);
    if (rc < 0 || f.found != 1)
        return rc;
    fprintf(v->out, "%d %s", f.n, a->called);
    for (int i = 0; i < f.n; i++) {
        fputs(i ? "; " : ": ", v->out);
        if ((rc = lookup_mended(v->out, &f.t, f.v[i], e)) < 0)
            return rc;
    }
    return (rc = lookup_add(v, &f.t, f.at, 0, e)) ? rc : 1;
}
