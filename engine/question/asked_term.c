// When a contract, or anything else, begins or ends, and for how long it holds: told in other words
// than it is asked in, "The term is five years from 1 April 2021. It ends on 31 March 2026."
#include <string.h>

#include "engine/question/asked_impl.h"
#include "engine/words/chars.h"
#include "engine/words/dates.h"
#include "engine/words/wordlist.h"

// What holds for a term.
static const char CONTRACTS[] = " lease tenancy agreement contract licence license letting let "
                                "engagement appointment subscription policy warranty guarantee ";

// Whether what stands behind byte AT of TEXT, within a few words of its sentence, has a date.
static int dates_next(const char *text, size_t at)
{
    enum { NEAR = 32 }; // bytes
    const size_t n = strcspn(text + at, ";\n");
    return dates_say(text + at, n < NEAR ? n : NEAR);
}

// Verbs that a question may ask the time of, and what tells it.
static const struct {
    const char *asked, *said;
} VERBS[] = {
    {" end ends expire expires finish finishes ", " ends expires finishes terminates "},
    {" begin begins start starts commence ", " begins starts commences commencing from "},
};
enum { N_VERBS = sizeof VERBS / sizeof *VERBS };

int asked_for_bound(const char *question)
{
    if (asked_kind(question) != ASKED_TIME)
        return 0;
    for (size_t i = 0; i < N_VERBS; i++)
        if (asked_has_any(question, VERBS[i].asked))
            return 1;
    return 0;
}

int asked_says_when(const char *question, const char *text)
{
    char word[ASKED_LONGEST + 1];
    if (!asked_for_bound(question))
        return 0;
    for (size_t i = 0; i < N_VERBS; i++) {
        if (!asked_has_any(question, VERBS[i].asked))
            continue;
        for (size_t at = 0; asked_next_word(text, &at, word);)
            if (asked_is(word, VERBS[i].said) && dates_next(text, at))
                return 1;
    }
    return 0;
}

// Whether TEXT goes on from byte AT with a span of time: "for 21 years", "for a period of".
static int is_for_span(const char *text, size_t at)
{
    enum { NEAR = 5 }; // words
    char word[ASKED_LONGEST + 1];
    for (int i = 0; i < NEAR && asked_next_word(text, &at, word); i++)
        if (asked_is(word, WORDLIST_SPANS_OF_DAYS))
            return 1;
    return 0;
}

int asked_says_term(const char *question, const char *text)
{
    static const char *const words[] = {" how ", " long "};
    static const char lets[] = " let lets leases leased demises demised grants granted lasts runs "
                               "appointed engaged hired ";
    char word[ASKED_LONGEST + 1];
    int term = 0, is_let = 0;
    if (!asked_behind(question, words, 2) || !asked_has_any(question, CONTRACTS))
        return 0;
    for (size_t at = 0; asked_next_word(text, &at, word);) {
        if (term && asked_is(word, " is of shall will runs lasts "))
            return asked_tells(ASKED_SPAN, text + at);
        if (is_let && asked_is(word, " for ") && is_for_span(text, at))
            return 1;
        is_let = (is_let || asked_is(word, lets)) && !is_one_of(text[at], ".;:!?");
        term = asked_is(word, " term ");
    }
    return 0;
}

int asked_only_took(const char *question, const char *text)
{
    static const char *const words[] = {" how ", " long ", " is are "};
    static const char lasts[] = " crossing journey trip voyage passage tour walk ride drive flight "
                                "climb ascent way course training trial meeting stay wait ";
    return asked_behind(question, words, 3) && asked_has_any(text, " took ") &&
           !asked_has_any(question, lasts) && !asked_has_any(text, " long length is are ");
}

int asked_only_notice(const char *question, const char *text)
{
    static const char *const words[] = {" how ", " long "};
    static const char notice[] = " notice ", between[] = " written prior clear ";
    char word[ASKED_LONGEST + 1], next[ASKED_LONGEST + 1];
    int some = 0;
    if (!asked_behind(question, words, 2) || !asked_has_any(question, CONTRACTS) ||
        asked_has_any(question, notice))
        return 0;
    for (size_t at = 0; asked_next_word(text, &at, word);) {
        size_t behind = at;
        if (!asked_is(word, WORDLIST_SPANS))
            continue;
        while (asked_next_word(text, &behind, next) && asked_is(next, between))
            ;
        if (!asked_is(next, notice))
            return 0;
        some = 1;
    }
    return some;
}
