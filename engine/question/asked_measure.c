// Whether a question asks for a measure of something, "What weight can the roof bear?", or for what
// was from one month to another, and a text has nothing of that.
#include <string.h>

#include "engine/question/asked_impl.h"
#include "engine/words/chars.h"
#include "engine/words/wordlist.h"
#include "engine/words/words.h"

// What a question calls a measure, and what a text has for it: a unit, or a word beside a number;
// NULL: any number may be one.
static const struct {
    const char *asked, *units, *beside;
} MEASURES[] = {
    {" weight mass load ", ASKED_WEIGHTS "newton newtons n kn ",
     " weigh weighs weighed weighing weight weights mass load loads heavy carry carries bear bears "
     "hold holds "},
    {" ph speed pressure voltage width height depth length thickness diameter distance capacity "
     "volume concentration dose dosage wattage ",
     NULL, NULL},
};

// What follows the name of a measure that is asked for, and no other word of its name: "speed
// limit".
static const char GOES_ON[] =
    " of is was are were do does did can could should must may might will "
    "would has have had the a an for in at to ";

// Whether TEXT has one of UNITS, which may be joined to its number, "20kg", or a number right
// behind a word of BESIDE, or a few words on.
static int has_measure(const char *text, const char *units, const char *beside)
{
    enum { FEW = 3 }; // words
    char word[ASKED_LONGEST + 1];
    int since = FEW + 1;
    for (size_t at = 0; asked_next_word(text, &at, word); since++) {
        if (asked_is(word + strspn(word, "0123456789"), units) ||
            (since <= FEW && asked_tells(ASKED_NUMBER, word)))
            return 1;
        since = asked_is(word, beside) ? 0 : since;
    }
    return 0;
}

int asked_lacks_measure(const char *question, const char *text)
{
    static const char *const the[] = {" what ", " is was should must ", " the "},
                             *const which[] = {" what which "};
    // By which a measure may be told without a number.
    static const char others[] =
        " full half double twice zero maximum minimum same equal unlimited "
        "limit neutral ";
    const char *at = asked_behind(question, the, 3);
    char measure[ASKED_LONGEST + 1], next[ASKED_LONGEST + 1];
    size_t to = 0;
    at = at ? at : asked_behind(question, which, 1);
    if (!at || !asked_next_word(at, &to, measure) || !asked_next_word(at, &to, next) ||
        !asked_is(next, GOES_ON))
        return 0;
    for (size_t i = 0; i < sizeof MEASURES / sizeof *MEASURES; i++) {
        if (!asked_is(measure, MEASURES[i].asked))
            continue;
        if (!asked_has_amount(text))
            return !asked_has_any(text, others);
        return MEASURES[i].units && !has_measure(text, MEASURES[i].units, MEASURES[i].beside);
    }
    return 0;
}

int asked_lacks_months(const char *question, const char *text)
{
    static const char parts[] =
        " spring summer autumn fall winter quarter quarterly season half q1 "
        "q2 q3 q4 ";
    char months[2][ASKED_LONGEST + 1] = {{0}}, word[ASKED_LONGEST + 1];
    int n = 0, joint = 0, others = 0;
    for (size_t at = 0; n < 2 && asked_next_word(question, &at, word);) {
        if (asked_is(word, WORDLIST_MONTHS) && (!n || joint))
            memcpy(months[n++], word, sizeof word);
        else if (n)
            joint = asked_is(word, " to and until till through ");
    }
    if (n < 2 || !asked_has_any(question, " from between "))
        return 0;
    for (size_t at = 0; asked_next_word(text, &at, word);) {
        if (!strcmp(word, months[0]) || !strcmp(word, months[1]) || asked_is(word, parts))
            return 0;
        others |= (is_upper(text[at - strlen(word)]) && asked_is(word, WORDLIST_MONTHS)) ||
                  asked_is(word, " year years month months annual ");
    }
    return others;
}
