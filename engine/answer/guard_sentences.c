// What a text takes from several sentences that say the like of different things: "Anna lives in
// Bern. Ben lives in Oslo."
#include <stdint.h>

#include "engine/answer/guard_impl.h"

enum {
    SENTENCES = 64, // that are told apart: one bit each
    LETTERS = 3     // of a word that may tell what a sentence is about
};

// The sentence of each word of T, the first one 0. Returns their number.
static int number_sentences(const struct guard_text *t, uint8_t of[GUARD_WORDS])
{
    int n = 0;
    for (int i = 0; i < t->words; i++) {
        n += i > 0 && n + 1 < SENTENCES && guard_is_parted(t, i - 1, i);
        of[i] = (uint8_t)n;
    }
    return t->words ? n + 1 : 0;
}

// The sentences OF of READ that have a word of STEM, a bit each.
static uint64_t sentences_with(const struct guard_text *read, const uint8_t *of,
                               const char stem[WORD_STEM])
{
    uint64_t with = 0;
    for (int r = 0; r < read->words; r++)
        if (guard_same(read->stem[r], stem, 1))
            with |= UINT64_C(1) << of[r];
    return with;
}

// Whether word I of T may tell what a sentence is about.
static int may_tell(const struct guard_text *t, int i)
{
    return t->bytes[i] >= LETTERS && !word_is_common(t->stem[i]) &&
           !word_says_little(t->text + t->at[i], t->bytes[i], t->stem[i]);
}

// The sentences of READ that do not stand alone: they begin with a word for what was told of before
// ("She lives in Oslo."), or do not end with a full stop, as headings and questions.
static uint64_t sentences_aside(const struct guard_text *read, const uint8_t *of)
{
    static const char leads[] = " it he she they this these that those both here there his her its "
                                "their i we you and but or also then ";
    uint64_t aside = 0;
    for (int r = 0; r < read->words; r++) {
        const int begins = !r || of[r] != of[r - 1],
                  ends = r + 1 == read->words || of[r] != of[r + 1];
        size_t end = read->at[r] + read->bytes[r];
        while (ends && end < read->n && is_one_of(read->text[end], "\"')*_`"))
            end++;
        if ((begins && guard_is_listed(read, r, leads)) ||
            (ends && end < read->n && !is_one_of(read->text[end], ".!")))
            aside |= UINT64_C(1) << of[r];
    }
    return aside;
}

// The first word of each of READ's sentences that may tell what it is about, to FIRST [SENTENCES];
// -1: it has none.
static void find_subjects(const struct guard_text *read, const uint8_t *of, int *first)
{
    for (int s = 0; s < SENTENCES; s++)
        first[s] = -1;
    for (int r = read->words - 1; r >= 0; r--)
        if (may_tell(read, r))
            first[of[r]] = r;
}

static int has_stem(const struct guard_text *t, const char stem[WORD_STEM])
{
    for (int i = 0; i < t->words; i++)
        if (guard_same(t->stem[i], stem, 1))
            return 1;
    return 0;
}

// The sentences of READ, with the words FIRST in them, that begin with a word that T has; LACKED:
// or has not.
static uint64_t sentences_of(const struct guard_text *read, const int *first,
                             const struct guard_text *t, int lacked)
{
    uint64_t begun = 0;
    for (int s = 0; s < SENTENCES; s++)
        if (first[s] >= 0 && has_stem(t, read->stem[first[s]]) != lacked)
            begun |= UINT64_C(1) << s;
    return begun;
}

// Whether G's answer, one sentence, has the word that one sentence of READ begins with, one of
// another that begins otherwise, and one that both have: "Anna lives in Oslo."
static int mixes_alike(const struct guarded *g, const uint8_t *of, const int *first)
{
    uint64_t with[GUARD_WORDS];
    const uint64_t aside = sentences_aside(&g->read, of),
                   own = sentences_of(&g->read, first, &g->own, 0) & ~aside,
                   others = sentences_of(&g->read, first, &g->own, 1) & ~aside;
    for (int i = 0; i < g->own.words; i++) {
        if (i > 0 && guard_is_parted(&g->own, i - 1, i))
            return 0;
        with[i] = may_tell(&g->own, i) ? sentences_with(&g->read, of, g->own.stem[i]) : 0;
    }
    for (int i = 0; i < g->own.words; i++)
        for (int j = 0; j < g->own.words; j++) {
            if (!(with[i] & own) || !(with[j] & others) || (with[i] & with[j]) ||
                (with[i] & ~own) || (with[j] & ~others))
                continue;
            for (int k = 0; k < g->own.words; k++)
                if ((with[k] & with[i]) && (with[k] & with[j]))
                    return 1;
        }
    return 0;
}

// Whether all of G's answer is of one sentence of READ, and another one has all words of the
// question that this has and one more, or one more name: "The cat is called Mimi." for what the dog
// is called, or for who Rex is.
static int tells_of_other(const struct guarded *g, const uint8_t *of, const int *first)
{
    struct guard_text asked;
    uint64_t own = UINT64_MAX, more = UINT64_MAX, one_more = 0, named = 0;
    int some = 0;
    for (int i = 0; i < g->own.words; i++)
        own &= sentences_with(&g->read, of, g->own.stem[i]);
    if (!own || (own & (own - 1)))
        return 0;
    guard_look_at(&asked, g->question, g->n_question);
    for (int i = 0; i < asked.words; i++) {
        const uint64_t with = may_tell(&asked, i) ? sentences_with(&g->read, of, asked.stem[i]) : 0;
        if (with & own) {
            more &= with;
            some = 1;
        } else {
            one_more |= with;
            named |= i > 0 && is_upper(asked.text[asked.at[i]]) ? with : 0;
        }
    }
    one_more &= sentences_of(&g->read, first, &asked, 0);
    return (more & (some ? one_more : named) & ~sentences_aside(&g->read, of)) != 0;
}

// Where READ has the words I and I + 1 of OWN, from word R on; read->words: nowhere.
static int place_of_both(const struct guard_text *own, int i, const struct guard_text *read, int r)
{
    while (r + 1 < read->words && !guard_same(own->stem[i], read->stem[r], 2))
        r++;
    return r + 1 < read->words ? r : read->words;
}

// Whether READ has the words I to I + 2 of OWN, one behind the other.
static int has_three(const struct guard_text *own, int i, const struct guard_text *read)
{
    for (int r = 0; r + 2 < read->words; r++)
        if (guard_same(own->stem[i], read->stem[r], 3))
            return 1;
    return 0;
}

// Whether OWN says that somebody is what another one is in a later sentence of READ: "Anna is the
// smith." of "Anna is away; her brother is the smith." That may begin with a word for the first.
static int is_what_another_is(const struct guard_text *own, const struct guard_text *read)
{
    static const char verbs[] = " is are was were ",
                      same[] =
                          " it he she they this these that those which who there what and but or ";
    for (int i = 1; i + 1 < own->words; i++) {
        if (!guard_is_listed(own, i, verbs) || has_three(own, i - 1, read))
            continue;
        const int first = place_of_both(own, i - 1, read, 0);
        for (int r = place_of_both(own, i, read, first); r < read->words;
             r = place_of_both(own, i, read, r + 1)) {
            int parted = 0;
            for (int w = first + 1; w < r; w++)
                parted |= guard_is_parted(read, w, w + 1);
            if (parted && !guard_is_listed(read, r - 1, same))
                return 1;
        }
    }
    return 0;
}

int guard_mixes_sentences(const struct guarded *g)
{
    uint8_t of[GUARD_WORDS];
    int first[SENTENCES];
    if (number_sentences(&g->read, of) < 2)
        return 0;
    find_subjects(&g->read, of, first);
    return mixes_alike(g, of, first) || tells_of_other(g, of, first) ||
           is_what_another_is(&g->own, &g->read);
}
