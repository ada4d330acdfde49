// What is said once more, with "now": "Ear defenders are now to be worn whenever a pump is running"
// of "Ear defenders are to be worn when two pumps are running.", and what was so in fact, behind
// what people believe.
#define _GNU_SOURCE // memmem
#include <string.h>

#include "engine/changed/changed_impl.h"
#include "engine/lines/lines.h"
#include "engine/words/words.h"

// Whether what T says at token I is only a condition, or the time of something: "accept it after it
// is no longer allowed".
static int is_condition(const struct changed_tokens *t, int i)
{
    enum { NEAR = 4 };
    const int from = i > NEAR ? i - NEAR : 0;
    return changed_first(t, from, i - from, " after if once unless until when whenever ") >= 0;
}

// Whether T says at token I that something is so since then: "are now to be", "may now", "is no
// longer".
static int tells(const struct changed_tokens *t, int i)
{
    static const char before[] = CHANGED_IS "can could has have may must shall should will would ";
    const int no = changed_is(t, i, " longer ") && changed_is(t, i - 1, " no ");
    return (changed_is(t, i, " now ") || (no && !is_condition(t, i))) &&
           changed_is(t, i - 1 - no, before);
}

// Whether sentence V has most of the words of what was said that say something, and the question's,
// of which it has one at least.
static int says_again(const struct changed_looking *l, struct span_of_text v)
{
    enum { FEWEST = 3 }; // words
    const struct changed_said *s = l->s;
    char stem[WORD_STEM];
    size_t bytes;
    int all = 0, shared = 0, asked = 0;
    for (size_t at = l->near.from; word_next(s->text, l->near.to, &at, stem, &bytes);) {
        const char *word = s->text + at - bytes;
        if (!changed_word_tells(bytes, stem) ||
            word_is_in(s->text + l->near.from, at - bytes - l->near.from, stem))
            continue;
        all++; // different ones
        if (!word_form_is_in(s->text + v.from, span_bytes(v), word, bytes))
            continue;
        shared++;
        asked += word_form_is_in(s->question, strlen(s->question), word, bytes);
    }
    return shared >= FEWEST && 5 * shared >= 3 * all && asked;
}

// Whether T says at token I that what it names before that, and was said or asked for, is no longer
// to be had: "Charcoal barbecues are no longer permitted".
static int ends_it(const struct changed_looking *l, const struct changed_tokens *t, int i)
{
    static const char had[] = " accepted allowed available issued needed obliged offered open "
                              "permitted possible provided required sold used ";
    return changed_is(t, i, " longer ") && changed_is(t, i + 1, had) &&
           changed_is_of_thing(l, t, i - 1);
}

// Whether T says at token I that what it names before that, and was said or asked for, does no
// longer do something, with a word behind the verb that stands in L's sentence and is asked for:
// "The desk no longer answers on Saturdays".
static int stops(const struct changed_looking *l, const struct changed_tokens *t, int i)
{
    const struct changed_said *s = l->s;
    if (!changed_is(t, i, " longer ") || !changed_is(t, i - 1, " no ") || i < 2 ||
        !changed_is_of_thing(l, t, i - 1))
        return 0;
    for (int k = i + 2; k < t->n; k++) {
        const char *word = t->text + t->v[k].at.from;
        const size_t n = span_bytes(t->v[k].at);
        char stem[WORD_STEM];
        size_t at = 0;
        if (word_next(word, n, &at, stem, NULL) && changed_word_tells(n, stem) &&
            word_form_is_in(s->text + l->near.from, span_bytes(l->near), word, n) &&
            word_form_is_in(s->question, strlen(s->question), word, n))
            return 1;
    }
    return 0;
}

int changed_again(struct changed_looking *l)
{
    static const char *const ways[] = {" now ", " no longer "};
    const struct changed_said *s = l->s;
    l->near = changed_sentence(s, s->said.from);
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
        const char *p = s->text + s->said.to, *end = s->text + s->n;
        for (; l->left > 0 && (p = memmem(p, (size_t)(end - p), ways[w], strlen(ways[w]))); p++) {
            const size_t at = (size_t)(p - s->text);
            const struct span_of_text v = changed_sentence(s, at);
            struct changed_tokens t;
            int i = 0;
            l->left--;
            changed_tokens(&t, s->text, v.from, v.to);
            while (i < t.n && !(t.v[i].at.from > at && (tells(&t, i) || stops(l, &t, i))))
                i++;
            if (i < t.n && v.from >= s->said.to && span_bytes(v) <= LONGEST_SENTENCE &&
                !changed_is_quoted(s, v.from) &&
                ((!s->unsure && (says_again(l, v) || ends_it(l, &t, i))) || stops(l, &t, i)) &&
                changed_found(l, v))
                return 1;
        }
    }
    return 0;
}

// Whether T tells what people believe: "generally supposed", "it was said".
static int tells_belief(const struct changed_tokens *t)
{
    static const char words[] = " assumed believe believed pretended said suppose supposed think "
                                "thought told ";
    return changed_first(t, 0, t->n, words) >= 0;
}

// Whether QUESTION asks for what is really so.
static int asks_really(const char *question)
{
    return words_listed(" actual actually real really true truly truth ", question,
                        strlen(question));
}

int changed_really(struct changed_looking *l)
{
    enum { MOST = 4 }; // sentences
    const struct changed_said *s = l->s;
    struct changed_tokens t;
    struct span_of_text v;
    size_t at = s->said.to;
    changed_tokens(&t, s->text, s->said.from, s->said.to);
    if (!asks_really(s->question) || !tells_belief(&t))
        return 0;
    l->near = s->said;
    for (int i = 0; i < MOST && changed_next(s, &at, &v) && v.to > at; i++, at = v.to) {
        changed_tokens(&t, s->text, v.from, v.to);
        const int in = changed_first(&t, 0, t.n, " fact reality truth actually really ");
        if (in >= 0 && changed_shares_word(l, v))
            return changed_found(l, v);
    }
    return 0;
}
