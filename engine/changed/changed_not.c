// Corrections of a word: "Correction: it was the smithy and not the mill that burnt down."
#define _GNU_SOURCE // memmem
#include <string.h>

#include "engine/changed/changed_impl.h"
#include "engine/words/chars.h"
#include "engine/words/words.h"

// Whether T calls itself a correction, or what was said before it a mistake, before token I.
static int corrects(const struct changed_tokens *t, int i)
{
    static const char words[] = " correct corrected correction corrections corrigendum erratum "
                                "error errors mistake mistaken slip wrong wrongly ";
    return changed_first(t, 0, i, words) >= 0;
}

// Whether the word at token I of T, which is denied, has the right one behind it: "it's not
// shellfish, it's walnuts" or, where what is really so is ASKED, "not coal but shale".
static int has_right(const struct changed_tokens *t, int i, int asked)
{
    if (i + 1 >= t->n)
        return 0;
    const char mark = t->text[t->v[i].at.to];
    return ((mark == ',' || mark == ';') && changed_is(t, i + 1, " it's it they're they ")) ||
           (asked && changed_is(t, i + 1, " but "));
}

// The word that T denies by "not" at token I, in a correction or with the right one; no bytes: none
// that says anything.
static struct span_of_text denied(const struct changed_tokens *t, int i, int asked)
{
    static const char before[] = " a an at by for from in my of on our the their to with ";
    const struct span_of_text none = {0, 0};
    const int behind =
        i > 0 && (t->text[t->v[i - 1].at.to] == ',' || changed_is(t, i - 1, " and "));
    char stem[WORD_STEM];
    size_t at = 0;
    int word = i + 1;
    if (!changed_is(t, i, " not "))
        return none;
    while (changed_is(t, word, before))
        word++;
    if (word >= t->n || t->v[word].is_number ||
        !((behind && corrects(t, i)) || has_right(t, word, asked)))
        return none;
    const struct span_of_text v = t->v[word].at;
    const int tells = word_next(t->text + v.from, span_bytes(v), &at, stem, NULL) &&
                      changed_word_tells(span_bytes(v), stem);
    return tells ? v : none;
}

// Whether what stands around the " not " at byte AT may deny a word beside the right one. Most of
// them do not, and are left at once.
static int may_be(const struct changed_said *s, size_t at)
{
    enum { BEFORE = 4, BEHIND = 80 }; // bytes
    const size_t from = at > BEFORE ? at - BEFORE : 0, to = s->n - at < BEHIND ? s->n : at + BEHIND;
    for (size_t i = from; i < to; i++)
        if (is_one_of(s->text[i], ",;") || begins_with(s->text + i, to - i, " but ") ||
            (i < at && begins_with(s->text + i, to - i, " and ")))
            return 1;
    return 0;
}

int changed_not(struct changed_looking *l)
{
    const struct changed_said *s = l->s;
    const char *p = s->text + s->said.to, *end = s->text + s->n;
    const int asked = changed_asks_now(s->question);
    l->near = s->said;
    for (; l->left > 0 && (p = memmem(p, (size_t)(end - p), " not ", 5)); p++) {
        const size_t at = (size_t)(p - s->text);
        if (!may_be(s, at))
            continue;
        const struct span_of_text v = changed_sentence(s, at);
        struct changed_tokens t;
        int i = 0, both;
        l->left--;
        changed_tokens(&t, s->text, v.from, v.to);
        while (i < t.n && t.v[i].at.from < at)
            i++;
        const struct span_of_text old = denied(&t, i, asked);
        const size_t n = span_bytes(old);
        if (n && v.from >= s->said.to && !changed_is_quoted(s, v.from) &&
            words_stand_in(s->answer, strlen(s->answer), s->text + old.from, n) &&
            words_stand_in(s->text + s->said.from, span_bytes(s->said), s->text + old.from, n) &&
            changed_is_about(l, v, &both) && (both || !asked) && changed_found(l, v))
            return 1;
    }
    return 0;
}
