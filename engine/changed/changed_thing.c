// Whether what is told to be another now is what was said, by the words before its verb: "The
// supplement for split duties rises to 7 pounds" of "Split duties carry a supplement of 6 pounds".
#include <string.h>

#include "engine/changed/changed_impl.h"
#include "engine/words/chars.h"
#include "engine/words/wordlist.h"
#include "engine/words/words.h"

// Whether a mark that ends a part of a sentence stands between tokens I and I + 1 of T.
static int ends_part(const struct changed_tokens *t, int i)
{
    for (size_t at = t->v[i].at.to; at < t->v[i + 1].at.from; at++)
        if (is_one_of(t->text[at], ".,:;()"))
            return 1;
    return 0;
}

// Whether token I of T is a word that says what a sentence is about.
static int tells(const struct changed_tokens *t, int i)
{
    static const char verbs[] =
        CHANGED_VERBS CHANGED_MOVES CHANGED_WAYS "becomes goes comes gone brought effect ";
    const char *word = t->text + t->v[i].at.from;
    const size_t n = span_bytes(t->v[i].at);
    char stem[WORD_STEM];
    size_t at = 0;
    return !t->v[i].is_number && !word_has_digit(word, n) && !word_is_listed(verbs, word, n) &&
           !word_is_listed(WORDLIST_MONTHS, word, n) && word_next(word, n, &at, stem, NULL) &&
           changed_word_tells(n, stem);
}

// Behind "the correction that" and the like, among the tokens of T from FROM to before TO, what is
// corrected: its first token; FROM: nothing leads to it.
static int behind_that(const struct changed_tokens *t, int from, int to)
{
    for (int i = from + 1; i < to; i++)
        if (changed_is(t, i, " that ") &&
            changed_is(t, i - 1, " correction corrections amendment alteration change "))
            return i + 1;
    return from;
}

// The tokens of T, *FROM to before *TO, that name what gets another number at token BY: of the part
// of the sentence before it or, where that is but "and would" or "the", of the last one that says
// something, up to its first verb.
static void name_of(const struct changed_tokens *t, int by, int *from, int *to)
{
    static const char first[] =
        CHANGED_IS "has have had will would shall he i it she they we who you ";
    int some = 0;
    for (*from = *to = by; !some && *from > 0;) {
        *to = *from;
        for (some = 0; *from > 0 && (*from == *to || !ends_part(t, *from - 1)); --*from)
            some += tells(t, *from - 1);
    }
    *from = behind_that(t, *from, *to);
    if (*to == by)
        return;
    for (int i = *from; i < *to; i++)
        if (changed_is(t, i, first))
            *to = i;
}

// Whether token I of T is what an amount of TEXT [n] is called that stands there as an adjective:
// "the length" of "12 metres long".
static int is_property(const struct changed_tokens *t, int i, const char *text, size_t n)
{
    static const char *const pairs[][2] = {{" length duration ", " long "},
                                           {" height ", " high tall "},
                                           {" width breadth ", " wide broad "},
                                           {" depth ", " deep "},
                                           {" age ", " old "},
                                           {" weight ", " heavy weighs "},
                                           {" distance ", " far away "},
                                           {" thickness ", " thick "}};
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
        if (changed_is(t, i, pairs[k][0]))
            return words_listed(pairs[k][1], text, n);
    return 0;
}

// The token of T that says whose or of what token I is: "boat" of "rent of the boat"; -1: none.
static int owner_of(const struct changed_tokens *t, int i)
{
    int of = i + 2;
    while (changed_is(t, of, WORDLIST_ARTICLES "her his its my our their your "))
        of++;
    return changed_is(t, i + 1, " of for ") && of < t->n && tells(t, of) ? of : -1;
}

int changed_is_of_other(const struct changed_looking *l, const struct changed_tokens *t)
{
    const struct changed_said *s = l->s;
    const char *text = s->text;
    struct changed_tokens was;
    changed_tokens(&was, text, l->near.from, l->near.to);
    for (int i = 0; i < t->n; i++) {
        const int owner = tells(t, i) ? owner_of(t, i) : -1;
        for (int k = 0; owner >= 0 && k < was.n; k++) {
            const int own =
                span_is_alike(text, t->v[i].at, text, was.v[k].at) ? owner_of(&was, k) : -1;
            if (own < 0)
                continue;
            const char *other = text + t->v[owner].at.from, *word = text + was.v[own].at.from;
            const size_t n = span_bytes(t->v[owner].at), bytes = span_bytes(was.v[own].at);
            if (!word_form_is_in(text + l->near.from, span_bytes(l->near), other, n) &&
                !word_form_is_in(s->question, strlen(s->question), other, n) &&
                !word_form_is_in(text + t->v[0].at.from, t->to - t->v[0].at.from, word, bytes))
                return 1;
        }
    }
    return 0;
}

int changed_is_of_thing(const struct changed_looking *l, const struct changed_tokens *t, int by)
{
    enum { TITLE = 80 }; // bytes
    const struct changed_said *s = l->s;
    const struct span_of_text near = changed_titled(s, l->near, TITLE);
    const char *rare = NULL;
    size_t bytes = 0;
    int from, to, in_near = 0, asked = 0;
    name_of(t, by, &from, &to);
    for (int i = from; i < to; i++) {
        const char *word = t->text + t->v[i].at.from;
        const size_t n = span_bytes(t->v[i].at);
        if (!tells(t, i))
            continue;
        const int is_asked = word_form_is_in(s->question, strlen(s->question), word, n);
        if (word_form_is_in(s->text + near.from, span_bytes(near), word, n)) {
            in_near++;
            asked += is_asked;
            rare = word;
            bytes = n;
        } else if (!is_asked && !changed_has_amount(word, n) && // a fee may be called a charge
                   !is_property(t, i, s->text + near.from, span_bytes(near))) {
            return 0;
        }
    }
    return in_near > 1 || (in_near && changed_is_rare(s, rare, bytes)) ||
           (asked && changed_asks_now(s->question));
}
