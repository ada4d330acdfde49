// Who was at a meeting, and who was not: "Who attended the meeting of 9 March?", by the lines of
// its minutes that say so ("Present: ..."); and when the next one is, as they have it.
#include <string.h>

#include "engine/lines/label.h"
#include "engine/lines/lines.h"
#include "engine/outline/list.h"
#include "engine/outline/outline.h"
#include "engine/outline/parts.h"
#include "engine/sentences/cut.h"
#include "engine/words/chars.h"
#include "engine/words/day.h"
#include "engine/words/words.h"

enum whom { NOBODY, PRESENT, ABSENT };

// Whom the line of C that begins with byte AT tells of: those who were there, or who were not.
static enum whom tells_whom(const struct lines *c, size_t at)
{
    static const char there[] = " present attendees attending attended attendance participants "
                                "guests guest here visitors visitor chair chairman chaired ",
                      away[] = " absent apologies apology regrets ";
    static const char chair[] = "In the chair:"; // longer than labels are
    char stem[WORD_STEM];
    size_t n, bytes, word = 0;
    const char *label = label_at(c, at, &n);
    if (begins_with(c->text + at, c->n - at, chair))
        return PRESENT;
    if (!label || !word_next(label, n, &word, stem, &bytes))
        return NOBODY;
    // "In attendance"
    if (bytes == 2 && is_one_of(*label, "Ii") && !word_next(label, n, &word, stem, &bytes))
        return NOBODY;
    // "Not here"
    if (word_is_listed(" not ", label + word - bytes, bytes))
        return word_next(label, n, &word, stem, &bytes) &&
                       word_is_listed(there, label + word - bytes, bytes)
                   ? ABSENT
                   : NOBODY;
    return word_is_listed(there, label + word - bytes, bytes)  ? PRESENT
           : word_is_listed(away, label + word - bytes, bytes) ? ABSENT
                                                               : NOBODY;
}

// Whether HEAD is of day D, whose year may not be said.
static int is_of_day(const char *head, size_t n, const struct day *d)
{
    struct day own;
    return day_of(head, n, &own) && day_is_same(&own, d);
}

// The meeting of P that is asked for: number N, or the one whose heading has the day of WHAT, or
// its words; -1: none, or several.
static int which(const struct parts *p, const struct wanted *w)
{
    static const char any[] = " meeting meetings of on at from in the committee ";
    char words[WANTED_BYTES] = "", stem[WORD_STEM];
    size_t bytes;
    struct day day;
    int found = -1, n = 0;
    if (!*w->what)
        return parts_nth(p, w->n);
    if (words_any("before after", w->what, strlen(w->what)))
        return -1; // another one than that of the day
    const int of_day = day_of(w->what, strlen(w->what), &day);
    for (size_t at = 0; word_next(w->what, strlen(w->what), &at, stem, &bytes);)
        if (!word_is_listed(any, w->what + at - bytes, bytes))
            wanted_keep_word(words, w->what + at - bytes, bytes);
    for (int i = 0; i < p->n; i++) {
        const struct span_of_text head = p->v[i].head;
        if (of_day ? is_of_day(p->v[i].t.text + head.from, head.to - head.from, &day)
                   : parts_have(&p->v[i], head, words)) {
            found = i;
            n++;
        }
    }
    return n == 1 ? found : -1;
}

// The place behind "next meeting" in M from byte *AT on, to *AT: 1, or 0 when there is none.
static int find_next(const struct part *m, size_t *at)
{
    char stem[WORD_STEM];
    size_t bytes;
    int next = 0;
    while (word_next(m->t.text, m->end, at, stem, &bytes)) {
        const char *word = m->t.text + *at - bytes;
        if (next && word_is_listed(" meeting ", word, bytes))
            return 1;
        next = word_is_listed(" next ", word, bytes);
    }
    return 0;
}

// The sentence of C with the words that end before byte AT, or the line that they end, if it is a
// heading, with the one below it.
static struct span_of_text sentence_at(const struct lines *c, size_t at)
{
    struct span_of_text s = line_at(c, at - 1);
    if (line_is_bare_above(c, s.from) &&
        line_trimmed(c, s.from, s.to) == at + (at < c->n && c->text[at] == ':'))
        return (struct span_of_text){s.from, list_next_said(c, s.to + 1).to};
    cut_sentence(c, at - 1, &s.from, &s.to);
    return s;
}

// Finds where M tells the day of the next meeting, *FIRST: 1, or 0 where it does not, or tells
// several.
static int find_next_day(const struct part *m, struct span_of_text *found, struct day *first)
{
    struct day day;
    struct lines c;
    int n = 0;
    lines_of_text(&c, m->t.text, m->end);
    for (size_t at = m->head.to; find_next(m, &at);) {
        struct span_of_text s = sentence_at(&c, at);
        s.to = line_trimmed(&c, s.from, s.to);
        if (!day_of(c.text + s.from, span_bytes(s), &day))
            continue;
        if (n++ && !day_is_same(&day, first))
            return 0;
        *found = n > 1 ? *found : s;
        *first = n > 1 ? *first : day;
    }
    return n > 0;
}

// Whether the first meeting of P that is after M, if its minutes are there, was not on DAY.
static int was_otherwise(const struct parts *p, const struct part *m, const struct day *day)
{
    const struct part *after = NULL;
    for (const struct part *own = p->v; own < p->v + p->n; own++)
        if (own->order > m->order && (!after || own->order < after->order))
            after = own;
    return after && !is_of_day(after->t.text + after->head.from, span_bytes(after->head), day);
}

static int say_next(struct lookup *v, const struct parts *p, const struct part *m, struct err *e)
{
    struct span_of_text s;
    struct day day;
    if (!find_next_day(m, &s, &day) || was_otherwise(p, m, &day))
        return 0;
    return lookup_say_quoted(v, &(struct lookup_found){m->t, s}, e);
}

// Counts the names of C's LINE, behind its label and divided by commas or the like: 0 where one of
// these is none, "and two guests".
static int count_names(const struct lines *c, struct span_of_text line)
{
    enum { WORDS = 8 }; // of a name, with what somebody is
    size_t n;
    const char *label = label_at(c, line.from, &n);
    int names = 0, words = 0, depth = 0, capitals = 0;
    if (!label)
        return 0;
    line.to -= line.to > line.from && c->text[line.to - 1] == '.';
    for (size_t at = (size_t)(label - c->text) + n; at <= line.to; at++) {
        const char ch = at < line.to ? c->text[at] : ',';
        const int joins = begins_with(c->text + at, line.to - at, " and ");
        depth += (ch == '(') - (ch == ')' && depth > 0);
        if (depth > 0 && at < line.to)
            continue;
        if (is_digit(ch))
            return 0;
        if (is_one_of(ch, ",;") || joins) {
            if (words > WORDS || (words && !capitals))
                return 0;
            names += words > 0;
            words = capitals = 0;
            at += joins ? strlen(" and") - 1 : 0;
        } else if (word_has(ch) && !word_has(c->text[at - 1])) {
            words++;
            capitals |= words == 1 && (is_upper(ch) || (unsigned char)ch >= 0x80);
        }
    }
    return names;
}

// Says how many the only line of M that tells of those whom V asks for names, and that line.
static int say_number(struct lookup *v, const struct part *m, struct err *e)
{
    const enum whom asked = v->w.want == WANT_N_ABSENT ? ABSENT : PRESENT;
    struct span_of_text found = {0, 0};
    struct lines c;
    size_t from, to;
    lines_of_text(&c, m->t.text, m->t.n);
    for (struct span_of_text line = {m->head.to, 0}; line.from < m->end; line.from = line.to + 1) {
        line = line_at(&c, line.from);
        if (tells_whom(&c, line.from) != asked)
            continue;
        if (found.to)
            return 0; // who is in the chair may be among those who are present, or not
        cut_whole(&c, line.from, &from, &to);
        found = line;
        found.to = line_trimmed(&c, line.from, to > line.to ? to : line.to);
    }
    const int n = found.to ? count_names(&c, found) : 0;
    if (!n)
        return 0;
    fprintf(v->out, "%d: ", n);
    lookup_line(v->out, m->t.text, found);
    const int rc = lookup_add(v, &m->t, found, 0, e);
    return rc ? rc : 1;
}

static int say_lines(struct lookup *v, const struct part *m, struct err *e)
{
    if (v->w.want == WANT_N_ATTENDED || v->w.want == WANT_N_ABSENT)
        return say_number(v, m, e);
    struct lines c;
    size_t from, to;
    const enum whom asked = v->w.want == WANT_ABSENT ? ABSENT : PRESENT;
    int said = 0;
    lines_of_text(&c, m->t.text, m->t.n);
    for (struct span_of_text line = {m->head.to, 0}; line.from < m->end; line.from = line.to + 1) {
        line = line_at(&c, line.from);
        if (tells_whom(&c, line.from) != asked)
            continue;
        cut_whole(&c, line.from, &from, &to); // on the lines below, too
        line.to = to > line.to ? line_trimmed(&c, line.from, to) : line.to;
        const int rc = lookup_add(v, &m->t, line, 1, e);
        if (rc)
            return rc;
        lookup_line(v->out, m->t.text, line);
        said = 1;
    }
    return said;
}

// The same among the parts that are called WORD.
static int attended_among(struct lookup *v, const char *word, struct err *e)
{
    struct parts p;
    int rc = parts_find(&p, v->k, v->n_k, word, e);
    if (rc > 0) {
        const int i = which(&p, &v->w);
        rc = i < 0                            ? 0
             : v->w.want == WANT_NEXT_MEETING ? say_next(v, &p, &p.v[i], e)
                                              : say_lines(v, &p.v[i], e);
    }
    parts_done(&p);
    return rc;
}

// Whether the question is about the only meeting there may be: it names none, nor which one.
static int is_of_any(const struct wanted *w)
{
    char stem[WORD_STEM];
    size_t bytes;
    if (w->nth)
        return 0;
    for (size_t at = 0; word_next(w->what, strlen(w->what), &at, stem, &bytes);)
        if (!word_is_listed(" at from in of the this meeting ", w->what + at - bytes, bytes))
            return 0;
    return 1;
}

// Whether the line of C that begins with byte AT has a label as minutes alone have it: "Guest:" may
// be that of a speaker.
static int is_of_minutes(const struct lines *c, size_t at)
{
    static const char labels[] = " present attendees attending attendance participants apologies "
                                 "absent ";
    size_t n;
    const char *label = label_at(c, at, &n);
    return label && words_listed(labels, label, n);
}

// Whether C is the minutes of one meeting, all of which is *S: 0, 1, or 2 where it is of several.
static int find_minutes(const struct lines *c, const void *arg, struct span_of_text *s)
{
    enum { NEAR = 2000 }; // bytes of what says who was there
    size_t first = c->n;
    int minutes = 0;
    (void)arg;
    for (struct span_of_text line = line_at(c, 0); line.from < c->n;
         line = line_at(c, line.to + 1)) {
        if (tells_whom(c, line.from) == NOBODY)
            continue;
        first = first < line.from ? first : line.from;
        minutes |= is_of_minutes(c, line.from);
        if (line.from - first > NEAR)
            return 2;
    }
    *s = (struct span_of_text){0, c->n};
    return minutes;
}

// Minutes may be below dates alone: "## 2024-03-04"; and a document may be those of one meeting.
int outline_attended(struct lookup *v, struct err *e)
{
    const struct parts none = {0};
    struct lookup_found f;
    int rc = attended_among(v, "meetings", e);
    rc = rc ? rc : attended_among(v, "entries", e);
    if (rc || !is_of_any(&v->w))
        return rc;
    if ((rc = lookup_find_only(v, find_minutes, NULL, &f, e)) != 1)
        return rc < 0 ? rc : 0;
    const struct part only = {.t = f.t, .end = f.t.n};
    return v->w.want == WANT_NEXT_MEETING ? say_next(v, &none, &only, e) : say_lines(v, &only, e);
}
