// Looks up what dots lead to: "Who is the broker?", where a schedule has "Broker ........ Ada
// Lind"; and by the line above the rows, "What is the limit for a bicycle?", where "Each bicycle
// ...... 900" is below "LIMITS". Such a row is no sentence, and the clauses around it have more of
// the question's words. So it is with the rows of a form, whose values stand below one another:
// "Broker:         Ada Lind"; with the rows of a statement, whose sums end below one another:
// "Balance 30 June 1931       212.40"; and with those of a list in two columns: "Trainer   540 a
// day" above "Developer   695 a day".
#define _GNU_SOURCE // memmem
#include <string.h>
#include <strings.h>

#include "engine/lines/columns.h"
#include "engine/lines/label.h"
#include "engine/lines/leader.h"
#include "engine/lines/lines.h"
#include "engine/lookup/telling.h"
#include "engine/question/asked.h"
#include "engine/question/question.h"
#include "engine/rows/column.h"
#include "engine/rows/number.h"
#include "engine/tables/tables.h"
#include "engine/words/chars.h"
#include "engine/words/letter.h"
#include "engine/words/wordlist.h"
#include "engine/words/words.h"

enum {
    LEADS = 80,   // bytes of a line above rows that says what they are
    SHORTEST = 3, // of a word that tells something
    WIDE = 160,   // of a row of two columns, at most
    NUMBER = 12,  // of what stands before a title: "Section IV: "
    PAGE = 4      // of the number of a page
};

// Words of questions that a row need not have.
static const char ASKS[] = TELLING_NOTHING WORDLIST_OF_RECORDS WORDLIST_OF_TEXTS " name ";
// Words of labels that questions need not have.
static const char LABELS[] = TELLING_NOTHING " each every number ";

// What leads from labels to values: dots or the colon of a form, blanks before sums, or before what
// begins in one column.
enum led_kind { LED, SUMMED, ALIGNED };

struct led_row {
    struct texts t;
    struct span_of_text line, lead, label, value;
    int had; // words of the question that the label and the lead have
};

// Reads LINE: 1, where dots lead from a label to one value.
static int read_row(const char *text, struct span_of_text line, struct led_row *r)
{
    const struct lines c = {.text = text, .n = line.to};
    const size_t to = line_trimmed(&c, line.from, line.to);
    size_t label, value, width;
    if (!leader_split(text + line.from, to - line.from, &label, &value))
        return 0;
    r->line = line;
    r->label = (struct span_of_text){line.from + line_gap(text, line.to, line.from, &width),
                                     line.from + label};
    r->value = (struct span_of_text){line.from + value, to};
    for (size_t i = r->value.from, gap; i < to; i += gap ? gap : 1) // another value behind a gap
        if ((gap = line_gap(text, to, i, &width)) > 1 || (gap && text[i] == '\t'))
            return 0;
    return 1;
}

// Reads the row of a form whose value begins in LINE: 1, where there is one.
static int read_form(const struct lines *c, struct span_of_text line, struct led_row *r)
{
    size_t label, end, colon;
    const size_t value = label_of_form(c, line.from, &label, &end);
    for (colon = value; colon > line.from && c->text[colon - 1] != ':';)
        colon--;
    if (!value || colon == line.from)
        return 0;
    r->line = (struct span_of_text){label, end};
    r->label = (struct span_of_text){label, line_trimmed(c, label, colon - 1)};
    r->value = (struct span_of_text){value, end};
    return 1;
}

// Reads the row of a statement in LINE: 1, where wide blanks lead from a label to one number, which
// ends where one beside it does.
static int read_sum(const struct lines *c, struct span_of_text line, struct led_row *r)
{
    const char *text = c->text;
    const size_t to = line_trimmed(c, line.from, line.to);
    size_t label = line.from, width, value = 0;
    label += line_gap(text, to, label, &width);
    for (size_t i = label, gap; i < to; i += gap ? gap : 1) {
        gap = line_gap(text, to, i, &width);
        if (width > 1 && value) // another value
            return 0;
        value = width > 1 ? i + gap : value;
    }
    if (!value || !word_has_digit(text + value, to - value) || !line_is_summed(c, line.from))
        return 0;
    for (size_t i = value; i < to; i++) // a day, or words
        if (is_lower(text[i]))
            return 0;
    r->line = line;
    r->label = (struct span_of_text){label, line_trimmed(c, label, value)};
    r->value = (struct span_of_text){value, to};
    return 1;
}

// Whether TEXT [n] has white space that may divide two columns, as few lines have.
static int may_be_two(const char *text, size_t n)
{
    return memmem(text, n, "   ", LINE_SPREAD) || memchr(text, '\t', n);
}

// Divides the line of C at byte LINE into a label and a value behind wide blanks: 1, where it has
// these two alone, and no sign of code in the label.
static int read_two(const struct lines *c, size_t line, struct led_row *r)
{
    const char *text = c->text;
    const size_t end = line_end(c, line), to = line_trimmed(c, line, end);
    size_t at = line, width, value = 0, label = line;
    at += line_gap(text, to, at, &width);
    if (at >= to || to - line > WIDE || !may_be_two(text + at, to - at) ||
        leader_is_row(text + line, end - line))
        return 0;
    r->line = (struct span_of_text){line, end};
    r->label.from = at;
    for (size_t gap; at < to; at += gap ? gap : 1) {
        gap = line_gap(text, to, at, &width);
        if (width < LINE_SPREAD) {
            if (!value && is_one_of(text[at], "{}[]|;=<>/"))
                return 0;
            continue;
        }
        if (value) // another one
            return 0;
        label = at;
        value = at + gap;
    }
    r->label.to = label;
    r->value = (struct span_of_text){value, to};
    return value && line_says_something(text + r->label.from, span_bytes(r->label)) &&
           line_says_something(text + value, to - value);
}

// Whether the line of C at byte LINE is one, R, and its value begins in column VALUE.
static int has_value_at(const struct lines *c, size_t line, size_t value, struct led_row *r)
{
    return read_two(c, line, r) && line_width(c->text + line, r->value.from - line) == value;
}

// Reads the row of a list of two columns in LINE: 1, where there is one beside it. *IS_HEAD:
// whether it is above all of them, and only they have numbers.
static int read_aligned(const struct lines *c, struct span_of_text line, struct led_row *r,
                        int *is_head)
{
    *is_head = 0;
    if (!read_two(c, line.from, r))
        return 0;
    const size_t value = line_width(c->text + line.from, r->value.from - line.from);
    struct led_row next;
    const int above = line.from && has_value_at(c, line_start(c, line.from - 1), value, &next),
              below = line.to + 1 < c->n && has_value_at(c, line.to + 1, value, &next);
    *is_head = !above && below &&
               word_has_digit(c->text + next.value.from, span_bytes(next.value)) &&
               !word_has_digit(c->text + r->value.from, span_bytes(r->value));
    return above || below;
}

// Whether TEXT[S) has the month WORD [n], whole or cut short: "Dec" and "December".
static int has_month(const char *text, struct span_of_text s, const char *word, size_t n)
{
    static const char months[] = WORDLIST_MONTHS WORDLIST_MONTHS_GERMAN;
    char other[WORD_LISTED];
    size_t bytes;
    for (size_t at = s.from; (bytes = word_small(text, s.to, &at, other, sizeof other));) {
        const size_t same = word_same(word, n, other, bytes);
        if (same >= SHORTEST && ((same == n && word_is_listed(months, other, bytes)) ||
                                 (same == bytes && word_is_listed(months, word, n))))
            return 1;
    }
    return 0;
}

// Whether TEXT[S) has WORD [n], in another form or as a month that is cut short or not.
static int has_form_or_month(const char *text, struct span_of_text s, const char *word, size_t n)
{
    return word_form_is_in(text + s.from, span_bytes(s), word, n) || has_month(text, s, word, n);
}

// Counts the words of TEXT[S) that tell something, but for those of the list IDLE: *ALL, and those
// of them that QUESTION has.
static int words_had(const char *text, struct span_of_text s, const char *question,
                     const char *idle, int *all)
{
    char stem[WORD_STEM];
    size_t bytes;
    int had = 0;
    *all = 0;
    for (size_t at = s.from; word_next(text, s.to, &at, stem, &bytes);) {
        const char *word = text + at - bytes;
        if (!telling_word(word, bytes, stem, SHORTEST, idle))
            continue;
        had += has_form_or_month(question, (struct span_of_text){0, strlen(question)}, word, bytes);
        ++*all;
    }
    return had;
}

// How many words of QUESTION R has: the label, up to a bracket in it, none but such; else 0.
static int fits(const struct led_row *r, const char *question)
{
    const char *text = r->t.text,
               *bracket = memchr(text + r->label.from, '(', span_bytes(r->label));
    const size_t to = bracket ? (size_t)(bracket - text) : r->label.to;
    int all, unused;
    const int own =
        words_had(text, (struct span_of_text){r->label.from, to}, question, LABELS, &all);
    return !own || own < all ? 0
                             : own +
                                   words_had(text, (struct span_of_text){to, r->label.to}, question,
                                             ASKS, &unused) +
                                   words_had(text, r->lead, question, ASKS, &unused);
}

// Whether R, of that KIND, or its lead has each word of QUESTION that tells something, or its value
// what is asked for: "What does a cart cost?"
static int has_all(const struct led_row *r, const char *question, enum led_kind kind)
{
    static const char costs[] = " cost costs price pay charge charged ";
    char stem[WORD_STEM];
    size_t bytes;
    const char *text = r->t.text;
    const int has_money =
        kind != SUMMED && number_has_currency(text + r->value.from, span_bytes(r->value));
    for (size_t at = 0; word_next(question, strlen(question), &at, stem, &bytes);) {
        const char *word = question + at - bytes;
        if (telling_word(word, bytes, stem, SHORTEST, ASKS) &&
            !(has_money && word_is_listed(costs, word, bytes)) &&
            !has_form_or_month(text, r->label, word, bytes) &&
            !has_form_or_month(text, r->lead, word, bytes))
            return 0;
    }
    return 1;
}

// Whether R has the page of a part of its text, whose title is the label.
static int is_of_contents(const struct led_row *r)
{
    const struct lines c = {.text = r->t.text, .n = r->t.n};
    const size_t n = span_bytes(r->label);
    struct span_of_text line;
    const size_t bytes = span_bytes(r->value);
    if (bytes > PAGE || !word_has_digit(c.text + r->value.from, bytes))
        return 0;
    for (size_t at = 0; at < c.n; at = line.to + 1) {
        line = line_at(&c, at);
        const size_t to = line_trimmed(&c, line.from, line.to);
        if (line.from != r->line.from && to - line.from >= n &&
            letters_same(c.text + to - n, c.text + r->label.from, n) &&
            span_bytes(line) <= n + line_indentation(&c, line.from) + NUMBER)
            return 1;
    }
    return 0;
}

// Whether LINE may say what rows below it are, which neither names of columns do nor a row of
// several values.
static int leads(const struct lines *c, struct span_of_text line)
{
    const char *text = c->text + line.from;
    const size_t n = span_bytes(line);
    return n <= LEADS && !line_is_bare(c, line.from) && !leader_is_row(text, n) &&
           !columns_are_in(text, n);
}

// Whether QUESTION asks what a word means, which no form says: "What is an owner?"
static int asks_meaning(const char *question)
{
    static const char any[] = "what is a ", vowel[] = "what is an ";
    question = question_itself(question);
    return !strncasecmp(question, any, strlen(any)) || !strncasecmp(question, vowel, strlen(vowel));
}

// Whether QUESTION asks for a sum of money; "What is the bank?" does not, though a row has that.
static int asks_sum(const char *question)
{
    static const char sums[] =
        " much amount balance charge charges cost costs deficit deposit expenses fee fees income "
        "loss price profit rent revenue sales sum surplus tax total turnover wieviel viel betrag "
        "kosten miete saldo steuer summe umsatz ";
    return words_listed(sums, question, strlen(question));
}

// Finds the row of that kind that has most words of QUESTION: 1, 0 where none or several do, or an
// error.
static int find_row(const struct lookup *s, const char *question, enum led_kind kind,
                    struct led_row *best, struct err *e)
{
    struct texts t;
    int rc, n = 0;
    const int may_form = !asks_meaning(question);
    best->had = 0;
    texts_begin(&t, s->k, s->n_k);
    while ((rc = texts_next(&t, e)) > 0) {
        const struct lines c = {.text = t.text, .n = t.n};
        struct span_of_text lead = {0, 0}, line;
        for (size_t at = 0; at < t.n; at = line.to + 1) {
            struct led_row r = {.t = t};
            line = line_at(&c, at);
            int is_head = 0;
            const int led = (kind == LED && read_row(t.text, line, &r)) ||
                            (kind == ALIGNED && read_aligned(&c, line, &r, &is_head));
            if (is_head) {
                lead.from = span_bytes(lead) ? lead.from : line.from;
                lead.to = line.to;
                continue;
            }
            if (!led && !(kind == SUMMED && read_sum(&c, line, &r)) &&
                !(kind == LED && may_form && read_form(&c, line, &r))) {
                lead = leads(&c, line)             ? line
                       : span_bytes(line) <= LEADS ? lead
                                                   : (struct span_of_text){0, 0};
                continue;
            }
            r.lead = led ? lead : (struct span_of_text){0, 0};
            r.had = fits(&r, question);
            if (!r.had || r.had < best->had || !has_all(&r, question, kind))
                continue;
            n = r.had > best->had ? 1 : n + 1;
            *best = r;
        }
    }
    return rc < 0 ? rc : n == 1;
}

// Looks QUESTION up among the rows of that kind.
static int look_up(struct lookup *s, const char *question, enum led_kind kind, struct err *e)
{
    struct led_row r;
    int rc = asked_what(question) && !column_falls_short("", 0, question)
                 ? find_row(s, question, kind, &r, e)
                 : 0;
    if (rc <= 0)
        return rc;
    const char *text = r.t.text, *label = text + r.label.from;
    if (is_of_contents(&r) || !column_tells(label, span_bytes(r.label), text + r.value.from,
                                            span_bytes(r.value), question))
        return 0;
    lookup_say_cell(s->out, text, r.label, r.value);
    rc = lookup_add(s, &r.t, r.line, 0, e);
    return rc ? rc : 1;
}

int tables_led(struct lookup *s, const char *question, struct err *e)
{
    return look_up(s, question, LED, e);
}

int tables_summed(struct lookup *s, const char *question, struct err *e)
{
    return asks_sum(question) ? look_up(s, question, SUMMED, e) : 0;
}

int tables_aligned(struct lookup *s, const char *question, struct err *e)
{
    return look_up(s, question, ALIGNED, e);
}
