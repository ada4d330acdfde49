// Rows of tables that a sentence below says are wrong: "Tea is sold a little longer than the table
// says: until five.", "... as 6, and the table above still shows it. It has been 5 since May.", or
// gives another number for.
#define _GNU_SOURCE
#include <string.h>

#include "engine/changed/changed_impl.h"
#include "engine/lines/line_cells.h"
#include "engine/lines/lines.h"
#include "engine/words/chars.h"
#include "engine/words/words.h"

enum { GAP = 2 }; // blanks between the columns of a plain table

// The first cell of the row at byte LINE of C, which names the row; no bytes: it is no row, or its
// name has no word.
static struct span_of_text name_of(const struct lines *c, size_t line)
{
    enum { LEAST = 3 };
    const size_t end = line_end(c, line);
    struct span_of_text v = {line, line};
    int letters = 0;
    while (v.from < end && (is_space(c->text[v.from]) || c->text[v.from] == '|'))
        v.from++;
    for (v.to = v.from; v.to < end; v.to++) {
        if (line_is_mark(c->text, v.to, '|') ||
            (end - v.to > GAP && is_gap(c->text[v.to]) && is_gap(c->text[v.to + 1])))
            break;
        letters += is_lower(c->text[v.to]) || is_upper(c->text[v.to]);
    }
    const int is_row = v.to < end && letters >= LEAST;
    while (v.to > v.from && is_one_of(c->text[v.to - 1], " `*"))
        v.to--;
    while (v.from < v.to && is_one_of(c->text[v.from], "`*"))
        v.from++;
    return is_row ? v : (struct span_of_text){0, 0};
}

// Whether T says that a table has something else: 1 where it says what is so instead, "longer than
// the table says", 2 where it only tells what the table has, "the table above still shows it".
static int denies(const struct changed_tokens *t)
{
    static const char AGAINST[] = " than unlike to ", SHOWS[] = " says shows gives lists has ";
    for (int i = 1; i < t->n; i++) {
        if (!changed_is(t, i, " table list ") || !changed_is(t, i - 1, " the this "))
            continue;
        int next = i + 1 + changed_is(t, i + 1, " above below ");
        if (changed_is(t, next, " still ") && changed_is(t, next + 1, SHOWS))
            return 2;
        if (changed_is(t, i - 2, AGAINST) &&
            (changed_is(t, i - 2, " unlike ") ||
             (changed_is(t, i - 2, " than ") && changed_is(t, next, SHOWS)) ||
             changed_is(t, i - 3, " contrary ")))
            return 1;
    }
    return 0;
}

// Whether V has a word of the question, in any form, that NAME lacks.
static int is_asked(const struct changed_said *s, struct span_of_text v, struct span_of_text name)
{
    enum { LEAST = 4 };
    char stem[WORD_STEM];
    size_t n, asked = strlen(s->question);
    for (size_t at = 0; word_next(s->question, asked, &at, stem, &n);) {
        const char *word = s->question + at - n;
        if (n >= LEAST && !word_says_little(word, n, stem) &&
            !word_form_is_in(s->text + name.from, span_bytes(name), word, n) &&
            (word_is_in(s->text + v.from, span_bytes(v), stem) ||
             word_form_is_in(s->text + v.from, span_bytes(v), word, n)))
            return 1;
    }
    return 0;
}

// The last word of NAME that says something; no bytes: none does.
static struct span_of_text last_word(const struct changed_said *s, struct span_of_text name)
{
    struct span_of_text last = {0, 0};
    char stem[WORD_STEM];
    size_t n;
    for (size_t at = name.from; word_next(s->text, name.to, &at, stem, &n);)
        if (changed_word_tells(n, stem))
            last = (struct span_of_text){at - n, at};
    return last;
}

// Whether V has all words of NAME that say something.
static int has_name(const struct changed_said *s, struct span_of_text v, struct span_of_text name)
{
    char stem[WORD_STEM];
    size_t n;
    for (size_t at = name.from; word_next(s->text, name.to, &at, stem, &n);)
        if (changed_word_tells(n, stem) &&
            !word_form_is_in(s->text + v.from, span_bytes(v), s->text + at - n, n))
            return 0;
    return 1;
}

// Whether the sign of a currency stands before the number at token I of T that the answer has, too:
// "costs \u20ac 34.00" of "Price (\u20ac): 38.00".
static int is_of_currency(const struct changed_said *s, const struct changed_tokens *t, int i)
{
    static const char *const signs[] = {"\u20ac", "\u00a3", "$"};
    size_t to = t->v[i].at.from;
    while (to && t->text[to - 1] == ' ')
        to--;
    for (size_t k = 0; k < sizeof signs / sizeof *signs; k++) {
        const size_t n = strlen(signs[k]);
        if (to >= n && !memcmp(t->text + to - n, signs[k], n))
            return strstr(s->answer, signs[k]) != NULL;
    }
    return 0;
}

// Whether T says that something is another number than one of ANSWER, the tokens of S's, of its
// unit: "is 8,000 messages" of "Page somebody: 12,000 messages".
static int is_other(const struct changed_said *s, const struct changed_tokens *answer,
                    const struct changed_tokens *t)
{
    for (int i = 1; i < t->n; i++) {
        const int is = i - 1 - changed_is(t, i - 1, " now only ");
        if (!t->v[i].is_number || !changed_is(t, is, CHANGED_IS " costs cost becomes ") ||
            changed_answer_has(s, changed_value_at(t, i)))
            continue;
        for (int k = 0; k < answer->n; k++)
            if (answer->v[k].is_number &&
                (changed_is_same_unit(answer, k, t, i) || is_of_currency(s, t, i)))
                return 1;
    }
    return 0;
}

// Looks for a sentence below the row called NAME that says what has this name, and is asked for, is
// another number.
static int cell(struct changed_looking *l, struct span_of_text name)
{
    const struct changed_said *s = l->s;
    const int asks_price =
        words_listed(" much cost costs price ", s->question, strlen(s->question));
    const struct span_of_text last = last_word(s, name);
    const size_t n = span_bytes(last);
    struct changed_tokens answer;
    size_t at = s->said.to;
    changed_tokens(&answer, s->answer, 0, strlen(s->answer));
    for (const char *p;
         n && l->left > 0 && (p = memmem(s->text + at, s->n - at, s->text + last.from, n)); at++) {
        at = (size_t)(p - s->text);
        const struct span_of_text v = changed_sentence(s, at);
        struct changed_tokens t;
        l->left--;
        changed_tokens(&t, s->text, v.from, v.to);
        if (v.from >= s->said.to && !changed_is_quoted(s, v.from) && has_name(s, v, name) &&
            (asks_price || is_asked(s, v, name)) && is_other(s, &answer, &t) && changed_found(l, v))
            return 1;
    }
    return 0;
}

int changed_row(struct changed_looking *l)
{
    const struct changed_said *s = l->s;
    const struct lines c = {.text = s->text, .n = s->n};
    const struct span_of_text name = name_of(&c, line_start(&c, s->said.from));
    const char *own = s->text + name.from;
    const size_t n = span_bytes(name);
    size_t at = s->said.to;
    for (const char *p; n && l->left > 0 && (p = memmem(s->text + at, s->n - at, own, n)); at++) {
        at = (size_t)(p - s->text);
        struct span_of_text v = changed_sentence(s, at);
        struct changed_tokens t;
        l->left--;
        changed_tokens(&t, s->text, v.from, v.to);
        const int how = denies(&t);
        if (!how || v.from < s->said.to || changed_is_quoted(s, v.from) ||
            !words_stand_in(s->text + v.from, span_bytes(v), own, n))
            continue;
        v = how == 2 ? changed_with_next(s, v) : v;
        if (is_asked(s, v, name) && changed_found(l, v))
            return 1;
    }
    return n && cell(l, name);
}
