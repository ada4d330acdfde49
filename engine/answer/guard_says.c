// What a text that was written says otherwise than what was read.
#include <string.h>

#include "engine/answer/guard_impl.h"
#include "engine/lines/lines.h"
#include "engine/question/asked.h"
#include "engine/words/wordlist.h"

static int count_of(const struct guard_text *t, const char stem[WORD_STEM])
{
    int count = 0;
    for (int i = 0; i < t->words; i++)
        count += guard_same(stem, t->stem[i], 1);
    return count;
}

// Whether a sentence of G's answer has the name that word I is once more.
static int names_again(const struct guarded *g, int i)
{
    const struct guard_text *own = &g->own;
    for (int k = i + 1; k < own->words && !guard_is_parted(own, k - 1, k); k++)
        if (guard_same(own->stem[i], own->stem[k], 1))
            return is_upper(own->text[own->at[i]]) && is_upper(own->text[own->at[k]]);
    return 0;
}

// Whether a word of G's answer is there twice, and read but once: one that is not in its question,
// or a name, "Lisa gave four to Lisa" of "Gave four to Lisa".
static int says_twice(const struct guarded *g)
{
    for (int i = 0; i < g->own.words; i++) {
        const char *stem = g->own.stem[i];
        if (guard_is_telling(stem) && count_of(&g->own, stem) > 1 &&
            count_of(&g->read, stem) == 1 &&
            (!word_is_in(g->question, g->n_question, stem) || names_again(g, i)))
            return 1;
    }
    return 0;
}

// Whether G's answer says two words, one of which says something, twice and oftener than what was
// read: "60 per cent go to the kitchen and 30 to the kitchen"; or two numbers.
static int repeats(const struct guarded *g)
{
    for (int i = 0; i + 2 <= g->own.words; i++) {
        const char(*both)[WORD_STEM] = g->own.stem + i;
        const int says = guard_is_telling(both[0]) || guard_is_telling(both[1]) ||
                         (is_digit(both[0][0]) && is_digit(both[1][0]));
        const int count = says ? guard_count_both(&g->own, both[0]) : 0;
        if (count > 1 && count > guard_count_both(&g->read, both[0]))
            return 1;
    }
    return 0;
}

// Whether G's answer says what was read as denied: two words, one of which says something, behind
// "no" or "not", while the answer denies nothing.
static int drops_denial(const struct guarded *g)
{
    static const char denials[] = WORDLIST_DENIALS "without cannot ohne";
    const char(*read)[WORD_STEM] = g->read.stem;
    for (int i = 0; i < g->own.words; i++)
        if (word_is_in(denials, sizeof denials - 1, g->own.stem[i]))
            return 0;
    for (int r = 0; r + 2 < g->read.words; r++)
        if (word_is_in(denials, sizeof denials - 1, read[r]) &&
            (guard_is_telling(read[r + 1]) || guard_is_telling(read[r + 2])) &&
            guard_count_both(&g->own, read[r + 1]))
            return 1;
    return 0;
}

// Whether word A of T is before word B, or one that says the same of several, with none between.
static int has_pair(const struct guard_text *t, const struct guard_text *of, int a, int b)
{
    static const char be[] = " is are was were ";
    for (int i = 1; i < t->words; i++)
        if (guard_same(t->stem[i], of->stem[b], 1) && !guard_is_parted(t, i - 1, i) &&
            (guard_same(t->stem[i - 1], of->stem[a], 1) ||
             (guard_is_listed(t, i - 1, be) && guard_is_listed(of, a, be))))
            return 1;
    return 0;
}

// Whether OWN begins, but for an article, as READ goes on from word R, and nowhere else.
static int begins_at(const struct guard_text *own, const struct guard_text *read, int r)
{
    const int first = own->words > 1 && guard_is_listed(own, 0, WORDLIST_ARTICLES) ? 1 : 0;
    if (guard_is_listed(read, r, WORDLIST_ARTICLES))
        r++;
    return first + 2 <= own->words && r + 2 <= read->words &&
           guard_same(own->stem[first], read->stem[r], 2) &&
           guard_count_both(read, read->stem[r]) == 1;
}

// Whether G's answer says without a word what was read with it alone, and with what limits it:
// "Boats are let in the bay." of "Boats are let only in the bay."
static int drops_limit(const struct guarded *g)
{
    static const char limits[] = " only likely probably perhaps possibly maybe allegedly almost "
                                 "nearly hardly barely scarcely rarely seldom nur wohl kaum fast ";
    const struct guard_text *own = &g->own, *read = &g->read;
    for (int i = 0; i < own->words; i++)
        if (guard_is_listed(own, i, limits))
            return 0;
    for (int r = 0; r + 1 < read->words; r++) {
        if (!guard_is_listed(read, r, limits))
            continue;
        const int first = !r || guard_is_parted(read, r - 1, r);
        if (first ? begins_at(own, read, r + 1)
                  : has_pair(own, read, r - 1, r + 1) && !has_pair(read, read, r - 1, r + 1))
            return 1;
    }
    return 0;
}

// Whether G's answer speaks to who asks of what who wrote says of himself: "You broke your arm." of
// "Broke my arm."
static int speaks_to_other(const struct guarded *g)
{
    static const char you[] = " you your yours ", me[] = " i me my mine we us our ours ";
    return words_listed(you, g->own.text, g->own.n) &&
           !words_listed(you, g->read.text, g->read.n) &&
           words_listed(me, g->read.text, g->read.n) &&
           !words_listed(me, g->question, g->n_question);
}

// Whether G's answer says of something that it is of itself: "The size of the list of the size".
static int is_of_itself(const struct guarded *g)
{
    static const char of[] = " of von ", others[] = WORDLIST_ARTICLES " der die das des dem den ";
    const struct guard_text *own = &g->own;
    for (int i = 0, last; i + 2 < own->words; i++) {
        if (!guard_is_telling(own->stem[i]) || !guard_is_listed(own, i + 1, of))
            continue;
        for (last = i + 2; last < own->words && guard_is_listed(own, last, others);)
            last++;
        if (last + 2 >= own->words || !guard_is_listed(own, last + 1, of))
            continue;
        for (last += 2; last < own->words && guard_is_listed(own, last, others);)
            last++;
        if (last < own->words && guard_same(own->stem[i], own->stem[last], 1))
            return 1;
    }
    return 0;
}

// Whether G's answer has a number that is not in its question where another one was read before the
// same two words.
static int changes_number(const struct guarded *g)
{
    const char(*own)[WORD_STEM] = g->own.stem, (*read)[WORD_STEM] = g->read.stem;
    for (int i = 0; i + 2 < g->own.words; i++) {
        int others = 0, own_ones = 0;
        if (!is_digit(own[i][0]) || word_is_in(g->question, g->n_question, own[i]))
            continue;
        for (int r = 0; r + 2 < g->read.words; r++)
            if (is_digit(read[r][0]) && guard_same(read[r + 1], own[i + 1], 2)) {
                own_ones += guard_same(read[r], own[i], 1);
                others++;
            }
        if (others && !own_ones)
            return 1;
    }
    return 0;
}

// Whether all words of the label TEXT [n] are in G's question, and it has one of four letters or
// more.
static int is_asked(const char *text, size_t n, const struct guarded *g)
{
    char stem[WORD_STEM];
    size_t bytes;
    int long_one = 0;
    for (size_t at = 0; word_next(text, n, &at, stem, &bytes);) {
        if (!word_form_is_in(g->question, g->n_question, text + at - bytes, bytes))
            return 0;
        long_one |= bytes >= GUARD_SHORTEST;
    }
    return long_one;
}

// Whether G's answer has nothing of the value of the one line read whose label is asked for: "The
// volume is 731." of "volume = {5}", "pages = {731--740}".
static int tells_other_field(const struct guarded *g)
{
    const char *read = g->read.text;
    char stem[WORD_STEM];
    size_t value = 0, end = 0, to;
    int labels = 0, asked = 0;
    if (!asked_what(g->question))
        return 0;
    for (size_t at = 0; at < g->read.n; at = to + 1) {
        const char *stop = memchr(read + at, '\n', g->read.n - at);
        to = stop ? (size_t)(stop - read) : g->read.n;
        while (at < to && is_space(read[at]))
            at++;
        const size_t label = line_label(read + at, to - at);
        labels += label > 0;
        if (!label || !is_asked(read + at, label, g))
            continue;
        asked++;
        value = at + label;
        end = to;
    }
    if (asked != 1 || labels < 2)
        return 0;
    for (size_t at = value; word_next(read, end, &at, stem, NULL);)
        if (word_is_in(g->own.text, g->own.n, stem))
            return 0;
    return 1;
}

// Whether T has a word like WORD [bytes] of STEM: a long one, of which the stem is but a part, in
// another form ("accountant" is not like "account", "delivery" is like "delivered").
static int has_like(const struct guard_text *t, const char *word, size_t bytes,
                    const char stem[WORD_STEM])
{
    enum { LONG = 9, MORE = 2 }; // bytes
    char other[WORD_STEM];
    size_t n;
    for (size_t at = 0; word_next(t->text, t->n, &at, other, &n);)
        if (guard_same(stem, other, 1) &&
            (bytes < LONG || n + MORE >= bytes || word_same(word, bytes, t->text + at - n, n) < n))
            return 1;
    return 0;
}

// Whether G's answer has a word that says something, a code such as E7, or behind its first word a
// name, that was not read: a small model makes up what is not there, and says of one thing what is
// said of another.
static int adds_words(const struct guarded *g)
{
    const char *text = g->own.text;
    char stem[WORD_STEM];
    size_t bytes;
    for (size_t at = 0; word_next(text, g->own.n, &at, stem, &bytes);) {
        const char *word = text + at - bytes;
        const int code = word_has_digit(word, bytes),
                  name = bytes > 1 && is_upper(*word) && (at > bytes || code);
        if ((name || bytes >= GUARD_SHORTEST) && !word_is_common(stem) &&
            !has_like(&g->read, word, bytes, stem))
            return 1;
    }
    return 0;
}

// Whether G's answer begins as a question does, which nothing that was read does: "When should you
// ring if there is a leak."
static int asks_again(const struct guarded *g)
{
    const struct guard_text *own = &g->own, *read = &g->read;
    if (own->words < 2 || !guard_is_listed(own, 0, WORDLIST_ASKING) ||
        !guard_is_listed(own, 1, GUARD_VERBS))
        return 0;
    for (int i = 0; i + 1 < read->words; i++)
        if (guard_same(read->stem[i], own->stem[0], 2))
            return 0;
    return 1;
}

static int has_listed(const struct guard_text *t, const char *list)
{
    for (int i = 0; i < t->words; i++)
        if (guard_is_listed(t, i, list))
            return 1;
    return 0;
}

// Whether G's answer has a word, and none of what was read, of which that has the contrary, and the
// answer none: "The nursery opens for three weeks in summer." of "closes", as it was asked when it
// opens.
static int says_contrary(const struct guarded *g)
{
    static const char *const contraries[][2] = {
        {" open opens opened ", " close closes closed shut shuts "},
        {" start starts started begin begins began ", " end ends ended "},
        {" before ", " after "},
        {" buy buys bought ", " sell sells sold "},
        {" lend lends lent ", " borrow borrows borrowed "},
        {" include includes included including ", " exclude excludes excluded excluding "},
        {" allowed permitted ", " forbidden prohibited banned "},
        {" arrive arrives arrived ", " depart departs departed leave leaves "},
        {" win wins won ", " lose loses lost "},
        {" maximum ", " minimum "},
    };
    for (size_t i = 0; i < sizeof contraries / sizeof *contraries; i++)
        for (int side = 0; side < 2; side++) {
            const char *word = contraries[i][side], *other = contraries[i][!side];
            if (has_listed(&g->own, word) && !has_listed(&g->read, word) &&
                has_listed(&g->read, other) && !has_listed(&g->own, other))
                return 1;
        }
    return 0;
}

// Whether G's answer says of something that it is free, which was read but of others, right behind
// them: "The fair is in May and is free." of "The fair is in May; adults 3 pounds, children free."
static int frees_others(const struct guarded *g)
{
    static const char free[] = " free ";
    const struct guard_text *read = &g->read;
    int there = 0;
    if (!has_listed(&g->own, free))
        return 0;
    for (int i = 1; i < read->words; i++) {
        if (!guard_is_listed(read, i, free))
            continue;
        there = 1;
        if (!guard_is_telling(read->stem[i - 1]) || count_of(&g->own, read->stem[i - 1]))
            return 0;
    }
    return there;
}

int guard_says_otherwise(const struct guarded *g)
{
    return repeats(g) || asks_again(g) || asked_of_another(g->question, g->read.text) ||
           drops_denial(g) || says_contrary(g) || drops_limit(g) || speaks_to_other(g) ||
           is_of_itself(g) || changes_number(g) || says_twice(g) || tells_other_field(g) ||
           frees_others(g) || adds_words(g);
}
