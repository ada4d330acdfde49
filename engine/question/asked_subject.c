// Whether a text tells of another thing what a question asks of one that the text has as well:
// "When was the weir repaired?" of "The boat was repaired in May, below the weir." Or that what is
// asked for is not done.
#include "engine/question/asked.h"
#include "engine/question/asked_impl.h"
#include "engine/question/question.h"
#include "engine/words/chars.h"
#include "engine/words/wordlist.h"
#include "engine/words/words.h"

#include <string.h>

struct word {
    const char *text; // in the question
    size_t n;
};

// What is asked of, "the weir", by its last word, and what was done to it.
struct passive {
    struct word thing, done;
    int by_whom; // is asked
};

// Reads QUESTION, "When was the weir repaired?" or "Who repairs the weir?": 1, or 0 where it asks
// otherwise.
static int read_question(struct passive *p, const char *question)
{
    static const char *const times[] = {" when where why ", " was were is are "}, *const whom[] = {
                                                                                      " who "};
    const char *rest = asked_behind(question, times, 2);
    const int by_whom = !rest;
    if (by_whom && !(rest = asked_behind(question, whom, 1)))
        return 0;
    const size_t n = strlen(rest);
    struct word first = {0}, before = {0}, last = {0};
    char stem[WORD_STEM];
    for (size_t at = 0, bytes; word_next(rest, n, &at, stem, &bytes);) {
        before = last;
        last = (struct word){rest + at - bytes, bytes};
        first = first.n ? first : last;
    }
    *p = by_whom ? (struct passive){last, first, 1} : (struct passive){before, last, 0};
    return before.n && p->thing.n > 2 && p->done.n > 2 &&
           !word_has_digit(p->thing.text, p->thing.n) &&
           !word_is_listed(" the this that there here it they you she ", p->thing.text,
                           p->thing.n) &&
           !word_is_listed(" was were are has had did does will can may must should ", p->done.text,
                           p->done.n);
}

// Where the clause of TEXT that ends before byte AT begins.
static size_t clause_start(const char *text, size_t at)
{
    while (at > 0 && !is_one_of(text[at - 1], ".,;:!?|\n\""))
        at--;
    return at;
}

// Whether something was done, P's, right behind "was" in TEXT, whose words begin at byte AT, but
// for an adverb.
static int is_done(const struct passive *p, const char *text, size_t at)
{
    char stem[WORD_STEM];
    size_t bytes;
    for (int i = 0; i < 2 && word_next(text, strlen(text), &at, stem, &bytes); i++) {
        if (word_form_is_in(p->done.text, p->done.n, text + at - bytes, bytes))
            return 1;
        if (!word_is_listed(" first finally last only then not again being been ",
                            text + at - bytes, bytes))
            return 0;
    }
    return 0;
}

// Whether TEXT, behind byte AT, goes on with "by" and, a few words on, P's thing: it does that.
static int is_by_it(const struct passive *p, const char *text, size_t at)
{
    enum { FEW = 4 };
    char word[ASKED_LONGEST + 1];
    if (!asked_next_word(text, &at, word) || !asked_is(word, " by "))
        return 0;
    for (int i = 0; i < FEW && asked_next_word(text, &at, word); i++)
        if (word_form_is_in(p->thing.text, p->thing.n, word, strlen(word)))
            return 1;
    return 0;
}

// Whether TEXT says that P's thing did something like that, "chosen by the secretary" of "Who
// chooses the secretary?"
static int does_itself(const struct passive *p, const char *text)
{
    char word[ASKED_LONGEST + 1];
    for (size_t at = 0; asked_next_word(text, &at, word);)
        if (word_form_is_in(p->done.text, p->done.n, word, strlen(word)) && is_by_it(p, text, at))
            return 1;
    return 0;
}

int asked_subject(const char *question, const char *text)
{
    static const char pronouns[] = " it they this that these those which who he she we i you one "
                                   "there all both neither none each was were has had have ";
    struct passive p;
    char word[ASKED_LONGEST + 1], last[ASKED_LONGEST + 1] = "";
    int unknown = 0, others = 0;
    if (!read_question(&p, question) ||
        !word_form_is_in(text, strlen(text), p.thing.text, p.thing.n))
        return 0;
    if (p.by_whom && does_itself(&p, text))
        return -1;
    for (size_t at = 0; !p.by_whom && asked_next_word(text, &at, word);
         memcpy(last, word, sizeof last)) {
        if (!asked_is(word, " was were is are been ") || !is_done(&p, text, at))
            continue;
        const size_t to = at - strlen(word), from = clause_start(text, to);
        if (word_form_is_in(text + from, to - from, p.thing.text, p.thing.n))
            return 1;
        if (!*last || asked_is(last, pronouns))
            unknown = 1;
        else
            others = 1;
    }
    return others && !unknown ? -1 : 0;
}

int asked_only_undone(const char *question, const char *text)
{
    enum { LEAST = 3 }; // letters
    static const char denials[] =
        WORDLIST_DENIALS " don't doesn't didn't can't cannot won't mustn't t ";
    const char *clause = question_clause(question);
    char verb[ASKED_LONGEST + 1], word[ASKED_LONGEST + 1];
    size_t at = asked_how(clause, strlen(clause));
    int behind = 0, denied = 0;
    if (!at || asked_has_any(question, WORDLIST_DENIALS) || !asked_next_word(clause, &at, verb) ||
        strlen(verb) < LEAST)
        return 0;
    for (at = 0; asked_next_word(text, &at, word); behind = asked_is(word, denials)) {
        if (!word_form_is_in(verb, strlen(verb), word, strlen(word)))
            continue;
        if (!behind)
            return 0;
        denied = 1;
    }
    return denied;
}
