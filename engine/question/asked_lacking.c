// What a question asks for, and a text has nothing of.
#include <string.h>

#include "engine/question/asked.h"
#include "engine/question/asked_impl.h"
#include "engine/question/question.h"
#include "engine/words/chars.h"
#include "engine/words/wordlist.h"

// "How many ...?", "How much ...?"
static int asks_how_many(const char *question)
{
    static const char *const words[] = {" how ", " many much "};
    return asked_behind(question, words, 2) != NULL;
}

// "How many ...?", but of money.
static int counts_things(const char *question)
{
    static const char *const words[] = {" how ", " many "};
    static const char money[] = WORDLIST_CURRENCIES " percent per ";
    const char *what = asked_behind(question, words, 2);
    return what && !asked_has_any(what, money);
}

// Words for somebody, who has a name.
static const char PERSONS[] =
    " man woman boy girl child baby person wife husband mother father sister brother son daughter "
    "uncle aunt cousin friend neighbour neighbor colleague owner captain master doctor vicar "
    "teacher author director manager engineer lawyer accountant secretary treasurer smith miller "
    "baker cook nurse maid servant clerk mate skipper dog cat horse pony donkey parrot ";

// Whether TEXT has a word for somebody, "the Frenchman" and "the saleswoman" as well.
static int has_person(const char *text)
{
    static const char man[] = "man", others[] = " german norman ottoman talisman ";
    enum { LEAST = 6 }; // letters
    char word[ASKED_LONGEST + 1];
    for (size_t at = 0; asked_next_word(text, &at, word);) {
        const size_t n = strlen(word);
        if (asked_is(word, PERSONS) ||
            (n >= LEAST && !strcmp(word + n - strlen(man), man) && !asked_is(word, others)))
            return 1;
    }
    return 0;
}

// Whether QUESTION goes on with somebody's name: "the smith's name?"
static int goes_on_with_name(const char *question)
{
    char word[ASKED_LONGEST + 1];
    for (size_t at = 0; asked_next_word(question, &at, word);) {
        size_t behind = at;
        const char *own = question + at;
        const size_t n = begins_with(own, strlen(own), "'s ")        ? 2
                         : begins_with(own, strlen(own), "\u2019s ") ? 4
                                                                     : 0;
        behind += n;
        if (n && asked_is(word, PERSONS) && asked_next_word(question, &behind, word))
            return asked_is(word, " name ");
    }
    return 0;
}

// Whether QUESTION asks for somebody's name: "What is the name of her sister?", "What is the
// smith's name?", "Who is the treasurer?"
static int asks_for_name(const char *question)
{
    char word[ASKED_LONGEST + 1];
    size_t at = 0;
    question = question_clause(question);
    if (!asked_word(question, &at, word))
        return 0;
    // Not "By whom is the house let?", which an agent may do.
    const int who = asked_is(word, " who ");
    if (!asked_next_word(question, &at, word) || !asked_is(word, " is was are were "))
        return 0;
    if (!who && goes_on_with_name(question + at))
        return 1;
    if (!asked_next_word(question, &at, word) || !asked_is(word, " the "))
        return 0;
    if (who)
        return !asked_has_any(question + at, " for to by with from ");
    return asked_next_word(question, &at, word) && asked_is(word, " name names ") &&
           has_person(question + at);
}

// Whether QUESTION is about one of several by its place, "the second prize", and TEXT only has
// others of these: "the first prize".
static int has_other_place(const char *question, const char *text)
{
    static const char places[] = WORDLIST_ORDINALS,
                      digits[] = " 1st 2nd 3rd 4th 5th 6th 7th 8th 9th 10th ";
    enum { LEAST = 3 }; // letters
    char place[ASKED_LONGEST + 1], thing[ASKED_LONGEST + 1], word[ASKED_LONGEST + 1];
    for (size_t at = 0; asked_next_word(question, &at, place);) {
        const int in_words = word_place(places, place, strlen(place)),
                  is = in_words ? in_words : word_place(digits, place, strlen(place));
        size_t behind = at;
        int others = 0, own = 0, was = 0;
        if (!is || !asked_next_word(question, &behind, thing) || strlen(thing) < LEAST)
            continue;
        for (size_t t = 0; asked_next_word(text, &t, word);) {
            others |= was && !strcmp(word, thing);
            const int in = word_place(places, word, strlen(word));
            was = in ? in : word_place(digits, word, strlen(word));
            own |= was == is;
        }
        if (others && !own)
            return 1;
    }
    return 0;
}

// Whether the word of TEXT from byte FROM to byte TO is all of the heading before a sentence that a
// number is before: "9. Theft. A horn was missed."
static int is_heading(const char *text, size_t from, size_t to)
{
    size_t at = from;
    while (at && text[at - 1] == ' ')
        at--;
    const size_t dot = at;
    at -= at && is_one_of(text[at - 1], ".)");
    const size_t digits = at;
    while (at && is_digit(text[at - 1]))
        at--;
    return at < digits && digits < dot && (!at || text[at - 1] == '\n') && text[to] == '.' &&
           text[to + 1] == ' ';
}

// Whether TEXT has a word with a capital that is no function word, no date, no heading, and not in
// QUESTION: the name of somebody.
static int has_other_name(const char *question, const char *text)
{
    static const char others[] = WORDLIST_FUNCTION WORDLIST_DATES WORDLIST_OF_QUESTIONS;
    char stem[WORD_STEM];
    size_t bytes;
    for (size_t at = 0, n = strlen(text); word_next(text, n, &at, stem, &bytes);)
        if (bytes > 1 && is_upper(text[at - bytes]) && !word_is_common(stem) &&
            !word_is_in(others, sizeof others - 1, stem) &&
            !word_is_in(question, strlen(question), stem) && !is_heading(text, at - bytes, at))
            return 1;
    return 0;
}

// Whether QUESTION asks who is something of something ("Who is the warden of Hale?"), and TEXT has
// not the word for that. What somebody does is said otherwise ("the author of"), and so is kin.
static int lacks_office(const char *question, const char *text)
{
    static const char kin[] =
        " wife husband son child parents uncle aunt niece nephew cousin friend "
        "friends man woman person people name hero spouse boss ",
                      feels[] = " afraid ashamed aware fond guilty jealous proud sick tired sure ";
    static const char *const words[] = {" who ", " is was ", " the "};
    const char *the = asked_behind(question, words, 3);
    const char *office = the ? the : asked_behind(question, words, 2);
    char word[ASKED_LONGEST + 1], last[ASKED_LONGEST + 1] = {0};
    size_t at = 0;
    int n_words = 0;
    if (!office)
        return 0;
    for (; asked_next_word(office, &at, word) && !asked_is(word, " of "); n_words++)
        memcpy(last, word, sizeof last);
    if (!the && (n_words != 1 || asked_is(last, feels))) // "Who was captain of the boat?"
        return 0;
    const size_t n = strlen(last);
    return asked_is(word, " of ") && n > 2 && strcmp(last + n - 2, "er") != 0 &&
           strcmp(last + n - 2, "or") != 0 && !asked_is(last, kin) && !asked_has_form(text, last);
}

// Whether QUESTION asks for the first name of somebody: "What is Mrs Orth's first name?"
static int asks_for_first_name(const char *question)
{
    return asked_has_any(question, " forename vorname ") ||
           asked_has_pair(question, " first christian given middle ", " name ");
}

// Whether TEXT has no first name before the last name in QUESTION, or, where it has that nowhere,
// no other name.
static int lacks_first_name(const char *question, const char *text)
{
    static const char titles[] = " mr mrs ms miss dr sir lady lord herr frau the ";
    char name[WORD_STEM] = {0}, stem[WORD_STEM];
    size_t bytes;
    int seen = 0, first = 0;
    for (size_t at = 0, n = strlen(question); word_next(question, n, &at, stem, &bytes);)
        if (at > bytes && is_upper(question[at - bytes]))
            memcpy(name, stem, WORD_STEM);
    for (size_t at = 0, n = strlen(text); *name && word_next(text, n, &at, stem, &bytes);) {
        const char *word = text + at - bytes;
        if (!memcmp(stem, name, WORD_STEM)) {
            if (first)
                return 0;
            seen = 1;
        }
        // "Nurse", as in "Nurse Pell", where that is asked of her
        first = is_upper(*word) && !word_is_listed(titles, word, bytes) &&
                !word_is_in(question, strlen(question), stem);
    }
    return seen || !has_other_name(question, text);
}

// Whether QUESTION asks who pays for something, and TEXT has no word for that and no money.
static int lacks_payer(const char *question, const char *text)
{
    static const char *const words[] = {" who ", " pays paid pay "};
    static const char pays[] =
        " pay pays paid paying payable payment cost costs expense expenses charge charges charged "
        "bill bills invoice bear bears borne met meets settle settles settled cover covers covered "
        "fund funds funded funding finance finances financed sponsor sponsors sponsored donate "
        "donated donation gift gave given buy buys bought refund reimburse reimburses reimbursed "
        "responsible liable duty share shares account grant contribute contributes contributed ";
    return asked_behind(question, words, 2) && !asked_has_any(text, pays) && !asked_has_money(text);
}

// Whether QUESTION asks how many of some are so ("How many of the boats are blue?"), and TEXT has
// not the word for that: its number is of all of them.
static int lacks_share(const char *question, const char *text)
{
    static const char *const words[] = {" how ", " many ", " of "};
    const char *all = asked_behind(question, words, 3);
    char word[ASKED_LONGEST + 1], last[ASKED_LONGEST + 1] = {0};
    size_t at = 0;
    int is_so = 0;
    if (!all)
        return 0;
    while (asked_next_word(all, &at, word)) {
        is_so = asked_is(last, " are were ");
        memcpy(last, word, sizeof last);
    }
    return is_so && !asked_has_form(text, last);
}

// Whether QUESTION asks what it costs to do something ("What does it cost to cross the lake?"), and
// TEXT has not the word for that: its price is of something else. Some words are said otherwise:
// "admission" for "to get in".
static int lacks_deed(const char *question, const char *text)
{
    static const char others[] =
        " a an the my our your his their me us you him them be become buy do eat enter get go "
        "have join make see stay take travel use visit ";
    static const char *const words[] = {" does ", " it ", " cost ", " to "};
    enum { ALL = sizeof words / sizeof *words };
    char word[ASKED_LONGEST + 1];
    int seen = 0;
    for (size_t at = 0; asked_next_word(question, &at, word);) {
        if (seen == ALL)
            return !asked_is(word, others) && !asked_has_form(text, word);
        seen = asked_is(word, words[seen]) ? seen + 1 : asked_is(word, *words);
    }
    return 0;
}

// Whether TEXT has a word for what is nearly a colour, "greyish", or another one that ends so.
static int has_shade(const char *text)
{
    for (; (text = strstr(text, "ish")); text++)
        if (!word_has(text[strlen("ish")]))
            return 1;
    return 0;
}

// Whether QUESTION asks which colour something has, and TEXT names none.
static int lacks_colour(const char *question, const char *text)
{
    static const char colours[] =
        " white black red green blue yellow brown grey gray pink purple orange violet turquoise "
        "silver golden gold cream beige scarlet crimson maroon navy khaki amber ivory ochre olive "
        "lilac mauve teal tan copper bronze pale dark light bright colourless transparent clear ";
    static const char *const words[] = {" what which ", " colour color "};
    return asked_behind(question, words, 2) && !asked_has_any(text, colours) && !has_shade(text);
}

// Whether QUESTION asks which share of something is so, and TEXT names none.
static int lacks_portion(const char *question, const char *text)
{
    static const char *const words[] = {" what which ", " share percentage proportion fraction ",
                                        " of is was are were goes went did does "};
    static const char shares[] =
        " percent per prozent half halves third thirds quarter quarters fifth fifths sixth sixths "
        "seventh eighth eighths ninth tenth tenths twelfth hundredth all none most majority "
        "nothing "
        "zero equal equally "
        "whole entire entirety every both neither ";
    static const char between[] = " in of ";
    char word[ASKED_LONGEST + 1];
    int n = 0, joint = 0;
    if (!asked_behind(question, words, 3) || strchr(text, '%') || asked_has_any(text, shares))
        return 0;
    for (size_t at = 0; asked_next_word(text, &at, word);) { // "one in five"
        const int number = asked_tells(ASKED_NUMBER, word) || asked_is(word, " one ");
        if (number && joint)
            return 0;
        joint = (n && asked_is(word, between)) || (joint && asked_is(word, " the "));
        n = number;
    }
    return 1;
}

// Whether QUESTION asks for a rate of interest, and TEXT, which may have other amounts, names none.
static int lacks_interest(const char *question, const char *text)
{
    return asked_has_any(question, " interest ") && asked_has_any(question, " rate percentage ") &&
           !strchr(text, '%') &&
           !asked_has_any(text, " interest percent per rate prozent zins zinsen free ");
}

// Whether QUESTION asks for something "of" one whom it names, and TEXT has it of another one: "the
// account of Dunmore" for that of Averill.
static int is_of_other(const char *question, const char *text)
{
    enum { LEAST = 4 }; // letters
    static const char of[] = " of ";
    for (const char *p = question; (p = strstr(p, of)); p++) {
        const char *name = p + (sizeof of - 1);
        const size_t at = (size_t)(p - question), from = word_start_before(question, 0, at);
        size_t n = 0;
        while (word_has(name[n]))
            n++;
        if (!is_upper(*name) || at - from < LEAST || is_upper(question[from]) ||
            words_stand_in(text, strlen(text), name, n))
            continue;
        for (const char *q = text; (q = strstr(q, of)); q++) {
            const size_t to = (size_t)(q - text), first = word_start_before(text, 0, to);
            if (is_upper(q[sizeof of - 1]) && to > first &&
                word_form_is_in(text + first, to - first, question + from, at - from))
                return 1;
        }
    }
    return 0;
}

// The noun that QUESTION asks for, to NOUN: "Which oil goes in?", "How many racks ...?", "What is
// the exposure age of ...?"; 0: none, or one that a column need not be called by.
static int noun_asked(const char *question, char noun[ASKED_LONGEST + 1])
{
    static const char *const many[] = {" how ", " many "},
                             *const the[] = {" what ", " is was are were ", " the "},
                             *const which[] = {" which what "};
    static const char others[] =
        " percentage share proportion company firm contractor supplier person people man woman "
        "name "
        "names day date time year month week number amount price cost fee rate kind type sort way "
        "part one ones thing things is are was were do does did has have had can could will would "
        "should may must ",
                      ends[] =
                          " of for in on at to from with by per between under after before "
                          "during is are was were do does did has have had can will when where "
                          "that which who ";
    const char *at = asked_behind(question, many, 2);
    char word[ASKED_LONGEST + 1];
    size_t to = 0;
    *noun = 0;
    if (!at && (at = asked_behind(question, the, 3))) {
        while (asked_next_word(at, &to, word) && !asked_is(word, ends))
            memcpy(noun, word, sizeof word);
    } else if (at || (at = asked_behind(question, which, 1))) {
        asked_next_word(at, &to, noun);
    }
    return strlen(noun) > 2 && !asked_is(noun, others);
}

// Whether QUESTION asks for something by a noun that neither the row of a table nor the names of
// its columns have, both in TEXT.
static int lacks_column(const char *question, const char *text)
{
    char noun[ASKED_LONGEST + 1];
    int rows = 0;
    for (const char *p = text; (p = strchr(p, '|')); rows++)
        if (!(p = strchr(p, '\n')))
            return rows > 0 && noun_asked(question, noun) && !asked_has_form(text, noun);
    return rows > 1 && noun_asked(question, noun) && !asked_has_form(text, noun);
}

// Whether QUESTION asks how often something is.
static int asks_frequency(const char *question)
{
    static const char *const words[] = {" how ", " often frequently "};
    return asked_behind(question, words, 2) != NULL;
}

// Whether it does so, and TEXT tells no frequency and no span of time.
static int lacks_frequency(const char *question, const char *text)
{
    static const char tells[] =
        " every each per once twice thrice time times always never often seldom rarely regularly "
        "usually sometimes occasionally hourly daily nightly weekly fortnightly monthly quarterly "
        "yearly annually annual interval intervals frequency constantly continuously only hour "
        "hours minutes frequently repeatedly whenever biweekly bimonthly " WORDLIST_SPANS_OF_DAYS
            WORDLIST_EACH_DAY "weekdays weekends mornings evenings nights ";
    return asks_frequency(question) && !asked_has_any(text, tells);
}

int asked_rate_left_out(const char *question, const char *text)
{
    static const char *const spans[] = {" hour hourly stunde ", " day daily tag ",
                                        " week weekly woche ", " month monthly monat ",
                                        " year yearly annual annually annum jahr "};
    char word[ASKED_LONGEST + 1];
    int per = 0;
    if (asked_kind(question) != ASKED_NUMBER)
        return 0;
    for (size_t at = 0; asked_next_word(question, &at, word);) {
        for (size_t i = 0; per && i < sizeof spans / sizeof *spans; i++)
            if (asked_is(word, spans[i]))
                return !asked_has_any(text, spans[i]);
        per = asked_is(word, " a an per each every pro im am ");
    }
    return 0;
}

// Whether TEXT has no number, nor a word for one, of what QUESTION asks a number of.
static int lacks_amount(const char *question, const char *text)
{
    static const char words[] = " no none free both neither single sole lone pair couple fortnight "
                                "keine kostenlos ";
    const int has = counts_things(question) ? asked_has_count(text) : asked_has_amount(text);
    return !has && !asks_frequency(question) && !asked_has_any(text, words);
}

int asked_lacking(const char *question, const char *text)
{
    if (lacks_frequency(question, text) || has_other_place(question, text) ||
        lacks_column(question, text) || lacks_interest(question, text) ||
        asked_lacks_degrees(question, text) || is_of_other(question, text) ||
        asked_lacks_clock(question, text) || asked_of_other_period(question, text) ||
        asked_lacks_measure(question, text) || asked_lacks_months(question, text) ||
        asked_only_to_be(question, text))
        return 1;
    switch (asked_kind(question)) {
    case ASKED_NUMBER:
        if (asked_for_age(question))
            return asked_lacks_age(text);
        return lacks_share(question, text) || lacks_deed(question, text) ||
               asked_lacks_money(question, text) || asked_lacks_unit(question, text) ||
               asked_counts_others(question, text) ||
               (asks_how_many(question) && asked_has_only_labels(text, counts_things(question))) ||
               lacks_amount(question, text);
    case ASKED_SPAN:
        return asked_only_took(question, text) || asked_only_notice(question, text) ||
               (!asked_tells(ASKED_SPAN, text) && !asked_has_amount(text));
    case ASKED_PHONE:
    case ASKED_MAIL:
        return !asked_tells(asked_kind(question), text);
    default:
        break;
    }
    const int named = has_other_name(question, text);
    if (asked_only_denied(question, text) || asked_lacks_doer(question, text, named) ||
        lacks_payer(question, text) || lacks_colour(question, text) ||
        lacks_office(question, text) || lacks_portion(question, text) ||
        asked_lacks_address(question, text) || asked_only_counts(question, text) ||
        asked_lacks_relative(question, text) || asked_leaves_unnamed(question, text) ||
        asked_lacks_death(question, text))
        return 1;
    if (asks_for_first_name(question))
        return lacks_first_name(question, text);
    if (asks_for_name(question))
        return !named && !asked_has_any(text, " called named answers ");
    // Of what is a sum there and often none elsewhere: "the fine for", "the charge against him".
    if (asked_has_any(question, " reward get fetch ") && asked_lacks_money(question, text))
        return 1;
    if (asked_lacks_name(question, text) || asked_lacks_code(question, text) ||
        asked_lacks_place(question, text, named))
        return 1;
    if (asked_for_version(question))
        return !asked_has_digits(text, 1) &&
               !asked_has_any(text, " version versions release releases ");
    return asked_no_time(question, text) || asked_no_birth(question, text);
}
