// Amendments that name a clause by its code alone: "Lost keys: the charge in E2 falls to 70 euros."
#define _GNU_SOURCE // memmem
#include <string.h>

#include "engine/changed/changed_impl.h"
#include "engine/lines/lines.h"
#include "engine/question/asked.h"
#include "engine/sentences/heading.h"
#include "engine/words/chars.h"
#include "engine/words/words.h"

// The bytes of the code of a clause that TEXT [n] begins with, "E2", "E.2" or "6.1"; 0: it begins
// with none.
static size_t id_at(const char *text, size_t n)
{
    const size_t letter = n && is_upper(*text);
    size_t at = letter;
    int digits = 0, points = 0;
    while (at < n && (is_digit(text[at]) ||
                      (at && text[at] == '.' && at + 1 < n && is_digit(text[at + 1])))) {
        points += text[at] == '.';
        digits += is_digit(text[at++]);
    }
    return digits && (letter || points) && !(at < n && word_has(text[at])) ? at : 0;
}

// The code that the clause of L's sentence, below the last heading, begins with; no bytes: it is of
// none.
static struct span_of_text code_above(const struct changed_looking *l)
{
    const struct span_of_text none = {0, 0};
    const struct changed_said *s = l->s;
    const struct lines c = {.text = s->text, .n = s->n};
    struct span_of_text line = line_at(&c, l->near.from), heading;
    do {
        size_t from = line.from;
        while (from < line.to && (is_space(s->text[from]) || is_one_of(s->text[from], "#*>(")))
            from++;
        const size_t n = id_at(s->text + from, line.to - from);
        if (n && from + n < line.to && is_one_of(s->text[from + n], ".:) "))
            return (struct span_of_text){from, from + n};
        if (heading_is(&c, line.from, &heading.from, &heading.to))
            return none;
    } while (changed_line_above(s, s->said.from, &line));
    return none;
}

// Whether one of the first N tokens of T, but the very first, is a name that neither the question
// nor L's sentence has: it is about another thing of the clause.
static int is_of_other(const struct changed_looking *l, const struct changed_tokens *t, int n)
{
    const struct changed_said *s = l->s;
    for (int i = 1; i < n; i++) {
        const char *word = s->text + t->v[i].at.from;
        const size_t bytes = span_bytes(t->v[i].at);
        if (t->v[i].is_capital && !t->v[i].is_number &&
            !word_form_is_in(s->question, strlen(s->question), word, bytes) &&
            !word_form_is_in(s->text + l->near.from, span_bytes(l->near), word, bytes))
            return 1;
    }
    return 0;
}

// Whether T has a word with which changes and corrections are told.
static int tells_change(const struct changed_tokens *t)
{
    static const char words[] =
        " amended amendment becomes became changed changes correction corrections corrected "
        "deleted errata erratum extended increased instead lengthened lowered misprint mistake "
        "mistaken moved moves now postponed raised rather reduced replaced replaces revised "
        "shortened struck updated withdrawn wrong cancelled ",
                      moves[] = " falls fell goes rises rose ", to[] = " to by from up down away ";
    for (int i = 0; i < t->n; i++)
        if (changed_is(t, i, words) || (changed_is(t, i, moves) && changed_is(t, i + 1, to)))
            return 1;
    return 0;
}

// Whether T has a number or a day from token I on.
static int has_number(const struct changed_tokens *t, int i)
{
    while (i < t->n && !t->v[i].is_number)
        i++;
    return i < t->n;
}

// Sentence V, T, with the next one where that has a number, V none behind that of its item, and the
// question asks for an amount or a time.
static struct span_of_text with_value(const struct changed_said *s, struct span_of_text v,
                                      const struct changed_tokens *t)
{
    struct changed_tokens behind;
    struct span_of_text next;
    size_t at = v.to;
    if (!asked_lacking(s->question, "It is changed.") || has_number(t, 1) ||
        !changed_next(s, &at, &next))
        return v;
    changed_tokens(&behind, s->text, next.from, next.to);
    return has_number(&behind, 0) ? (struct span_of_text){v.from, next.to} : v;
}

// Whether the sentence around byte AT, where the code stands, tells a change of what L's is about.
static int amends(struct changed_looking *l, size_t at)
{
    const struct changed_said *s = l->s;
    const struct span_of_text v = changed_sentence(s, at);
    struct changed_tokens t;
    int i = 0;
    l->left--;
    if (v.from < s->said.to || span_bytes(v) > LONGEST_SENTENCE || changed_is_quoted(s, v.from))
        return 0;
    changed_tokens(&t, s->text, v.from, v.to);
    while (i < t.n && t.v[i].at.from < at)
        i++;
    return changed_is(&t, i - 1, " in of under ") && tells_change(&t) && !is_of_other(l, &t, i) &&
           changed_shares_word(l, v) && changed_found(l, with_value(s, v, &t));
}

int changed_coded(struct changed_looking *l)
{
    const struct changed_said *s = l->s;
    const struct span_of_text code = code_above(l);
    const size_t n = span_bytes(code);
    size_t at = s->said.to;
    for (const char *p; n && l->left > 0 && at < s->n &&
                        (p = memmem(s->text + at, s->n - at, s->text + code.from, n));
         at += n) {
        at = (size_t)(p - s->text);
        const char *behind = s->text + at + n;
        const size_t left = s->n - at - n;
        if (at && !word_has(s->text[at - 1]) && s->text[at - 1] != '.' &&
            !(left && word_has(*behind)) && !(left > 1 && *behind == '.' && is_digit(behind[1])) &&
            amends(l, at))
            return 1;
    }
    return 0;
}
