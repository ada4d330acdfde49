// Decisions of later minutes: "2. *Rent.* Mrs Moor asked for four parts. Agreed: 25 March, 24
// June." of "Rent: 12,000 a year, paid on 25 March and 29 September."
#define _GNU_SOURCE // memmem
#include <string.h>

#include "engine/changed/changed_impl.h"
#include "engine/lines/lines.h"
#include "engine/question/asked.h"
#include "engine/words/chars.h"
#include "engine/words/words.h"

// Whether all telling words of TITLE [n] are in the question or where L's sentence begins, "The
// padlock is ...", and there are any.
static int is_titled(const struct changed_looking *l, const char *title, size_t n)
{
    enum { LEAST = 4, BEGINS = 32 }; // bytes of a word, and of the sentence
    const struct changed_said *s = l->s;
    const size_t near = span_bytes(l->near) < BEGINS ? span_bytes(l->near) : BEGINS;
    char stem[WORD_STEM];
    size_t bytes;
    int some = 0;
    for (size_t at = 0; word_next(title, n, &at, stem, &bytes);) {
        const char *word = title + at - bytes;
        if (word_is_common(stem) || word_has_digit(word, bytes))
            continue;
        some |= bytes >= LEAST;
        if (!word_form_is_in(s->text + l->near.from, near, word, bytes) &&
            !word_form_is_in(s->question, strlen(s->question), word, bytes))
            return 0;
    }
    return some;
}

static int is_letter(char c)
{
    return is_lower(c) || is_upper(c);
}

// The title of the item of byte AT of S's text, at the beginning of its line, behind its number or
// its code, "C.7", and other marks and before a full stop or a colon; no bytes: it has none.
static struct span_of_text title_of(const struct changed_said *s, size_t at)
{
    enum { LONGEST = 40 }; // bytes
    const struct lines c = {.text = s->text, .n = s->n};
    struct span_of_text v = {line_start(&c, at), 0};
    while (v.from < at && !(is_letter(s->text[v.from]) && is_letter(s->text[v.from + 1])))
        v.from++;
    for (v.to = v.from; v.to < at && v.to - v.from <= LONGEST; v.to++)
        if (is_one_of(s->text[v.to], ".:"))
            return v;
    return (struct span_of_text){0, 0};
}

// Whether the sentence around byte AT, where a decision is told, is of an item about what was said,
// and has what is asked for.
static int decides(struct changed_looking *l, size_t at)
{
    enum { ITEM = 240 }; // bytes
    const struct changed_said *s = l->s;
    const struct span_of_text v = changed_sentence(s, at), title = title_of(s, at);
    char own[LONGEST_SENTENCE + 1];
    l->left--;
    if (v.from < s->said.to || span_bytes(v) >= sizeof own || changed_is_quoted(s, v.from) ||
        title.from < s->said.to)
        return 0;
    memcpy(own, s->text + v.from, span_bytes(v));
    own[span_bytes(v)] = 0;
    return is_titled(l, s->text + title.from, span_bytes(title)) &&
           !asked_lacking(s->question, own) && changed_found(l, changed_titled(s, v, ITEM));
}

int changed_decided(struct changed_looking *l)
{
    static const char *const WAYS[] = {
        "Agreed:",     "Decision:", "Decided:", "Resolved:", "In future", "Until further notice",
        "From now on", "Settled at"};
    const struct changed_said *s = l->s;
    struct span_of_text last = {0, 0};
    l->near = changed_sentence(s, s->said.from);
    if (!asked_lacking(s->question, "It is changed."))
        return 0;
    for (size_t w = 0; w < sizeof WAYS / sizeof *WAYS; w++) {
        const char *p = s->text + l->near.to, *end = s->text + s->n;
        for (; l->left > 0 && (p = memmem(p, (size_t)(end - p), WAYS[w], strlen(WAYS[w]))); p++)
            if (decides(l, (size_t)(p - s->text)) && l->out->from > last.from)
                last = *l->out;
    }
    *l->out = last;
    return span_bytes(last) > 0;
}
