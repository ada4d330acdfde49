// Whether a question asks for money, and a text has none.
#include <string.h>

#include "engine/question/asked_impl.h"
#include "engine/question/question.h"
#include "engine/words/chars.h"
#include "engine/words/wordlist.h"
#include "engine/words/words.h"

// Words of questions that ask for money, whatever else they have.
#define OF_MONEY                                                                                   \
    " cost costs price prices pay pays paid fee fees fine rent salary wage wages bonus deposit "   \
    "charge charged charges earn earns earned spend spent raise raised owe owes worth "
// The same of those that ask how much.
static const char MUCH[] =
    OF_MONEY " premium premiums rental subscription subscriptions ticket "
             "tickets donate donated donation donations quote quotes quoted ";

// Whether REST asks what somebody gets for something: "she get for the boat?", but no present, nor
// what is due for doing something.
static int gets_for(const char *rest)
{
    static const char its[] = " the his her its their our my your these those ";
    char word[ASKED_LONGEST + 1];
    int behind = 0;
    if (!asked_has_any(rest, " get got fetch sold receive make offered ") ||
        asked_has_any(rest, " birthday christmas present prize breakfast lunch dinner "))
        return 0;
    for (size_t at = 0; asked_next_word(rest, &at, word); behind = asked_is(word, " for "))
        if (behind)
            return asked_is(word, its);
    return 0;
}

// Whether REST, which follows "How much", asks that, "did she get for the boat?", or ends so: "was
// it sold for?"
static int does_get_for(const char *rest)
{
    static const char deals[] = " sold sell sells bought buy go goes ";
    char word[ASKED_LONGEST + 1], last[ASKED_LONGEST + 1];
    size_t at = 0;
    asked_last_word(rest, last);
    if (!asked_next_word(rest, &at, word) || !asked_is(word, " did do does will would was were "))
        return 0;
    return gets_for(rest + at) || (asked_is(last, " for ") && asked_has_any(rest, deals));
}

// Whether REST, which follows "How much", asks what one thing is: "is a room?"
static int is_of_one(const char *rest)
{
    static const char units[] = " mile acre pound ounce gallon pint stone foot yard inch gram kilo "
                                "litre cup cupful tablespoon teaspoon spoonful third quarter half "
                                "share little lot ";
    char word[ASKED_LONGEST + 1];
    size_t at = 0;
    return asked_next_word(rest, &at, word) && asked_is(word, " is was are were ") &&
           asked_next_word(rest, &at, word) && asked_is(word, " a an one ") &&
           asked_next_word(rest, &at, word) && !asked_is(word, units);
}

// Whether QUESTION asks how much money something is: "How much is the fee?", "What is the rent?",
// "What rent does Ada pay?", "What did the boat cost?"
static int asks_for_money(const char *question)
{
    char word[ASKED_LONGEST + 1];
    size_t at = 0;
    question = question_clause(question);
    if (!asked_word(question, &at, word) || !asked_next_word(question, &at, word))
        return 0;
    if (asked_is(word, " much "))
        return asked_has_any(question + at, MUCH) || asked_has_any(question + at, " money ") ||
               does_get_for(question + at) || is_of_one(question + at);
    if (asked_is(word, " do does did will would "))
        return asked_has_any(question + at, " cost ") || gets_for(question + at) ||
               (asked_has_any(question + at, " charge ") &&
                !asked_has_any(question + at, " with ")) ||
               (asked_has_any(question + at, " pay charge earn owe ") &&
                asked_has_any(question + at, " rent fee price wage wages salary toll premium "));
    return asked_is(word, " rent fee price salary wage fare toll deposit premium reward ") ||
           (asked_is(word, " pay ") && asked_has_any(question + at, " raise rise increase ")) ||
           (asked_is(word, " is was are were ") && asked_has_any(question + at, OF_MONEY));
}

// Whether TEXT has a share, which may be one of an amount of money.
static int has_share(const char *text)
{
    return strchr(text, '%') || strstr(text, " per cent") ||
           asked_has_any(text, " percent prozent ");
}

// Whether TEXT has a share that something is cheaper by, "ten per cent off", which is not what
// QUESTION asks for.
static int has_only_discount(const char *question, const char *text)
{
    static const char words[] = " off discount discounts reduction reduced rebate cheaper saving ";
    return has_share(text) && asked_has_any(text, words) && !asked_has_any(question, words) &&
           !asked_has_any(question, " save less lower ");
}

// Whether TEXT has a share, and not the word for what QUESTION asks for if that is paid every
// month: the share is of something else.
static int has_other_share(const char *question, const char *text)
{
    static const char regular[] = " rent salary wage wages ";
    char word[ASKED_LONGEST + 1];
    for (size_t at = 0; asked_next_word(question, &at, word);)
        if (asked_is(word, regular))
            return has_share(text) && !word_form_is_in(text, strlen(text), word, strlen(word));
    return 0;
}

// Whether TEXT goes on with the half of the day of a time before it: " p.m."
static int is_half_of_day(const char *text)
{
    text += *text == ' ';
    const size_t m = text[0] && text[1] == '.' ? 2 : 1;
    return is_one_of(*text, "apAP") && *text && is_one_of(text[m], "mM") && !word_has(text[m + 1]);
}

int asked_has_money(const char *text)
{
    static const char *const signs[] = {"$", "£", "€", "¥"};
    static const char names[] = WORDLIST_CURRENCIES
        " cent cents pence penny shilling shillings guinea guineas kr krone kroner krona kronor "
        "króna krónur nok sek dkk isk chf franc francs franken crown crowns sovereign sovereigns "
        "quid grand sixpence yen rupee "
        "rupees zloty per free nothing none donation donations gratis kostenlos ",
                      paid[] = " more charge charges fee fees cost costs payment payments price "
                               "rent deposit premium ";
    char word[ASKED_LONGEST + 1];
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (strstr(text, signs[i]))
            return 1;
    for (const char *stop = text; (stop = strpbrk(stop, ".,")); stop++)
        if (stop > text && is_digit(stop[-1]) && is_digit(stop[1]) && is_digit(stop[2]) &&
            !is_digit(stop[3]) && !is_half_of_day(stop + 3))
            return 1;
    for (size_t at = 0; asked_next_word(text, &at, word);) {
        char *name = word + strspn(word, "0123456789"); // "500kr"
        name[strcspn(name, "0123456789")] = 0;          // "CHF500"
        if (!strcmp(name, "per") && begins_with(text + at, strlen(text + at), " cent")) {
            at += strlen(" cent");
            continue;
        }
        if (*name && asked_is(name, names))
            return 1;
        size_t behind = at;
        if (name > word ? asked_is(name, " p ")
                        : asked_is(word, " no ") && asked_next_word(text, &behind, word) &&
                              asked_is(word, paid))
            return 1;
    }
    return 0;
}

// Whether the row TEXT, with bars or tabs between its cells, has one that is a number and no year.
static int has_bare_number(const char *text)
{
    enum { YEAR = 4 }; // digits
    for (const char *cell = text; *cell;) {
        const size_t n = strcspn(cell, "|\t\n"), blank = strspn(cell, " ");
        size_t digits = 0, to = n;
        while (to > blank && cell[to - 1] == ' ')
            to--;
        for (size_t i = blank; i < to; i++)
            digits += (size_t)is_digit(cell[i]);
        if (digits && blank + strspn(cell + blank, "0123456789.,'-") >= to &&
            !(digits == YEAR && to - blank == YEAR && is_one_of(cell[blank], "12")))
            return 1;
        cell += n + (cell[n] != 0);
    }
    return 0;
}

// Whether TEXT has an amount without its currency beside a word for what is paid: "Rent: 950", or
// in a table that has such a word.
static int has_plain_sum(const char *text)
{
    enum { BETWEEN = 2 }; // words, as in "price for adults 9"
    static const char spans[] = WORDLIST_SPANS_OF_DAYS " hour hours times ";
    char word[ASKED_LONGEST + 1], next[ASKED_LONGEST + 1];
    int since = BETWEEN + 1;
    if (strpbrk(text, "|\t"))
        return asked_has_any(text, MUCH) || has_bare_number(text);
    for (size_t at = 0; asked_next_word(text, &at, word); since++) {
        size_t behind = at;
        if (asked_is(word, MUCH))
            since = -1;
        else if (since <= BETWEEN && is_digit(*word) &&
                 !(asked_next_word(text, &behind, next) && asked_is(next, spans)))
            return 1;
    }
    return 0;
}

// Whether TEXT has a number alone, such as prices are given by where their currency is said
// elsewhere: "starts from 38.", "15 a year", "35,-", "1,250 all told"; a date, a time, a label or
// a number of things is none.
static int has_sum_alone(const char *text)
{
    static const char before[] =
        " at on by after before until since of in between aged item line section "
        "clause page table no number room step chapter version figure appendix ",
                      behind[] = " a an per each all for and or only in the ";
    char word[ASKED_LONGEST + 1] = "", next[ASKED_LONGEST + 1];
    size_t at = 0;
    int other = 0; // the number before is no sum, nor is one that it is joined to: "of 12 and 24"
    while (text[at]) {
        const size_t n = strspn(text + at, "0123456789"),
                     all = n ? strspn(text + at, "0123456789.,'") : 0;
        // Before all else of a line it is what that is called by.
        size_t line = at;
        while (line && is_one_of(text[line - 1], " \t#*|"))
            line--;
        if (!n || !line || text[line - 1] == '\n' ||
            (at && (word_has(text[at - 1]) || is_one_of(text[at - 1], "-:./")))) {
            const size_t from = at;
            at += n ? all : word_has(text[at]) ? 0 : 1;
            if (at == from)
                asked_next_word(text, &at, word);
            continue;
        }
        size_t to = at + all, ahead = to;
        while (to > at && is_one_of(text[to - 1], ".,'"))
            to--;
        const int year = n == 4 && to - at == n && is_one_of(text[at], "12");
        const int stops =
            !text[to] || is_one_of(text[to], "\n.,;)-") || (text[to] == ' ' && text[to + 1] == ' ');
        // A part of a longer one, as those of telephones are, is none.
        const int part = at > 1 && text[at - 1] == ' ' && is_digit(text[at - 2]);
        other = part || asked_is(word, before) || (other && asked_is(word, " and or to "));
        if (!year && !other && !asked_is(word, WORDLIST_DATES) &&
            (stops || (!is_half_of_day(text + ahead) && asked_next_word(text, &ahead, next) &&
                       asked_is(next, behind))))
            return 1;
        *word = 0;
        at = to;
    }
    return 0;
}

// Whether TEXT has a number in words of what each one is: "eighty a night".
static int has_sum_in_words(const char *text)
{
    char word[ASKED_LONGEST + 1];
    int number = 0;
    for (size_t at = 0; asked_next_word(text, &at, word);
         number = !is_digit(*word) && asked_tells(ASKED_NUMBER, word))
        if (number && asked_is(word, " a an per each apiece ") &&
            !begins_with(text + at, strlen(text + at), " cent"))
            return 1;
    return 0;
}

// Whether QUESTION asks what is paid again and again, or for leave, "What rent does he pay?", and
// TEXT has neither the word for that nor one of paying it, nor a span of time: its money is of
// something else.
static int lacks_dues(const char *question, const char *text)
{
    static const char *const words[] = {" what ", " is was "};
    static const char dues[] = " rent fee fees salary wage wages premium commission royalty toll ",
                      tells[] =
                          " pay pays paid payable paying per month monthly week weekly year years "
                          "yearly annual annually quarter quarterly hour hourly day daily charge "
                          "charges charged cost costs hire let lets letting lease due annum earn "
                          "earns earned fee fees each ";
    const char *behind = asked_behind(question, words, 2);
    char word[ASKED_LONGEST + 1];
    size_t at = 0;
    behind = behind ? behind : asked_behind(question, words, 1);
    if (!behind || !asked_next_word(behind, &at, word) ||
        (asked_is(word, " the ") && !asked_next_word(behind, &at, word)))
        return 0;
    return asked_is(word, dues) && !asked_has_form(text, word) && !asked_has_any(text, tells) &&
           !has_share(text) && !strpbrk(text, "|\t:");
}

int asked_lacks_money(const char *question, const char *text)
{
    static const char large[] = " hundred thousand million hundreds thousands millions hundert "
                                "tausend ";
    if (lacks_dues(question, text))
        return 1;
    return asks_for_money(question) && !asked_has_money(text) && !has_plain_sum(text) &&
           !(asked_has_any(question, " money ") && asked_has_any(text, large)) &&
           !has_sum_alone(text) && !has_sum_in_words(text) &&
           (!has_share(text) || has_other_share(question, text) ||
            has_only_discount(question, text));
}
