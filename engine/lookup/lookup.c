#include "engine/lookup/lookup.h"
#include "engine/sentences/cut.h"

#include <stdlib.h>
#include <string.h>

#include "engine/lines/lines.h"
#include "engine/words/chars.h"
#include "engine/words/names.h"
#include "io/mem.h"
#include "io/utf8.h"

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

// Leaves bytes FROM to TO of T's document, around byte AT, without what the places of S have of
// them. Returns the place that has byte AT itself; NULL: none has.
static struct lookup_place *cut_by_places(struct lookup_answer *s, const struct texts *t,
                                          uint64_t at, uint64_t *from, uint64_t *to)
{
    struct lookup_place *has = NULL;
    for (int i = 0; i < s->n; i++) {
        struct lookup_place *p = &s->places[i];
        if (p->index != t->index || p->document != t->d.name)
            continue;
        if (at >= p->from && at < p->to)
            has = p;
        else if (p->from > at)
            *to = smaller(*to, p->from);
        else if (p->to > *from)
            *from = p->to;
    }
    return has;
}

int lookup_add(struct lookup *v, const struct texts *t, struct span_of_text at, int together,
               struct err *e)
{
    enum { BEYOND = 1024 }; // bytes that a passage may extend behind its block
    struct lookup_answer *s = v->s;
    struct lookup_place *last = s->n ? &s->places[s->n - 1] : NULL;
    if (together && last && last->index == t->index && last->document == t->d.name &&
        at.from < last->to) {
        last->n++;
        return 0;
    }
    struct kvz_block b = {0};
    uint64_t block = 0;
    int rc = s->n < s->most ? texts_block(t->k[t->index], &t->d, at.from, &block, &b, e) : 0;
    if (rc || s->n == s->most)
        return rc;
    // In a damaged index the block may lie elsewhere.
    uint64_t from = smaller(b.start, at.from);
    uint64_t to = smaller(at.to < b.end ? b.end : smaller(at.to, b.end + BEYOND), t->n);
    struct lookup_place *has = cut_by_places(s, t, at.from, &from, &to);
    from = from < t->n ? utf8_border(t->text, from) : from; // a token may be a part of a letter
    to = to < t->n ? utf8_border(t->text, to) : to;
    if (has) {
        has->to = to > has->to ? to : has->to;
        return 0;
    }
    s->places[s->n++] = (struct lookup_place){.index = t->index,
                                              .block = block,
                                              .document = t->d.name,
                                              .text = t->text + from,
                                              .from = from,
                                              .to = to < from ? from : to,
                                              .start = at.from,
                                              .end = smaller(at.to, to),
                                              .n = 1};
    return 0;
}

void lookup_sentence(const struct lines *c, size_t at, size_t *from, size_t *to)
{
    enum { FAR = 1 << 12 };
    size_t first = at > FAR ? at - FAR : 0;
    const char *line = first ? memchr(c->text + first, '\n', FAR) : NULL;
    first = line ? (size_t)(line - c->text) + 1 : first;
    while (first < at && ((unsigned char)c->text[first] & 0xc0) == 0x80)
        first++;
    const struct lines near = {.text = c->text + first,
                               .n = (c->n - at > FAR ? at + FAR : c->n) - first,
                               .width = c->width};
    cut_sentence(&near, at - first, from, to);
    *from += first;
    *to += first;
}

// Prints text[FROM..TO) of C for reading.
static int say(FILE *out, const struct lines *c, size_t from, size_t to, struct err *e)
{
    char *mended = mem_new(to - from, 1, e);
    if (!mended)
        return ERR_NOMEM;
    fwrite(mended, 1, cut_mend(c, from, to, mended), out);
    free(mended);
    return 0;
}

void lookup_say(FILE *out, const char *text, struct span_of_text s)
{
    const int quoted = s.from && text[s.from - 1] == '"'; // as a cell of CSV is
    for (size_t i = s.from; i < s.to; i++) {
        i += quoted && text[i] == '"' && i + 1 < s.to && text[i + 1] == '"';
        fputc(!text[i] || is_one_of(text[i], "\r\n") ? ' ' : text[i], out);
        const int ends = text[i] == '\n';
        while (ends && i + 1 < s.to && text[i + 1] == ' ') // the next line is set in
            i++;
    }
}

void lookup_say_cell(FILE *out, const char *text, struct span_of_text name,
                     struct span_of_text value)
{
    lookup_say(out, text, name);
    fputs(span_bytes(name) ? ": " : "", out);
    lookup_say(out, text, value);
}

void lookup_words(FILE *out, const char *text, struct span_of_text s)
{
    enum { LONG = 400 }; // bytes that are printed
    size_t said = 0;
    int space = 0;
    while (s.from < s.to && is_space(text[s.from]))
        s.from++;
    for (size_t i = s.from; i < s.to; i++) {
        if (is_space(text[i])) {
            space = 1;
            continue;
        }
        if (said >= LONG && ((unsigned char)text[i] & 0xc0) != 0x80) {
            fputs("\u2026", out);
            break;
        }
        if (space)
            fputc(' ', out);
        space = 0;
        fputc(text[i], out);
        said++;
    }
}

void lookup_line(FILE *out, const char *text, struct span_of_text s)
{
    lookup_words(out, text, s);
    fputc('\n', out);
}

int lookup_mended(FILE *out, const struct texts *t, struct span_of_text s, struct err *e)
{
    struct lines c;
    lines_of_text(&c, t->text, t->n);
    return say(out, &c, s.from, s.to, e);
}

// Whether text[S) begins or ends with a plain quotation mark, which a second one beside it would
// double: it is quoted in curled ones (quote_opens).
static int is_marked(const char *text, struct span_of_text s)
{
    return s.from < s.to && (text[s.from] == '"' || text[s.to - 1] == '"');
}

// The byte where the words of S's first line begin, where it is set in further than the next one: a
// title in the middle of a page.
static size_t past_centring(const struct texts *t, struct span_of_text s)
{
    const struct lines c = {.text = t->text, .n = t->n};
    size_t words = s.from, next = line_end(&c, s.from) + 1;
    while (words < s.to && is_gap(t->text[words]))
        words++;
    while (next < s.to && line_is_empty(&c, next))
        next = line_end(&c, next) + 1;
    return next < s.to && line_indentation(&c, s.from) > line_indentation(&c, next) ? words
                                                                                    : s.from;
}

int lookup_quote(FILE *out, const struct texts *t, struct span_of_text s, struct err *e)
{
    s.from = past_centring(t, s);
    const int marked = is_marked(t->text, s);
    fputs(marked ? "\u201c" : "\"", out);
    int rc = lookup_mended(out, t, s, e);
    fputs(marked ? "\u201d" : "\"", out);
    return rc;
}

// What separates two sentences: a space, a line end, an empty line.
static const char *between(const char *text, size_t from, size_t to)
{
    int lines = 0;
    for (size_t i = from; i < to; i++)
        lines += text[i] == '\n';
    return lines > 1 ? "\n\n" : lines ? "\n" : " ";
}

int lookup_passage(FILE *out, const struct texts *t, struct span_of_text *s, struct err *e)
{
    return lookup_passage_of(out, t, s, LOOKUP_SAID, e);
}

int lookup_passage_of(FILE *out, const struct texts *t, struct span_of_text *s, size_t most,
                      struct err *e)
{
    struct lines c;
    size_t end = s->from;
    int rc = 0;
    lines_of_text(&c, t->text, t->n);
    s->to = line_trimmed(&c, s->from, s->to);
    const int marked = is_marked(t->text, *s);
    fputs(marked ? "\u201c" : "\"", out);
    for (size_t at = s->from; !rc && at < s->to;) {
        size_t from, to;
        cut_sentence(&c, at, &from, &to);
        from = from < at ? at : from;
        to = line_trimmed(&c, from, to < s->to ? to : s->to);
        if (to <= from || (end > s->from && to - s->from > most))
            break;
        if (end > s->from)
            fputs(between(t->text, end, from), out);
        rc = say(out, &c, from, to, e);
        for (at = end = to; at < s->to && is_space(t->text[at]);)
            at++;
    }
    size_t next = end;
    while (next < s->to && is_space(t->text[next]))
        next++;
    if (end > s->from && next < s->to)
        fprintf(out, "%s\u2026", between(t->text, end, next));
    fputs(marked ? "\u201d" : "\"", out);
    s->to = end;
    return rc;
}

int lookup_find_only(const struct lookup *v, lookup_find_fn *find, const void *arg,
                     struct lookup_found *found, struct err *e)
{
    struct texts t;
    int rc, some = 0;
    texts_begin(&t, v->k, v->n_k);
    while (some < 2 && (rc = texts_next(&t, e)) > 0) {
        struct span_of_text s = {0};
        struct lines c;
        lines_of_text(&c, t.text, t.n);
        const int n = find(&c, arg, &s);
        if (n > 0)
            *found = (struct lookup_found){t, s};
        some += n;
    }
    return rc < 0 ? rc : some;
}

int lookup_find_named(const struct lookup *v, const char *name, lookup_named_fn *tells,
                      const void *arg, struct lookup_found *found, int most, struct err *e)
{
    struct texts t;
    struct lines c = {0};
    int rc, n = 0;
    texts_begin(&t, v->k, v->n_k);
    while ((rc = texts_next(&t, e)) > 0) {
        size_t bytes;
        for (size_t at = 0; name_next(name, t.text, t.n, &at, &bytes); at += bytes) {
            if (c.text != t.text)
                lines_of_text(&c, t.text, t.n);
            struct span_of_text s = {at, at + bytes};
            if (!tells(&t, &c, arg, &s))
                continue;
            if (n < most)
                found[n] = (struct lookup_found){t, s};
            n++;
        }
    }
    return rc < 0 ? rc : n;
}

int lookup_say_quoted(struct lookup *v, const struct lookup_found *found, struct err *e)
{
    int rc = lookup_quote(v->out, &found->t, found->at, e);
    rc = rc ? rc : lookup_add(v, &found->t, found->at, 0, e);
    return rc ? rc : 1;
}

int lookup_say_found(struct lookup *v, struct lookup_found *found, int n, int most, struct err *e)
{
    if (n <= 0 || n > most)
        return n < 0 ? n : 0;
    for (int i = 0, rc; i < n; i++) {
        fputs(i ? "\n" : "", v->out);
        if ((rc = lookup_passage(v->out, &found[i].t, &found[i].at, e)) ||
            (rc = lookup_add(v, &found[i].t, found[i].at, 0, e)))
            return rc;
    }
    return 1;
}

void lookup_answer_done(struct lookup_answer *s)
{
    free(s->text);
    free(s->places);
}
