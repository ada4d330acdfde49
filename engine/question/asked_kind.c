// What kind of answer a question asks for.

#include "engine/question/asked.h"
#include "engine/question/asked_impl.h"
#include "engine/question/question.h"
#include "engine/words/wordlist.h"

// Lists of words (words.h).
static const char TIMES[] = " time year date day month hour ";
static const char AMOUNTS[] =
    " cost costs price charge charged fee fine rent number limit maximum minimum amount "
    "rate temperature percentage age discount deposit salary distance length width "
    "height speed weight size budget port pay paid ";
static const char PHONES[] = " phone telephone mobile fax telefonnummer handynummer faxnummer ",
                  MAILS[] = " email mail emailadresse mailadresse ",
                  PLACES[] = " number address adresse emailadresse mailadresse telefonnummer "
                             "handynummer faxnummer ";

// What QUESTION asks for if it asks how somebody can be reached: "What is the phone number of ...?"
static enum asked_kind asked_to_reach(const char *question)
{
    if (asked_has_any(question, " number nummer ") && asked_has_any(question, " ring call dial "))
        return ASKED_PHONE;
    if (!asked_has_any(question, PLACES))
        return ASKED_ANYTHING;
    return asked_has_any(question, PHONES)  ? ASKED_PHONE
           : asked_has_any(question, MAILS) ? ASKED_MAIL
                                            : ASKED_ANYTHING;
}

// What a German question asks for.
static enum asked_kind asked_in_german(const char *question, size_t at, const char *first)
{
    char word[ASKED_LONGEST + 1];
    if (asked_is(first, WORDLIST_WHEN_GERMAN))
        return ASKED_TIME;
    if (asked_is(first, WORDLIST_WHY_GERMAN))
        return ASKED_REASON;
    if (asked_is(first, " wieviel wieviele "))
        return ASKED_NUMBER;
    const int how = asked_is(first, " wie ");
    const enum asked_kind reach = asked_to_reach(question);
    if (reach != ASKED_ANYTHING)
        return reach;
    if ((!how && !asked_is(first, " was ")) || !asked_next_word(question, &at, word))
        return ASKED_ANYTHING;
    if (how && asked_is(word, " lange lang "))
        return ASKED_SPAN;
    return asked_is(word, how ? " viel viele vielen oft hoch tief alt breit weit schwer "
                              : " kostet kosten ")
               ? ASKED_NUMBER
               : ASKED_ANYTHING;
}

// Whether QUESTION asks how much of something there is: "What moisture did the chips have?", but
// not "What pressure gauge was bought?"
static int asks_for_quantity(const char *question)
{
    static const char quantities[] = " moisture humidity pressure voltage current diameter "
                                     "thickness depth capacity volume power output yield ";
    static const char *const words[] = {
        " what which ", quantities,
        " is are was were do does did has have had should must can may "};
    return asked_behind(question, words, sizeof words / sizeof *words) != NULL;
}

enum asked_kind asked_kind(const char *question)
{
    char word[ASKED_LONGEST + 1];
    size_t at = 0;
    question = question_clause(question);
    if (!asked_word(question, &at, word))
        return ASKED_ANYTHING;
    if (asked_is(word, WORDLIST_WHO))
        return ASKED_NAME;
    if (asked_is(word, " when "))
        return ASKED_TIME;
    if (asked_is(word, " why "))
        return ASKED_REASON;
    if (asked_is(word, WORDLIST_WHEN_GERMAN WORDLIST_WHY_GERMAN " wieviel wieviele wie was "))
        return asked_in_german(question, at, word);
    const int how = asked_is(word, " how ");
    if ((!how && !asked_is(word, " what which ")) || !asked_next_word(question, &at, word))
        return ASKED_ANYTHING;
    if (how)
        return asked_is(word, ASKED_VERBS) ? ASKED_ANYTHING
               : asked_is(word, " long ")  ? ASKED_SPAN
                                           : ASKED_NUMBER;
    const enum asked_kind reach = asked_to_reach(question);
    if (reach != ASKED_ANYTHING)
        return reach;
    return asked_is(word, TIMES)                                             ? ASKED_TIME
           : asked_has_any(question, AMOUNTS) || asks_for_quantity(question) ? ASKED_NUMBER
                                                                             : ASKED_ANYTHING;
}

int asked_for_version(const char *question)
{
    static const char *const words[] = {" what which welche welcher welchem ",
                                        " version versions release releases "};
    return asked_behind(question, words, 2) != NULL;
}

int asked_for_date(const char *question)
{
    static const char were[] = " did was were has have had wurde wurden war waren hat haben hatte ";
    char word[ASKED_LONGEST + 1];
    size_t at = 0;
    question = question_clause(question);
    if (!asked_word(question, &at, word))
        return 0;
    if (asked_is(word, " what which welchem "))
        return asked_next_word(question, &at, word) &&
               asked_is(word, " date day month year tag datum monat jahr ") &&
               asked_next_word(question, &at, word) && asked_is(word, were);
    return asked_is(word, " when wann ") && asked_next_word(question, &at, word) &&
           asked_is(word, were);
}
