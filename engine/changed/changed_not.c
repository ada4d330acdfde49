// Corrections of a word: "Correction: it was the smithy and not the mill that burnt down.", and of
// a guess: "It wasn't the seal. A mouse had eaten through the cable."
#define _GNU_SOURCE // memmem
#include <string.h>

#include "engine/changed/changed_impl.h"
#include "engine/words/chars.h"
#include "engine/words/words.h"

// Whether T calls itself a correction, or what was said before it a mistake, before token I, or
// says how something turned out.
static int corrects(const struct changed_tokens *t, int i)
{
    static const char words[] = " correct corrected correction corrections corrigendum erratum "
                                "error errors mistake mistaken slip wrong wrongly ";
    const int turned = changed_first(t, 0, i, " turns turned ");
    return changed_first(t, 0, i, words) >= 0 ||
           (turned >= 0 && turned + 1 < i && changed_is(t, turned + 1, " out "));
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

// Whether sentence V of TEXT begins with "it" at byte AT, or with "So it" or the like.
static int begins_with_it(const char *text, struct span_of_text v, size_t at)
{
    enum { MOST = 4 }; // words
    static const char before[] =
        " and but end however in no now of out so sorry the then well yes ";
    struct changed_tokens t;
    changed_tokens(&t, text, v.from, at);
    for (int i = 0; i < t.n; i++)
        if (!changed_is(&t, i, before))
            return 0;
    return (text[at] == 'I' || text[at] == 'i') && t.n <= MOST;
}

// Whether what was said is only a guess.
static int is_guess(const struct changed_looking *l)
{
    static const char words[] = " guess likely maybe must perhaps possibly presumably probably "
                                "seems suppose suspect suspected think thought ";
    return words_listed(words, l->s->text + l->near.from, span_bytes(l->near));
}

// Whether what T denies from token I on is but what was said, up to the end of that part: "the
// seal.", "the seal after all, it was the gland", but not "the seal that I paid for".
static int denies_said(const struct changed_looking *l, const struct changed_tokens *t, int i)
{
    enum { MOST = 3 }; // words
    const struct changed_said *s = l->s;
    int rare = 0, n = 0;
    while (changed_is(t, i, " a an at all by in on our the their "))
        i++;
    for (; i < t->n && n < MOST && !changed_is(t, i, " after but at "); i++, n++) {
        const char *word = t->text + t->v[i].at.from;
        const size_t bytes = span_bytes(t->v[i].at);
        char stem[WORD_STEM];
        size_t at = 0;
        if (t->v[i].is_number || !word_form_is_in(s->answer, strlen(s->answer), word, bytes) ||
            !word_form_is_in(s->text + l->near.from, span_bytes(l->near), word, bytes))
            return 0;
        rare |= word_next(word, bytes, &at, stem, NULL) && changed_word_tells(bytes, stem) &&
                changed_is_rare(s, word, bytes);
        if (i + 1 == t->n || is_one_of(t->text[t->v[i].at.to], ".,;:!"))
            return rare;
    }
    return rare && (changed_is(t, i, " but ") ||
                    ((changed_is(t, i, " after ") || changed_is(t, i, " at ")) &&
                     changed_is(t, i + 1, " all ")));
}

// Whether the "it" at byte AT of S's text, with no more than "was not" up to byte BEHIND, begins a
// sentence that denies what was said; that is what is found.
static int denies_it(struct changed_looking *l, size_t at, size_t behind)
{
    const struct changed_said *s = l->s;
    const struct span_of_text v = changed_sentence(s, at);
    struct changed_tokens t;
    l->left--;
    if (v.from < s->said.to || changed_is_quoted(s, at) || !begins_with_it(s->text, v, at))
        return 0;
    changed_tokens(&t, s->text, behind, v.to);
    return denies_said(l, &t, 0) && changed_found(l, changed_with_next(s, v));
}

int changed_not_it(struct changed_looking *l)
{
    // Without the first letter of "it", which may be a capital.
    static const char *const WAYS[] = {"t was not ",
                                       "t wasn't ",
                                       "t wasn\u2019t ",
                                       "t is not ",
                                       "t isn't ",
                                       "t isn\u2019t ",
                                       "t's not ",
                                       "t\u2019s not ",
                                       "t was never ",
                                       "t turned out not to be ",
                                       "t turns out not to be "};
    const struct changed_said *s = l->s;
    l->near = s->said;
    if (s->unsure && !is_guess(l))
        return 0;
    for (size_t w = 0; w < sizeof WAYS / sizeof *WAYS; w++) {
        const size_t n = strlen(WAYS[w]);
        const char *p = s->text + s->said.to, *end = s->text + s->n;
        for (; l->left > 0 && (p = memmem(p, (size_t)(end - p), WAYS[w], n)); p++) {
            const size_t at = (size_t)(p - s->text);
            if (denies_it(l, at - 1, at + n))
                return 1;
        }
    }
    return 0;
}
