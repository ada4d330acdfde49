#include "engine/survey/parts.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "engine/survey/events.h"
#include "engine/text/chat.h"
#include "engine/text/courtesy.h"
#include "engine/text/cut.h"
#include "engine/text/day.h"
#include "engine/text/heading.h"
#include "engine/text/label.h"
#include "engine/text/lines.h"
#include "engine/text/message.h"
#include "engine/text/wordlist.h"
#include "engine/text/words.h"
#include "io/mem.h"

enum { MOST = 2000, LONGEST_DATED = 160 }; // parts; bytes of a heading with a date

static const char MESSAGES[] = " message messages mail mails email emails ",
                  MEETINGS[] = " meeting meetings ", RECIPES[] = " recipe recipes ",
                  LETTERS[] = " letter letters ", ENTRIES[] = " entry entries ",
                  QUESTIONS[] = " question questions ",
                  SECTIONS[] = " section sections chapter chapters clause clauses ",
                  HEADINGS[] = " section sections heading headings ";

static int is_bare_above(const struct cut *c, size_t line)
{
    return !line || line_is_bare(c, line_start(c, line - 1));
}

// The words of LINE behind the marks of a heading; *MARKS: number of them.
static struct span_of_text words_of(const struct cut *c, struct span_of_text line, size_t *marks)
{
    struct span_of_text s = {line.from, line_trimmed(c, line.from, line.to)};
    *marks = 0;
    while (s.to > s.from && is_one_of(c->text[s.to - 1], " \t#*_|"))
        s.to--;
    while (s.from < s.to && is_one_of(c->text[s.from], " \t#*_"))
        *marks += c->text[s.from++] == '#';
    return s;
}

// Whether LINE, with MARKS of a heading, stands alone as one does: below an empty line or a rule,
// and above one or above lines that have labels.
static int stands_alone(const struct cut *c, struct span_of_text line, size_t marks)
{
    const size_t above = line.from ? line_start(c, line.from - 1) : 0, below = line.to + 1;
    const int ruled = line.from && !line_is_empty(c, above) && line_is_bare(c, above);
    return marks || (is_bare_above(c, line.from) &&
                     (ruled || line_is_bare(c, below) || label_is_there(c, below)));
}

// ----------------------------------------------------------------------------------------- keeping

static int same_words(const char *a, struct span_of_text x, const char *b, struct span_of_text y)
{
    char s[WORD_STEM], t[WORD_STEM];
    for (;;) {
        const int more = word_next(a, x.to, &x.from, s, NULL);
        if (!word_next(b, y.to, &y.from, t, NULL) || !more)
            return 1;
        if (memcmp(s, t, sizeof s) != 0)
            return 0;
    }
}

static int same_label(const struct part *a, const struct part *b)
{
    return span_is_alike(a->t.text, a->label, b->t.text, b->label);
}

// Adds M, or counts it where it stands in a table of contents, too: then it is the one that stands
// last.
static int keep(struct parts *p, const struct part *m)
{
    for (int i = 0; i < p->n && p->are == PARTS_HEADED; i++) {
        struct part *own = &p->v[i];
        if (own->t.d.name != m->t.d.name || !same_label(own, m) ||
            (!span_bytes(m->label) && span_bytes(own->title) != span_bytes(m->title)) ||
            !same_words(own->t.text, own->title, m->t.text, m->title))
            continue;
        const int seen = own->seen + 1;
        *own = *m;
        own->seen = seen;
        return 1;
    }
    if (p->n == MOST)
        return 0;
    p->v[p->n] = *m;
    p->v[p->n++].seen = 1;
    return 1;
}

// The label at bytes AT to END of a heading: a number, a Roman one, one in words, a letter alone.
static struct span_of_text label_of(const char *text, size_t at, size_t end)
{
    static const char numbers[] = WORDLIST_ONE_TO_TWELVE;
    while (at < end && is_one_of(text[at], " \t("))
        at++;
    size_t to = at, letters = 0, roman = 0;
    for (; to < end &&
           (word_has(text[to]) || (text[to] == '.' && to + 1 < end && is_digit(text[to + 1])));
         to++) {
        letters += !is_digit(text[to]) && text[to] != '.';
        roman += is_one_of(text[to], "IVXLC");
    }
    const size_t n = to - at;
    const int is_label = n && (!letters || roman == n || (n == 1 && is_upper(text[at])) ||
                               word_is_listed(numbers, text + at, n));
    return is_label ? (struct span_of_text){at, to} : (struct span_of_text){0};
}

// Keeps the heading OWN, whose label is behind byte BEHIND; BEHIND own.to: it has none.
static int keep_line(struct parts *p, const struct texts *t, struct span_of_text own, size_t behind)
{
    struct part m = {.t = *t, .head = own, .label = label_of(t->text, behind, own.to)};
    behind = behind == own.to ? own.from : behind;
    m.title = (struct span_of_text){m.label.to ? m.label.to : behind, own.to};
    while (m.title.from < m.title.to && !word_has(t->text[m.title.from]))
        m.title.from++;
    m.order = day_order(t->text + own.from, span_bytes(own));
    return keep(p, &m);
}

// -------------------------------------------------------------------------------- kinds of parts

typedef int part_line(struct parts *p, const struct texts *t, const struct cut *c,
                      struct span_of_text line, const char *word);

// "Chapter 3: Ironing", "Meeting of 12 January 2022"
static int called(struct parts *p, const struct texts *t, const struct cut *c,
                  struct span_of_text line, const char *word)
{
    size_t marks, bytes, at;
    const struct span_of_text own = words_of(c, line, &marks);
    char stem[WORD_STEM];
    at = own.from;
    if (!word_next(c->text, own.to, &at, stem, &bytes) || at - bytes != own.from ||
        !is_upper(c->text[own.from]))
        return 1;
    const int several = is_one_of(c->text[at - 1], "sS") && bytes == strlen(word) &&
                        !strncasecmp(c->text + own.from, word, bytes);
    if (several || (at < own.to && c->text[at] == ':')) // "Commands", "Command: ..."
        return 1;
    const int minutes = word_is_listed(MEETINGS, word, strlen(word)) &&
                        word_is_listed(" minutes ", c->text + own.from, bytes) &&
                        word_form_is_in(c->text + own.from, span_bytes(own), word, strlen(word)) &&
                        day_order(c->text + own.from, span_bytes(own));
    if (span_bytes(own) > (minutes ? LONGEST_DATED : HEADING_LONGEST) ||
        (!minutes && !word_form_is_in(c->text + own.from, bytes, word, strlen(word))) ||
        !stands_alone(c, line, marks) || (!minutes && is_one_of(c->text[own.to - 1], ",;:")))
        return 1;
    const struct span_of_text label = label_of(c->text, at, own.to);
    if (!minutes && c->text[own.to - 1] == '.' && label.to + 1 != own.to)
        return 1; // a sentence
    return keep_line(p, t, own, at);
}

// "3. Ironing", "## 3 Ironing", "(3) How do I iron?"
static int numbered(struct parts *p, const struct texts *t, const struct cut *c,
                    struct span_of_text line, const char *word)
{
    enum { LONG = 240 }; // bytes of a question
    const int asks = word_is_listed(QUESTIONS, word, strlen(word));
    size_t marks;
    const struct span_of_text own = words_of(c, line, &marks);
    const struct span_of_text label = label_of(c->text, own.from, own.to);
    size_t at = label.to, from, to;
    if (!label.to || !is_digit(c->text[label.from]) || label.from - own.from > 1 ||
        span_bytes(own) > (asks ? LONG : HEADING_LONGEST) ||
        (!asks && memchr(c->text + label.from, '.', span_bytes(label))))
        return 1;
    while (at < own.to && is_one_of(c->text[at], ".):"))
        at++;
    if (at >= own.to || c->text[at] != ' ' || (!asks && !heading_is(c, line.from, &from, &to)))
        return 1;
    return keep_line(p, t, own, own.from);
}

// Whether the line that begins with byte LINE divides the text: a row of one sign between empty
// lines.
static int is_rule(const struct cut *c, size_t line)
{
    enum { LEAST = 8 };
    size_t to = line_trimmed(c, line, line_end(c, line)), at = line;
    while (at < to && c->text[at] == c->text[line])
        at++;
    return to - line >= LEAST && at == to && is_one_of(c->text[line], "=-*_~#") &&
           is_bare_above(c, line) && line_is_bare(c, line_end(c, line) + 1);
}

static int is_ingredients(const struct cut *c, size_t line)
{
    size_t marks, at, bytes;
    const struct span_of_text own = words_of(c, line_at(c, line), &marks);
    char stem[WORD_STEM];
    at = own.from;
    return word_next(c->text, own.to, &at, stem, &bytes) && at - bytes == own.from &&
           word_is_listed(" ingredients ", c->text + own.from, bytes) &&
           (at == own.to || c->text[at] == ':' || is_one_of(c->text[at], "*_"));
}

// The heading of what has a line of ingredients.
static int recipe(struct parts *p, const struct texts *t, const struct cut *c,
                  struct span_of_text line, const char *word)
{
    enum { UP = 12 }; // lines between
    size_t marks, at = line.from;
    (void)word;
    if (!is_ingredients(c, line.from))
        return 1;
    for (int i = 0; i < UP && at > 0; i++) {
        at = line_start(c, at - 1);
        const struct span_of_text above = line_at(c, at), own = words_of(c, above, &marks);
        if (own.to > own.from && span_bytes(own) <= HEADING_LONGEST &&
            (marks || is_bare_above(c, at)) && !is_one_of(c->text[own.to - 1], ".,;:"))
            return keep_line(p, t, own, own.to);
    }
    return 0;
}

// A heading that begins with a date, and is nothing else unless it is marked as a heading.
static int dated(struct parts *p, const struct texts *t, const struct cut *c,
                 struct span_of_text line, const char *word)
{
    enum { MORE = 3 }; // bytes behind a date
    size_t marks;
    struct day day;
    const struct span_of_text own = words_of(c, line, &marks);
    const size_t bytes = day_begins(c->text + own.from, span_bytes(own), &day);
    (void)word;
    if (!bytes || span_bytes(own) > HEADING_LONGEST || !is_bare_above(c, line.from) ||
        (!marks && span_bytes(own) > bytes + MORE))
        return 1;
    return keep_line(p, t, own, own.to);
}

// What stands above a greeting: a place and a day, "Funchal, Madeira, 27 May 1911". 0 where
// something else does, so that not all letters are known.
static int letter(struct parts *p, const struct texts *t, const struct cut *c,
                  struct span_of_text line, const char *word)
{
    enum { LONG = 80 }; // bytes
    struct day day;
    size_t marks, at = line.from;
    (void)word;
    if (!courtesy_greets(c, line.from, line.to))
        return 1;
    while (at > 0 && line_is_empty(c, line_start(c, at - 1)))
        at = line_start(c, at - 1);
    const struct span_of_text own = words_of(c, line_at(c, at ? at - 1 : 0), &marks);
    size_t place = own.from;
    const size_t bytes = day_find(c->text, own.to, &place, &day);
    if (!at || own.to <= own.from || span_bytes(own) > LONG || !bytes || place + bytes < own.to)
        return 0;
    struct part m = {.t = *t, .head = own, .title = own};
    while (place > own.from && is_one_of(c->text[place - 1], " ,"))
        place--;
    m.place = (struct span_of_text){own.from, place};
    m.order = day_number(&day);
    return keep(p, &m);
}

// The line of the date within the first lines from byte AT on, which are the heading of what is
// below a rule; *HEAD: they. 0: none of them has one.
static int heads(const struct cut *c, size_t at, struct span_of_text *head, struct day *day)
{
    enum { LINES = 4 };
    while (at < c->n && line_is_bare(c, at) && !is_rule(c, at))
        at = line_end(c, at) + 1;
    *head = (struct span_of_text){line_words(c, at < c->n ? at : c->n, c->n), at};
    for (int i = 0; i < LINES && at < c->n && !is_rule(c, at); at = line_end(c, at) + 1) {
        head->to = line_trimmed(c, at, line_end(c, at));
        if (day_of(c->text + at, head->to - at, day))
            return 1;
        i += !line_is_empty(c, at);
    }
    return 0;
}

// Minutes between rules, "=====": what is below each rule of the text has to begin with a date, and
// what is above the first one, too, unless it is but a title.
static int minutes(struct parts *p, const struct texts *t, const struct cut *c,
                   struct span_of_text line, const char *word)
{
    enum { TITLE = 200 }; // bytes
    struct part m = {.t = *t};
    struct day day;
    size_t end = 0;
    (void)word;
    const int above = !line.from && !is_rule(c, 0); // the first rule
    if (!above && !is_rule(c, line.from))
        return 1;
    while (above && end < c->n && end < TITLE && !is_rule(c, end))
        end = line_end(c, end) + 1;
    const int dated = heads(c, above ? 0 : line.to + 1, &m.head, &day);
    if (above && end < TITLE)
        return !dated;
    m.title = m.head;
    m.order = day_number(&day);
    return dated && keep(p, &m);
}

// What somebody says in a conversation.
static int saying(struct parts *p, const struct texts *t, const struct cut *c,
                  struct span_of_text line, const char *word)
{
    struct part m = {.t = *t, .head = line};
    (void)word;
    if (!chat_line(c->text + line.from, span_bytes(line), &m.when, &m.who))
        return 1;
    m.when = (struct span_of_text){line.from + m.when.from, line.from + m.when.to};
    m.who = (struct span_of_text){line.from + m.who.from, line.from + m.who.to};
    m.head.to = m.who.to + (c->text[m.who.to] == '>' || c->text[m.who.to] == ':');
    return keep(p, &m);
}

static int message(struct parts *p, const struct texts *t, const struct cut *c,
                   struct span_of_text line, const char *word)
{
    struct part m = {.t = *t};
    (void)word;
    if (line_is_empty(c, line.from) || line_quoted(c, line.from) ||
        !message_head(c, line.from, &m.head.from, &m.head.to) || m.head.from != line.from)
        return 1;
    m.head.to = line_trimmed(c, m.head.from, m.head.to);
    const struct span_of_text date = parts_field(&m, MESSAGE_DATE);
    m.order = day_order(t->text + date.from, span_bytes(date));
    return !parts_field(&m, MESSAGE_FROM).to || keep(p, &m);
}

// "## Ironing", between empty lines, where a comment of a program seldom stands alone.
static int marked(struct parts *p, const struct texts *t, const struct cut *c,
                  struct span_of_text line, const char *word)
{
    size_t marks;
    const struct span_of_text own = words_of(c, line, &marks);
    (void)word;
    return marks != 2 || own.from >= own.to || !is_bare_above(c, line.from) ||
           !line_is_bare(c, line.to + 1) || keep_line(p, t, own, own.from);
}

// ------------------------------------------------------------------------------- all of them?

static int label_value(const struct part *m, int letters)
{
    static const struct {
        char sign;
        int value;
    } roman[] = {{'I', 1}, {'V', 5}, {'X', 10}, {'L', 50}, {'C', 100}};
    const char *p = m->t.text + m->label.from;
    const size_t n = span_bytes(m->label);
    int value = 0, last = 0;
    if (!n || memchr(p, '.', n))
        return 0;
    if (is_digit(*p)) {
        for (size_t i = 0; i < n && n < 6; i++)
            value = 10 * value + (p[i] - '0');
        return value;
    }
    if (letters)
        return n == 1 ? *p - 'A' + 1 : 0;
    if (n > 1 && (value = word_place(WORDLIST_ONE_TO_TWELVE, p, n)))
        return value;
    for (size_t i = n; i-- > 0;) {
        int own = 0;
        for (size_t r = 0; r < sizeof roman / sizeof *roman; r++)
            own = roman[r].sign == p[i] ? roman[r].value : own;
        value += own < last ? -own : own;
        last = own;
    }
    return value;
}

// Whether P has numbers from 1 on without a gap, or those of a table of contents.
static int are_counted(const struct parts *p)
{
    int counted = 1, twice = 1;
    const int letters =
        p->n && span_bytes(p->v[0].label) == 1 && p->v[0].t.text[p->v[0].label.from] == 'A';
    for (int i = 0; i < p->n; i++) {
        counted &= label_value(&p->v[i], letters) == i + 1;
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
            is_kept |= p->v[j].seen > 1 && same_label(&p->v[i], &p->v[j]);
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

// Whether the text above P says that they are minutes.
static int are_minutes(const struct parts *p)
{
    enum { TITLE = 400 }; // bytes
    const struct part *m = &p->v[0];
    const size_t n = m->head.to < TITLE ? m->head.to : TITLE;
    return word_form_is_in(m->t.text, n, "minutes", 7) ||
           word_form_is_in(m->t.text, n, "meetings", 8);
}

// Whether the text is a conversation, which P begins.
static int are_said(const struct parts *p)
{
    enum { TITLE = 400 }; // bytes
    return p->v[0].head.from < TITLE && events_are_said(&p->v[0].t);
}

// Collects what IS_ONE finds in the lines of the texts: 1, or 0 when there are too many.
static int look_through(struct parts *p, struct kvz *const *k, int n_k, part_line *is_one,
                        const char *word, struct err *e)
{
    struct texts t;
    int rc;
    p->n = 0;
    texts_begin(&t, k, n_k);
    while ((rc = texts_next(&t, e)) > 0) {
        struct cut c;
        cut_text(&c, t.text, t.n);
        for (struct span_of_text line = {0}; line.from < t.n; line.from = line.to + 1) {
            line = line_at(&c, line.from);
            if (!is_one(p, &t, &c, line, word))
                return 0;
        }
    }
    if (p->are == PARTS_HEADED &&
        is_one_document(p)) // one that was seen twice is where it was last
        qsort(p->v, (size_t)p->n, sizeof *p->v, by_position);
    return rc < 0 ? rc : 1;
}

static void finish(struct parts *p)
{
    p->dated = p->n > 0;
    for (int i = 0; i < p->n; i++) {
        struct part *m = &p->v[i];
        const int last = i + 1 == p->n || m[1].t.d.name != m->t.d.name;
        m->end = last ? m->t.n : m[1].head.from;
        p->dated &= m->order != 0;
    }
}

// The parts in one of the ways in which they may be marked: 1 if they are all of them.
static int find_headed(struct parts *p, struct kvz *const *k, int n_k, const char *word,
                       struct err *e)
{
    enum { FEW = 2, SOME = 3 };
    const size_t n = strlen(word);
    const int is_section = word_is_listed(SECTIONS, word, n),
              is_question = word_is_listed(QUESTIONS, word, n);
    int rc = look_through(p, k, n_k, called, word, e);
    leave_labelled(p);
    if (rc <= 0 || p->n >= FEW)
        return rc <= 0 ? rc : p->v[0].label.to ? are_counted(p) : are_alike(p);
    if (is_section || is_question) {
        rc = look_through(p, k, n_k, numbered, word, e);
        if (rc < 0 || (rc && is_question && !leave_listed(p, SOME)))
            return rc < 0 ? rc : 0;
        if (rc && p->n >= SOME)
            return are_counted(p) && (!is_question || 2 * n_asking(p) >= p->n);
    }
    if (word_is_listed(HEADINGS, word, n) && (rc = look_through(p, k, n_k, marked, word, e)))
        return rc < 0 ? rc : p->n >= FEW;
    return 0;
}

// Meetings whose minutes begin with what IS_ONE finds, if WORD is for these: 1 if they are all of
// them.
static int find_meetings(struct parts *p, struct kvz *const *k, int n_k, const char *word,
                         part_line *is_one, struct err *e)
{
    enum { SOME = 3 };
    const int rc =
        word_is_listed(MEETINGS, word, strlen(word)) ? look_through(p, k, n_k, is_one, word, e) : 0;
    return rc > 0 ? p->n >= SOME && is_one_document(p) && are_minutes(p) : rc;
}

int parts_find(struct parts *p, struct kvz *const *k, int n_k, const char *word, struct err *e)
{
    enum { FEW = 2, SOME = 3 };
    word += !strncasecmp(word, "e-mail", 6) ? 2 : 0;
    const size_t n = strlen(word);
    int rc;
    *p = (struct parts){.v = mem_new(MOST, sizeof *p->v, e)};
    if (!p->v)
        return ERR_NOMEM;
    if (word_is_listed(MESSAGES, word, n)) {
        p->are = PARTS_MESSAGES;
        rc = look_through(p, k, n_k, message, word, e);
        rc = rc > 0 ? are_mail(p) : rc;
        if (!rc && word_is_listed(" message messages ", word, n)) {
            rc = look_through(p, k, n_k, saying, word, e);
            rc = rc > 0 ? p->n >= SOME && is_one_document(p) && are_said(p) : rc;
        }
    } else if (word_is_listed(LETTERS, word, n)) {
        p->are = PARTS_DATED;
        rc = look_through(p, k, n_k, letter, word, e);
        rc = rc > 0 ? p->n >= FEW && is_one_document(p) : rc;
    } else if (word_is_listed(ENTRIES, word, n)) {
        p->are = PARTS_DATED;
        rc = look_through(p, k, n_k, dated, word, e);
        rc = rc > 0 ? p->n >= SOME && is_one_document(p) : rc;
    } else if (word_is_listed(RECIPES, word, n)) {
        rc = look_through(p, k, n_k, recipe, word, e);
        rc = rc > 0 ? p->n >= FEW && is_one_document(p) : rc;
    } else {
        rc = find_meetings(p, k, n_k, word, minutes, e);
        rc = rc ? rc : find_headed(p, k, n_k, word, e);
        rc = rc > 0 ? is_one_document(p) : rc;
        rc = rc ? rc : find_meetings(p, k, n_k, word, dated, e);
    }
    if (rc > 0)
        finish(p);
    return rc;
}

void parts_done(struct parts *p)
{
    free(p->v);
}
