// Whether a question asks when something was or is, and a text tells no such time.
#include <string.h>

#include "engine/question/asked.h"
#include "engine/question/asked_impl.h"
#include "engine/words/chars.h"
#include "engine/words/dates.h"
#include "engine/words/wordlist.h"

int asked_for_year(const char *question)
{
    static const char *const words[] = {" what which welchem ", " year jahr "};
    return asked_behind(question, words, 2) != NULL;
}

int asked_has_year(const char *text)
{
    for (size_t at = 0; text[at];) {
        const size_t n = strspn(text + at, "0123456789");
        if (n == 4 && is_one_of(text[at], "12") && (!at || !word_has(text[at - 1])))
            return 1;
        at += n ? n : 1;
    }
    return 0;
}

// Whether TEXT has a number that may be of a time: a year, "5th", "9:30", "9 pm", "at 56".
static int has_time_in_digits(const char *text)
{
    static const char behind[] = " st nd rd th am pm a p o uhr ", before[] = " at aged um mit ";
    char word[ASKED_LONGEST + 1];
    int at_one = 0;
    if (asked_has_year(text))
        return 1;
    for (size_t at = 0; asked_next_word(text, &at, word); at_one = asked_is(word, before)) {
        const size_t n = strspn(word, "0123456789");
        size_t next = at;
        char other[ASKED_LONGEST + 1];
        if (n &&
            (at_one || (word[n] ? asked_is(word + n, behind)
                                : (text[at] == ':' && is_digit(text[at + 1])) ||
                                      (text[at] == ' ' && asked_next_word(text, &next, other) &&
                                       asked_is(other, behind)))))
            return 1;
    }
    return 0;
}

// Whether TEXT tells only what happened "when" something else did, and not what QUESTION is about,
// by its last word: "When the mill was sold it had two wheels." does not tell when it burned.
static int has_other_when(const char *question, const char *text)
{
    char word[ASKED_LONGEST + 1];
    size_t at = 0;
    if (!asked_next_word(text, &at, word) || !asked_is(word, " when ") || asked_has_when(text + at))
        return 0;
    asked_last_word(question, word);
    return *word && !word_form_is_in(text, strlen(text), word, strlen(word));
}

static const char CONDITIONS[] = " if unless whenever while during wenn falls ";

// Whether TEXT tells no time but by numbers, and all of these are in QUESTION: "Ada does 3.4." does
// not tell when 3.4 will be released.
static int has_same_number(const char *question, const char *text)
{
    char word[ASKED_LONGEST + 1];
    int some = 0;
    if (asked_has_when(text))
        return 0;
    for (size_t at = 0; asked_next_word(text, &at, word);) {
        const size_t n = strlen(word);
        if (!word_has_digit(word, n)) {
            if (asked_tells(ASKED_NUMBER, word))
                return 0;
            continue;
        }
        if (!words_stand_in(question, strlen(question), word, n))
            return 0;
        some = 1;
    }
    return some;
}

// Whether TEXT tells no time but by numbers, and all of these only say which one of several things
// is meant: "line 2".
static int has_only_numbers_of(const char *text)
{
    static const char things[] = " line lines table figure page pages section clause item chapter "
                                 "part step level no number room unit annex appendix schedule "
                                 "version release article note paragraph type model ";
    char word[ASKED_LONGEST + 1];
    int some = 0, behind = 0;
    if (asked_has_when(text))
        return 0;
    for (size_t at = 0; asked_next_word(text, &at, word);) {
        const int number = word_has_digit(word, strlen(word));
        if (number && at == strlen(word) && is_one_of(text[at], ".)")) // "39. The fence"
            behind = 1;
        if ((number && !behind) || (!number && asked_tells(ASKED_NUMBER, word)))
            return 0;
        some |= number;
        behind = asked_is(word, things);
    }
    return some;
}

// Whether QUESTION asks for the day: "On what date was it?"
static int asks_for_day(const char *question)
{
    static const char *const words[] = {" what which welchem ", " date day datum tag "};
    return asked_behind(question, words, 2) != NULL;
}

// Whether TEXT has a day or a month, or a year that is not in QUESTION.
static int has_day(const char *question, const char *text)
{
    static const char days[] = WORDLIST_DATES WORDLIST_MONTHS_GERMAN WORDLIST_EACH_DAY
        "birthday midsummer " WORDLIST_MONTHS_SHORT "mon tue tues wed thu thur thurs fri sat "
        "sun today yesterday tomorrow tonight christmas easter eve day later earlier "
        "montag dienstag mittwoch donnerstag freitag samstag sonntag sonnabend ostern weihnachten "
        "tag ";
    static const char behind[] = " st nd rd th ";
    char word[ASKED_LONGEST + 1];
    if (asked_has_any(text, days) || dates_numbered(text))
        return 1;
    for (size_t at = 0; asked_next_word(text, &at, word);) {
        const size_t n = strspn(word, "0123456789");
        if ((n && asked_is(word + n, behind)) || (n && text[at] == '/' && is_digit(text[at + 1])) ||
            (n == 4 && asked_has_year(word) && !strstr(question, word)))
            return 1;
    }
    return 0;
}

// Whether QUESTION asks when something was last so, and TEXT tells only how often it is, or within
// what time, and of no time that was: "It is serviced every four weeks."
static int has_only_spans(const char *question, const char *text)
{
    static const char before[] = " every each within ",
                      was[] = " was were had been did last latest ago since ",
                      spans[] = WORDLIST_SPANS_OF_DAYS " hour hours " WORDLIST_DAYS
                                                       " spring summer autumn winter ";
    enum { BETWEEN = 2 }; // words, as in "five working days"
    char word[ASKED_LONGEST + 1];
    int since = BETWEEN + 1;
    if (!asked_has_any(question, " last ") || asked_has_year(text) || asked_has_any(text, was))
        return 0;
    for (size_t at = 0; asked_next_word(text, &at, word); since++) {
        if (asked_is(word, before))
            since = -1;
        else if (asked_is(word, spans) && since <= BETWEEN)
            return 1;
    }
    return 0;
}

int asked_only_ahead(const char *question, const char *text)
{
    static const char days[] = WORDLIST_DATES WORDLIST_EACH_DAY
        "daily today tomorrow morning afternoon evening noon midnight weekday weekdays weekend ";
    return asked_kind(question) == ASKED_TIME &&
           asked_has_any(text, " ahead advance beforehand ") &&
           !asked_has_any(question, " book booked order ordered apply notice ahead advance ") &&
           !asked_has_any(text, days) && !dates_say(text, strlen(text)) &&
           !has_time_in_digits(text);
}

int asked_only_by_end(const char *question, const char *text)
{
    static const char asks[] = " end ends ended expire expires expired finish finished ",
                      tells[] = " ends ended expires expired finishes finished until till summer "
                                "winter spring autumn season month year week ";
    static const char *const by[] = {"the end", "expiry", "expiration"};
    if (asked_kind(question) != ASKED_TIME || !asked_has_any(question, asks) ||
        asked_has_any(text, tells) || dates_say(text, strlen(text)) || has_time_in_digits(text))
        return 0;
    if (asked_has_pair(text, " may can ", asks))
        return 1;
    for (size_t i = 0; i < sizeof by / sizeof *by; i++)
        if (strstr(text, by[i]))
            return 1;
    return 0;
}

// Whether TEXT tells no day and no hour, and has what QUESTION asks the time of, its last word,
// only as the time of something else: "I was Ada Hatch before I was married."
static int is_other_time(const char *question, const char *text)
{
    static const char times[] = " before after until till bis bevor nachdem ";
    enum { NEAR = 4 }; // words
    char what[ASKED_LONGEST + 1], word[ASKED_LONGEST + 1];
    int behind = NEAR, some = 0;
    if (asked_kind(question) != ASKED_TIME || dates_say(text, strlen(text)) ||
        has_time_in_digits(text))
        return 0;
    asked_last_word(question, what);
    for (size_t at = 0; *what && asked_next_word(text, &at, word); behind++) {
        if (asked_is(word, times))
            behind = -1;
        if (word_form_is_in(what, strlen(what), word, strlen(word))) {
            if (behind >= NEAR)
                return 0;
            some = 1;
        }
        if (is_one_of(text[at], ".,;:!?"))
            behind = NEAR;
    }
    return some;
}

int asked_no_time(const char *question, const char *text)
{
    if (is_other_time(question, text))
        return 1;
    if (asked_only_by_end(question, text) || asked_only_ahead(question, text))
        return 1;
    if (asked_for_year(question))
        return !asked_has_year(text) && !asked_has_any(text, " year years jahr jahre ");
    if (!asked_for_date(question))
        return asked_kind(question) == ASKED_TIME && !asked_has_any(text, CONDITIONS) &&
               (!asked_tells(ASKED_TIME, text) || has_same_number(question, text) ||
                has_only_numbers_of(text));
    if (asks_for_day(question) && asked_has_year(question))
        return !has_day(question, text);
    return has_only_spans(question, text) ||
           (!dates_say(text, strlen(text)) && !has_time_in_digits(text) &&
            (!asked_has_when(text) || has_other_when(question, text)));
}

int asked_may_be_time(const char *value)
{
    static const char others[] =
        " mon tue tues wed thu thur thurs fri sat sun mo di mi fr sa daily weekly fortnightly "
        "monthly quarterly yearly annually hourly nightly spring summer autumn winter term now tbc "
        "tba asap ",
                      first[] = " after as at before from in nach on upon vor am bei beim im ";
    static const char *const units[] = {"%", "$", "\u00a3", "\u20ac", "\u00b0"};
    char word[ASKED_LONGEST + 1];
    size_t at = 0;
    int other = 0;
    for (const char *p = value; *p; p++)
        other |= is_lower(*p) || is_upper(*p);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        other |= strstr(value, units[i]) != NULL;
    return !other || dates_say(value, strlen(value)) || has_time_in_digits(value) ||
           asked_has_when(value) || asked_has_any(value, CONDITIONS) ||
           asked_has_any(value, others) ||
           (asked_next_word(value, &at, word) && asked_is(word, first));
}
