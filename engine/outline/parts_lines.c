#include "engine/outline/parts_lines.h"

#include <string.h>
#include <strings.h>

#include "engine/lines/chat_lines.h"
#include "engine/lines/label.h"
#include "engine/lines/lines.h"
#include "engine/lines/message.h"
#include "engine/outline/amounts.h"
#include "engine/outline/list.h"
#include "engine/outline/numbering.h"
#include "engine/sentences/courtesy.h"
#include "engine/sentences/heading.h"
#include "engine/words/day.h"
#include "engine/words/words.h"

enum { LONGEST_DATED = 160 }; // bytes of a heading with a date

const char PARTS_MEETINGS[] = " meeting meetings ", PARTS_QUESTIONS[] = " question questions ";

// The words of LINE behind the marks of a heading; *MARKS: number of them.
static struct span_of_text words_of(const struct lines *c, struct span_of_text line, size_t *marks)
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
static int stands_alone(const struct lines *c, struct span_of_text line, size_t marks)
{
    const size_t above = line.from ? line_start(c, line.from - 1) : 0, below = line.to + 1;
    const int ruled = line.from && !line_is_empty(c, above) && line_is_bare(c, above);
    return marks || (line_is_bare_above(c, line.from) &&
                     (ruled || line_is_bare(c, below) || heading_remarks(c, below) ||
                      label_is_there(c, below)));
}

// Whether the line that begins with byte LINE divides the text: a row of one sign between empty
// lines.
static int is_rule(const struct lines *c, size_t line)
{
    enum { LEAST = 8 };
    size_t to = line_trimmed(c, line, line_end(c, line)), at = line;
    while (at < to && c->text[at] == c->text[line])
        at++;
    return to - line >= LEAST && at == to && is_one_of(c->text[line], "=-*_~#") &&
           line_is_bare_above(c, line) && line_is_bare(c, line_end(c, line) + 1);
}

// Whether LINE stands below a title with which the text begins, or what is below a rule: "The Mill
// Society", "Minutes of the meeting of ...".
static int stands_below_title(const struct lines *c, struct span_of_text line)
{
    enum { TITLES = 2 }; // lines
    size_t at = line.from, n = 0;
    while (at && !line_is_bare_above(c, at) && n++ < TITLES &&
           at - line_start(c, at - 1) <= HEADING_LONGEST)
        at = line_start(c, at - 1);
    if (!n || n > TITLES || (at && !line_is_bare_above(c, at)) || !line_is_bare(c, line.to + 1))
        return 0;
    while (at && line_is_empty(c, line_start(c, at - 1)))
        at = line_start(c, at - 1);
    return !at || is_rule(c, line_start(c, at - 1));
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

// Adds M, or counts it where it stands in a table of contents, too: then it is the one that stands
// last.
static int keep(struct parts *p, const struct part *m)
{
    for (int i = 0; i < p->n && p->are == PARTS_HEADED; i++) {
        struct part *own = &p->v[i];
        if (own->t.d.name != m->t.d.name ||
            !span_is_alike(own->t.text, own->label, m->t.text, m->label) ||
            parts_is_half(own) != parts_is_half(m) ||
            (!span_bytes(m->label) && span_bytes(own->title) != span_bytes(m->title)) ||
            !same_words(own->t.text, own->title, m->t.text, m->title))
            continue;
        const int seen = own->seen + 1;
        *own = *m;
        own->seen = seen;
        return 1;
    }
    if (p->n == PARTS_MOST)
        return 0;
    p->v[p->n] = *m;
    p->v[p->n++].seen = 1;
    return 1;
}

// The label at bytes AT to END of a heading: a number, a Roman one, one in words, a letter alone.
static struct span_of_text label_of(const char *text, size_t at, size_t end)
{
    while (at < end && is_one_of(text[at], " \t("))
        at++;
    size_t to = at, letters = 0;
    for (; to < end &&
           (word_has(text[to]) || (text[to] == '.' && to + 1 < end && is_digit(text[to + 1])));
         to++)
        letters += !is_digit(text[to]) && text[to] != '.';
    const size_t n = to - at;
    const int is_label =
        n && (!letters || (n == 1 && is_upper(text[at])) || numbering_in_letters(text + at, n) > 0);
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

// The heading OWN, of the line LINE, with the title right below it, if it is nothing but a word
// with the label behind byte BEHIND: "CHAPTER TWO", "What Was Written in Lemon Juice". One in
// capitals may stand below an empty line.
static struct span_of_text with_title(const struct lines *c, struct span_of_text line,
                                      struct span_of_text own, size_t behind)
{
    if (line.to + 1 >= c->n || !line_is_bare_above(c, line.from) ||
        label_of(c->text, behind, own.to).to + (c->text[own.to - 1] == '.') != own.to)
        return own;
    size_t marks, below = line.to + 1;
    const int apart = line_is_empty(c, below);
    below = apart ? line_end(c, below) + 1 : below;
    if (below >= c->n)
        return own;
    const struct span_of_text next = line_at(c, below), title = words_of(c, next, &marks);
    if (title.from < title.to && !(apart && has_lower(c->text + title.from, span_bytes(title))) &&
        span_bytes(title) <= HEADING_LONGEST && !marks && is_upper(c->text[title.from]) &&
        !is_one_of(c->text[title.to - 1], ".,;:") && line_is_bare(c, next.to + 1))
        own.to = title.to;
    return own;
}

// -------------------------------------------------------------------------------- kinds of parts

// "Chapter 3: Ironing", "Meeting of 12 January 2022"
int parts_called(struct parts *p, const struct texts *t, const struct lines *c,
                 struct span_of_text line)
{
    const char *word = p->word;
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
    const int minutes = word_is_listed(PARTS_MEETINGS, word, strlen(word)) &&
                        word_is_listed(" minutes ", c->text + own.from, bytes) &&
                        word_form_is_in(c->text + own.from, span_bytes(own), word, strlen(word)) &&
                        day_order(c->text + own.from, span_bytes(own));
    const struct span_of_text both = with_title(c, line, own, at);
    const int titled = !minutes && both.to > own.to;
    if (span_bytes(own) > (minutes ? LONGEST_DATED : HEADING_LONGEST) ||
        (!minutes && !word_form_is_in(c->text + own.from, bytes, word, strlen(word))) ||
        (!stands_alone(c, line, marks) && !titled && !(minutes && stands_below_title(c, line))) ||
        (!minutes && is_one_of(c->text[own.to - 1], ",;:")))
        return 1;
    const struct span_of_text label = label_of(c->text, at, own.to);
    if (!minutes && c->text[own.to - 1] == '.' && label.to + 1 != own.to)
        return 1; // a sentence
    return keep_line(p, t, titled ? both : own, at);
}

// "3. Ironing", "## 3 Ironing", "(3) How do I iron?"
int parts_numbered(struct parts *p, const struct texts *t, const struct lines *c,
                   struct span_of_text line)
{
    enum { LONG = 240 }; // bytes of a question
    const int asks = word_is_listed(PARTS_QUESTIONS, p->word, strlen(p->word));
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

static int is_ingredients(const struct lines *c, size_t line)
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
int parts_recipe(struct parts *p, const struct texts *t, const struct lines *c,
                 struct span_of_text line)
{
    enum { UP = 12 }; // lines between
    size_t marks, at = line.from;
    if (!is_ingredients(c, line.from))
        return 1;
    for (int i = 0; i < UP && at > 0; i++) {
        at = line_start(c, at - 1);
        const struct span_of_text above = line_at(c, at), own = words_of(c, above, &marks);
        if (own.to > own.from && span_bytes(own) <= HEADING_LONGEST &&
            (marks || line_is_bare_above(c, at)) && !is_one_of(c->text[own.to - 1], ".,;:"))
            return keep_line(p, t, own, own.to);
    }
    return 0;
}

// Whether LINE is a heading that is marked as one, or is in capitals; *MARKS: how many marks.
static int is_title(const struct lines *c, struct span_of_text line, size_t *marks)
{
    const struct span_of_text own = words_of(c, line, marks);
    return own.to > own.from && (*marks || heading_in_capitals(c, line.from));
}

// The first list of C from byte AT to END that has marks and no numbers, and whose items begin with
// amounts for the most part: "- 400 g flour"; or one of amounts without marks. No bytes: none.
static struct span_of_text amounts_of(const struct lines *c, size_t at, size_t end)
{
    struct span_of_text line, item;
    struct list l;
    for (line = list_next_said(c, at); line.from < end; line = list_next_said(c, line.to + 1)) {
        if (!list_is_item(c, line) || list_is_row(c, line) || !list_at(&l, c, line, NULL))
            continue;
        const struct span_of_text all = l.at;
        int n = 0, amounts = 0;
        while (all.to <= end && !list_is_numbered(&l, c) && list_next(&l, c, &item)) {
            const struct span_of_text own = list_named(&l, c, item);
            n++;
            amounts +=
                span_bytes(own) && is_one_of(c->text[own.from], "0123456789\xc2"); // one half
        }
        if (2 * amounts > n)
            return all;
        break;
    }
    return amounts_in(c, (struct span_of_text){at, end});
}

// Whether a line of C from byte AT to END is numbered as a step is: "1. Mix it."
static int has_steps(const struct lines *c, size_t at, size_t end)
{
    struct span_of_text line = list_next_said(c, at);
    while (line.from < end && !line_is_numbered(c->text + line.from, span_bytes(line)))
        line = list_next_said(c, line.to + 1);
    return line.from < end;
}

// The heading of a list of amounts, below which it is said what is done with them: "## Flatbread".
// 0 where there is only one of both, or headings have several ranks, so that not all are known.
int parts_dish(struct parts *p, const struct texts *t, const struct lines *c,
               struct span_of_text line)
{
    size_t marks, more, end = line.to + 1;
    if (!is_title(c, line, &marks))
        return 1;
    size_t rank = marks;
    if (p->n && p->v[p->n - 1].t.d.name == t->d.name)
        words_of(c, line_at(c, p->v[p->n - 1].head.from), &rank);
    while (end < c->n && !is_title(c, line_at(c, end), &more))
        end = line_end(c, end) + 1;
    const struct span_of_text things = amounts_of(c, line.to + 1, end);
    if (!span_bytes(things))
        return marks >= rank && !has_steps(c, line.to + 1, end);
    const struct span_of_text own = words_of(c, line, &marks);
    return marks == rank && list_next_said(c, line_end(c, things.to) + 1).from < end &&
           keep_line(p, t, own, own.to);
}

// A heading that begins with a date, and is nothing else unless it is marked as a heading.
int parts_dated(struct parts *p, const struct texts *t, const struct lines *c,
                struct span_of_text line)
{
    enum { MORE = 3 }; // bytes behind a date
    size_t marks;
    struct day day;
    const struct span_of_text own = words_of(c, line, &marks);
    const size_t bytes = day_begins(c->text + own.from, span_bytes(own), &day);
    if (!bytes || span_bytes(own) > HEADING_LONGEST || !line_is_bare_above(c, line.from) ||
        (!marks && span_bytes(own) > bytes + MORE))
        return 1;
    return keep_line(p, t, own, own.to);
}

// What stands above a greeting: a place and a day, "Funchal, Madeira, 27 May 1911". 0 where
// something else does, so that not all letters are known.
int parts_letter(struct parts *p, const struct texts *t, const struct lines *c,
                 struct span_of_text line)
{
    enum { LONG = 80 }; // bytes
    struct day day;
    size_t marks, at = line.from;
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
static int heads(const struct lines *c, size_t at, struct span_of_text *head, struct day *day)
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
int parts_minutes(struct parts *p, const struct texts *t, const struct lines *c,
                  struct span_of_text line)
{
    enum { TITLE = 200 }; // bytes
    struct part m = {.t = *t};
    struct day day;
    size_t end = 0;
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
int parts_saying(struct parts *p, const struct texts *t, const struct lines *c,
                 struct span_of_text line)
{
    struct part m = {.t = *t, .head = line};
    if (!chat_line(c->text + line.from, span_bytes(line), &m.when, &m.who))
        return 1;
    m.when = (struct span_of_text){line.from + m.when.from, line.from + m.when.to};
    m.who = (struct span_of_text){line.from + m.who.from, line.from + m.who.to};
    m.head.to = m.who.to + (c->text[m.who.to] == '>' || c->text[m.who.to] == ':');
    return keep(p, &m);
}

int parts_message(struct parts *p, const struct texts *t, const struct lines *c,
                  struct span_of_text line)
{
    struct part m = {.t = *t};
    if (line_is_empty(c, line.from) || line_quoted(c, line.from) ||
        !message_head(c, line.from, &m.head.from, &m.head.to) || m.head.from != line.from)
        return 1;
    m.head.to = line_trimmed(c, m.head.from, m.head.to);
    m.quoted = message_is_forwarded(c, m.head.from);
    const struct span_of_text date = parts_field(&m, MESSAGE_DATE);
    m.order = day_order(t->text + date.from, span_bytes(date));
    return !parts_field(&m, MESSAGE_FROM).to || keep(p, &m);
}

int parts_commit(struct parts *p, const struct texts *t, const struct lines *c,
                 struct span_of_text line)
{
    return !message_is_commit(c->text + line.from, span_bytes(line)) ||
           parts_message(p, t, c, line);
}

// "## Ironing", between empty lines, where a comment of a program seldom stands alone.
int parts_marked(struct parts *p, const struct texts *t, const struct lines *c,
                 struct span_of_text line)
{
    size_t marks;
    const struct span_of_text own = words_of(c, line, &marks);
    return marks != 2 || own.from >= own.to || !line_is_bare_above(c, line.from) ||
           !line_is_bare(c, line.to + 1) || keep_line(p, t, own, own.from);
}
