#include "engine/outline/parts.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "engine/lines/lines.h"
#include "engine/lookup/events.h"
#include "engine/outline/numbering.h"
#include "engine/outline/parts_lines.h"
#include "engine/words/words.h"
#include "io/mem.h"

enum { FEW = 2, SOME = 3 }; // parts at least, that are told by their words or by their looks

static const char MESSAGES[] = " message messages mail mails email emails ",
                  COMMITS[] = " commit commits ", RECIPES[] = " recipe recipes ",
                  LETTERS[] = " letter letters ", ENTRIES[] = " entry entries ",
                  SECTIONS[] = " section sections chapter chapters clause clauses ",
                  HEADINGS[] = " section sections heading headings ";

// ------------------------------------------------------------------------------- all of them?

static int label_value(const struct part *m, int letters)
{
    const char *p = m->t.text + m->label.from;
    const size_t n = span_bytes(m->label);
    int value = 0;
    if (!n || memchr(p, '.', n))
        return 0;
    if (!is_digit(*p))
        return letters ? (n == 1 ? *p - 'A' + 1 : 0) : (int)numbering_in_letters(p, n);
    for (size_t i = 0; i < n && n < 6; i++)
        value = 10 * value + (p[i] - '0');
    return value;
}

// Whether P has numbers from 1 on without a gap, or from another one on where the text begins with
// that, as a part of a book does; or those of a table of contents. What is called "3 and a half"
// may stand behind 3.
static int are_counted(const struct parts *p)
{
    enum { TITLE = 400 }; // bytes
    int counted = 1, twice = 1;
    const int letters =
        p->n && span_bytes(p->v[0].label) == 1 && p->v[0].t.text[p->v[0].label.from] == 'A';
    const int first =
        p->n >= SOME && p->v[0].head.from < TITLE ? label_value(&p->v[0], letters) : 1;
    int halves = 0;
    for (int i = 0; i < p->n; i++) {
        halves += parts_is_half(&p->v[i]);
        counted &= label_value(&p->v[i], letters) == first + i - halves;
        twice &= p->v[i].seen > 1;
    }
    return counted || twice;
}

// Whether the second words of P's headings are the same, or each has a date.
static int are_alike(const struct parts *p)
{
    int alike = 1, all_dated = 1;
    for (int i = 0; i < p->n; i++) {
        const struct part *a = &p->v[0], *b = &p->v[i];
        size_t x = a->title.from, y = b->title.from;
        char s[WORD_STEM], t[WORD_STEM];
        alike &= word_next(a->t.text, a->title.to, &x, s, NULL) &&
                 word_next(b->t.text, b->title.to, &y, t, NULL) && !memcmp(s, t, sizeof s);
        all_dated &= b->order != 0;
    }
    return alike || all_dated;
}

// How many end with a question mark.
static int n_asking(const struct parts *p)
{
    int n = 0;
    for (int i = 0; i < p->n; i++)
        n += line_asks(p->v[i].t.text + p->v[i].head.from, span_bytes(p->v[i].head));
    return n;
}

// Leaves those with a label, if there are some.
static void leave_labelled(struct parts *p)
{
    int n = 0;
    for (int i = 0; i < p->n; i++)
        n += p->v[i].label.to > 0;
    if (n < 2)
        return;
    n = 0;
    for (int i = 0; i < p->n; i++)
        if (p->v[i].label.to)
            p->v[n++] = p->v[i];
    p->n = n;
}

// Leaves those that a table of contents has, too, if that has SOME; a number that only others have
// would be one of those that were not recognised: 0.
static int leave_listed(struct parts *p, int some)
{
    int n = 0;
    for (int i = 0; i < p->n; i++)
        n += p->v[i].seen > 1;
    if (n < some)
        return 1;
    for (int i = 0; i < p->n; i++) {
        int is_kept = 0;
        for (int j = 0; j < p->n; j++)
            is_kept |= p->v[j].seen > 1 &&
                       span_is_alike(p->v[i].t.text, p->v[i].label, p->v[j].t.text, p->v[j].label);
        if (!is_kept)
            return 0;
    }
    n = 0;
    for (int i = 0; i < p->n; i++)
        if (p->v[i].seen > 1)
            p->v[n++] = p->v[i];
    p->n = n;
    return 1;
}

// Leaves the mails that are not below the words of another one, if there are some.
static void leave_sent(struct parts *p)
{
    int n = 0;
    for (int i = 0; i < p->n; i++)
        n += !p->v[i].quoted;
    if (!n)
        return;
    n = 0;
    for (int i = 0; i < p->n; i++)
        if (!p->v[i].quoted)
            p->v[n++] = p->v[i];
    p->n = n;
}

static int is_one_document(const struct parts *p)
{
    for (int i = 1; i < p->n; i++)
        if (p->v[i].t.d.name != p->v[0].t.d.name)
            return 0;
    return 1;
}

// ------------------------------------------------------------------------------------- searching

static int by_position(const void *a, const void *b)
{
    const struct part *x = a, *y = b;
    return x->head.from < y->head.from ? -1 : x->head.from > y->head.from;
}

// Whether the texts are messages: not a report that quotes one.
static int are_mail(const struct parts *p)
{
    for (int i = 0; i < p->n; i++) {
        const struct part *m = &p->v[i];
        if (i && m[-1].t.d.name == m->t.d.name)
            continue;
        for (size_t at = 0; at < m->head.from; at++)
            if (!is_space(m->t.text[at]))
                return 0;
    }
    return p->n > 0;
}

// Whether the text above the first one of P, or its heading, has WORD.
static int is_called(const struct parts *p, const char *word)
{
    enum { TITLE = 400 }; // bytes
    const struct part *m = &p->v[0];
    const size_t n = m->head.to < TITLE ? m->head.to : TITLE;
    return word_form_is_in(m->t.text, n, word, strlen(word));
}

// Whether the text says that they are minutes.
static int are_minutes(const struct parts *p)
{
    return is_called(p, "minutes") || is_called(p, "meetings");
}

static int are_recipes(const struct parts *p)
{
    return is_called(p, "recipes") || is_called(p, "cookbook") || is_called(p, "cooking");
}

// Whether the last line of M's head, which has its date, is one of prose: "Elected at the meeting
// of 2 February: Quantock (chair), ...".
static int is_prose(const struct part *m)
{
    enum { LONG = 160 }; // bytes
    const struct lines c = {.text = m->t.text, .n = m->t.n};
    const size_t line = line_start(&c, m->head.to - 1), below = line_end(&c, m->head.to) + 1;
    return m->head.to - line > LONG || is_one_of(c.text[m->head.to - 1], ".,;") ||
           (below < c.n && (is_lower(c.text[below]) || c.text[below] == '('));
}

// Drops what is above the first rule where it tells a date in prose as none of P behind it does: it
// is about all of them. Whether SOME are left.
static int leave_ruled(struct parts *p)
{
    const struct part *first = p->v;
    int others = 1; // 1: no other one is so
    for (int i = 1; i < p->n; i++)
        others &= !is_prose(&p->v[i]);
    for (size_t at = 0; at < first->head.from; at++)
        others &= is_space(first->t.text[at]) != 0;
    if (others && is_prose(first))
        memmove(p->v, p->v + 1, (size_t)--p->n * sizeof *p->v);
    return p->n >= SOME;
}

// Whether the text is a conversation, which P begins.
static int are_said(const struct parts *p)
{
    enum { TITLE = 400 }; // bytes
    return p->v[0].head.from < TITLE && events_are_said(&p->v[0].t);
}

// Collects what IS_ONE finds in the lines of K's texts: 1, or 0 when they cannot be all of them.
static int look_through(struct parts *p, struct kvz *const *k, int n_k, parts_line *is_one,
                        struct err *e)
{
    struct texts t;
    int rc;
    p->n = 0;
    texts_begin(&t, k, n_k);
    while ((rc = texts_next(&t, e)) > 0) {
        struct lines c;
        lines_of_text(&c, t.text, t.n);
        for (struct span_of_text line = {0}; line.from < t.n; line.from = line.to + 1) {
            line = line_at(&c, line.from);
            if (!is_one(p, &t, &c, line))
                return 0;
        }
    }
    if (p->are == PARTS_HEADED &&
        is_one_document(p)) // one that was seen twice is where it was last
        qsort(p->v, (size_t)p->n, sizeof *p->v, by_position);
    return rc < 0 ? rc : 1;
}

// The same: 1 where these are LEAST or more of one document, which ARE such parts, if that is
// asked.
static int find(struct parts *p, struct kvz *const *k, int n_k, parts_line *is_one, int least,
                int (*are)(const struct parts *p), struct err *e)
{
    const int rc = look_through(p, k, n_k, is_one, e);
    return rc > 0 ? p->n >= least && is_one_document(p) && (!are || are(p)) : rc;
}

// The parts with headings that have P's word, or numbers, or the marks of headings alone.
static int find_headed(struct parts *p, struct kvz *const *k, int n_k, struct err *e)
{
    const size_t n = strlen(p->word);
    const int is_section = word_is_listed(SECTIONS, p->word, n),
              is_question = word_is_listed(PARTS_QUESTIONS, p->word, n);
    int rc = look_through(p, k, n_k, parts_called, e);
    leave_labelled(p);
    if (rc <= 0 || p->n >= FEW)
        return rc <= 0 ? rc : p->v[0].label.to ? are_counted(p) : are_alike(p);
    if (is_section || is_question) {
        rc = look_through(p, k, n_k, parts_numbered, e);
        if (rc < 0 || (rc && is_question && !leave_listed(p, SOME)))
            return rc < 0 ? rc : 0;
        if (rc && p->n >= SOME)
            return are_counted(p) && (!is_question || 2 * n_asking(p) >= p->n);
    }
    return word_is_listed(HEADINGS, p->word, n) ? find(p, k, n_k, parts_marked, FEW, NULL, e) : 0;
}

// Recipes by their lines of ingredients, or, where no line is one, by their lists of amounts.
static int find_recipes(struct parts *p, struct kvz *const *k, int n_k, struct err *e)
{
    const int rc = look_through(p, k, n_k, parts_recipe, e);
    if (rc <= 0 || p->n)
        return rc <= 0 ? rc : p->n >= FEW && is_one_document(p);
    return find(p, k, n_k, parts_dish, FEW, are_recipes, e);
}

static int find_kind(struct parts *p, struct kvz *const *k, int n_k, struct err *e)
{
    const size_t n = strlen(p->word);
    int rc;
    if (word_is_listed(MESSAGES, p->word, n)) {
        p->are = PARTS_MESSAGES;
        rc = look_through(p, k, n_k, parts_message, e);
        leave_sent(p);
        rc = rc > 0 ? are_mail(p) : rc;
        return rc || !word_is_listed(" message messages ", p->word, n)
                   ? rc
                   : find(p, k, n_k, parts_saying, SOME, are_said, e);
    }
    if (word_is_listed(COMMITS, p->word, n)) {
        p->are = PARTS_MESSAGES;
        rc = look_through(p, k, n_k, parts_commit, e);
        return rc > 0 ? p->n > 0 : rc;
    }
    if (word_is_listed(RECIPES, p->word, n))
        return find_recipes(p, k, n_k, e);
    const int letters = word_is_listed(LETTERS, p->word, n);
    if (letters || word_is_listed(ENTRIES, p->word, n)) {
        p->are = PARTS_DATED;
        return letters ? find(p, k, n_k, parts_letter, FEW, NULL, e)
                       : find(p, k, n_k, parts_dated, SOME, NULL, e);
    }
    const int meetings = word_is_listed(PARTS_MEETINGS, p->word, n);
    rc = meetings ? find(p, k, n_k, parts_minutes, SOME, are_minutes, e) : 0;
    rc = rc > 0 ? leave_ruled(p) : rc;
    if (!rc && (rc = find_headed(p, k, n_k, e)) > 0)
        rc = is_one_document(p);
    return rc || !meetings ? rc : find(p, k, n_k, parts_dated, SOME, are_minutes, e);
}

int parts_find(struct parts *p, struct kvz *const *k, int n_k, const char *word, struct err *e)
{
    word += !strncasecmp(word, "e-mail", 6) ? 2 : 0;
    *p = (struct parts){.v = mem_new(PARTS_MOST, sizeof *p->v, e), .word = word};
    if (!p->v)
        return ERR_NOMEM;
    const int rc = find_kind(p, k, n_k, e);
    if (rc <= 0)
        return rc;
    p->dated = p->n > 0;
    for (int i = 0; i < p->n; i++) {
        struct part *m = &p->v[i];
        const int last = i + 1 == p->n || m[1].t.d.name != m->t.d.name;
        m->end = last ? m->t.n : m[1].head.from;
        p->dated &= m->order != 0;
    }
    return rc;
}

void parts_done(struct parts *p)
{
    free(p->v);
}
