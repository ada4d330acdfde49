// Whether a question asks for how many of a unit of measure something has, and a text has an amount
// of that kind.
#include <string.h>

#include "engine/question/asked_impl.h"
#include "engine/words/chars.h"
#include "engine/words/wordlist.h"
#include "engine/words/words.h"

// What a question may ask how many of, and what a text with such an amount has: another unit of the
// kind, or a word for the kind, beside which the unit may be left out.
static const struct {
    const char *asked, *said;
} KINDS[] = {
    {" kilo kilos kg kilogram kilograms kilogramme kilogrammes gram grams gramme grammes tonnes "
     "ounces ",
     ASKED_WEIGHTS "weigh weighs weighed weighing weight heavy load "},
    {" km kilometre kilometres kilometer kilometers metre metres meter meters miles centimetres "
     "centimeters millimetres inches ",
     " km kilometre kilometres kilometer kilometers metre metres meter meters m mile miles cm mm "
     "centimetre centimetres centimeter centimeters millimetre millimetres inch inches foot feet "
     "ft yard yards fathoms long length wide width deep depth high height tall distance far "},
    {" litre litres liter liters gallons pints ",
     " litre litres liter liters l ml cl dl hl gallon gallons gal pint pints cubic m\u00b3 volume "
     "capacity holds held bottles barrels buckets "},
    {" horsepower hp watt watts kw kilowatt kilowatts ",
     " horsepower hp bhp ps horse horses watt watts w kilowatt kilowatts kw mw power output "
     "rated "},
    {" calories kcal kilocalories joules kilojoules ",
     " calorie calories cal kcal kilocalorie kilocalories kj j joule joules kilojoules energy "},
    {" volt volts kilovolts ", " volt volts v kv mv voltage "},
    {" square acres hectares ", " square sq m\u00b2 ft\u00b2 acre acres hectare hectares area "},
};

enum { N_KINDS = sizeof KINDS / sizeof *KINDS, OF_LENGTH = 1 };

// Whether TEXT has a word of LIST, which may be joined to a number: "20kg".
static int has_unit(const char *text, const char *list)
{
    char word[ASKED_LONGEST + 1];
    for (size_t at = 0; asked_next_word(text, &at, word);)
        if (asked_is(word + strspn(word, "0123456789"), list))
            return 1;
    return 0;
}

// Whether TEXT has a number of feet or inches: 6'4", 5 \u2033.
static int has_feet(const char *text)
{
    static const char *const signs[] = {"'", "\"", "\u2032", "\u2033"};
    for (; (text = strpbrk(text, "0123456789")); text++)
        for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
            if (!strncmp(text + 1 + strspn(text + 1, " "), signs[i], strlen(signs[i])))
                return 1;
    return 0;
}

// Whether TEXT has an amount in words: "forty paces".
static int has_number_in_words(const char *text)
{
    char word[ASKED_LONGEST + 1];
    for (size_t at = 0; asked_next_word(text, &at, word);)
        if (!word_has_digit(word, strlen(word)) && asked_has_amount(word))
            return 1;
    return 0;
}

// Whether QUESTION asks how high or wide something is that is no sum of money, and TEXT, which has
// money, has no length.
static int has_only_money(const char *question, const char *text)
{
    static const char *const words[] = {" how ", " high tall wide deep thick broad "};
    static const char sums[] =
        " fee fees fine fines rent price prices premium deposit budget damages "
        "award penalty tax rate charge charges limit excess cost costs wage "
        "salary grant debt bill bonus pension allowance subsidy share turnover "
        "revenue loss profit ";
    return asked_behind(question, words, 2) && asked_has_money(text) && !strchr(text, '%') &&
           !asked_has_any(text, " percent per ") && !asked_has_any(question, sums) &&
           !has_number_in_words(text) && !has_unit(text, KINDS[OF_LENGTH].said) && !has_feet(text);
}

int asked_lacks_unit(const char *question, const char *text)
{
    if (has_only_money(question, text))
        return 1;
    static const char *const words[] = {" how ", " many "};
    const char *unit = asked_behind(question, words, 2);
    char word[ASKED_LONGEST + 1];
    size_t at = 0;
    if (!unit || !asked_next_word(unit, &at, word))
        return 0;
    for (int i = 0; i < N_KINDS; i++)
        if (asked_is(word, KINDS[i].asked))
            return !has_unit(text, KINDS[i].said) && !(i == OF_LENGTH && has_feet(text));
    return 0;
}

int asked_lacks_degrees(const char *question, const char *text)
{
    static const char *const what[] = {" what which ", " temperature "},
                             *const the[] = {" what ", " is was ", " the ", " temperature "},
                             *const how[] = {" how ", " hot cold warm "};
    static const char words[] =
        " degree degrees celsius centigrade fahrenheit boiling boil freezing zero room ambient hot "
        "cold warm lukewarm tepid cool frozen ";
    return (asked_behind(question, what, 2) || asked_behind(question, the, 4) ||
            asked_behind(question, how, 2)) &&
           !asked_has_amount(text) && !asked_has_any(text, words);
}

// What QUESTION asks how many of, to NOUN: 0 where it asks for none, or for what is not told by a
// number before it.
static int is_counted(const char *question, char noun[ASKED_LONGEST + 1])
{
    static const char *const many[] = {" how ", " many "};
    const char *behind = asked_behind(question, many, 2);
    size_t at = 0;
    return behind && asked_next_word(behind, &at, noun) &&
           !asked_is(noun, " of people times more other ");
}

// What a word is a number of.
enum counted { COUNTS_NO, COUNTS_NOTHING, COUNTS_ASKED, COUNTS_OTHERS };

// That of WORD, which ends before byte *AT of TEXT: of NOUN, and *AT is behind that then, or of
// other things, as "one" of several is; COUNTS_NO: it is no number.
static enum counted counts_what(const char *word, const char *noun, const char *text, size_t *at)
{
    enum { NEAR = 3 }; // words: "2 large brown eggs"
    static const char taken[] = " am pm a.m p.m " WORDLIST_MONTHS,
                      ends[] = " and at by for from in on or per than to with ";
    const int is_one = asked_is(word, " one ");
    char next[ASKED_LONGEST + 1];
    size_t to = *at;
    if (!asked_tells(ASKED_NUMBER, word) && !is_one && !asked_is(word, " no "))
        return COUNTS_NO;
    if (is_one && !strncmp(text + to, " of ", 4))
        return COUNTS_OTHERS;
    for (int i = 0; i < NEAR; i++) {
        const size_t from = to;
        if (!asked_next_word(text, &to, next) ||
            strcspn(text + from, ".,;:!?()") < to - from - strlen(next) || asked_is(next, ends))
            return COUNTS_NOTHING;
        if (word_form_is_in(noun, strlen(noun), next, strlen(next))) {
            *at = to;
            return COUNTS_ASKED;
        }
        if (word_is_plural(next, strlen(next)) || (!i && asked_is(next, taken)))
            return COUNTS_OTHERS;
    }
    return COUNTS_NOTHING;
}

int asked_counts(const char *question, const char *text)
{
    char noun[ASKED_LONGEST + 1], word[ASKED_LONGEST + 1];
    if (!is_counted(question, noun))
        return 0;
    for (size_t at = 0; asked_next_word(text, &at, word);)
        if (counts_what(word, noun, text, &at) == COUNTS_ASKED)
            return 1;
    return 0;
}

// Whether the word at byte AT of TEXT may say which one: a number, but none of money.
static int is_label(const char *text, size_t at)
{
    return is_digit(text[at]) && (!at || is_one_of(text[at - 1], " #"));
}

int asked_only_counts(const char *question, const char *text)
{
    static const char *const words[] = {" which "};
    const char *behind = asked_behind(question, words, 1);
    char noun[ASKED_LONGEST + 1], word[ASKED_LONGEST + 1];
    size_t at = 0;
    int counted = 0;
    if (!behind || !asked_next_word(behind, &at, noun) || noun[strlen(noun) - 1] != 's' ||
        strpbrk(text, ":(|\t"))
        return 0;
    for (at = 0; asked_next_word(text, &at, word);) {
        if (!strcmp(word, noun) || (counted && is_label(text, at - strlen(word))))
            return 0;
        counted |= !asked_is(word, " no one ") && // "No flats are let" says which
                   counts_what(word, noun, text, &at) == COUNTS_ASKED;
    }
    return counted;
}

int asked_counts_others(const char *question, const char *text)
{
    char noun[ASKED_LONGEST + 1], word[ASKED_LONGEST + 1];
    int n = 0;
    if (!is_counted(question, noun) || !word_is_plural(noun, strlen(noun)) ||
        strpbrk(text, ":|\t") || !asked_has_form(text, noun))
        return 0;
    for (size_t at = 0; asked_next_word(text, &at, word);) {
        const enum counted what = counts_what(word, noun, text, &at);
        if (what == COUNTS_ASKED || what == COUNTS_NOTHING)
            return 0;
        n += what == COUNTS_OTHERS;
    }
    return n > 0;
}
