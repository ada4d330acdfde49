// How old somebody or something is, when somebody was born, and what somebody died of.
#include <string.h>

#include "engine/question/asked_impl.h"
#include "engine/words/chars.h"
#include "engine/words/dates.h"
#include "engine/words/wordlist.h"
#include "engine/words/words.h"

int asked_for_age(const char *question)
{
    static const char *const words[] = {" how ", " old "};
    return asked_behind(question, words, 2) != NULL;
}

// Whether the number TEXT[FROM .. TO) is whole, and no time, share or sum of money.
static int is_plain(const char *text, size_t from, size_t to)
{
    static const char *const before[] = {"$", "£", "€"};
    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
        const size_t n = strlen(before[i]);
        if (!strncmp(text + from, before[i], n) ||
            (from >= n && !memcmp(text + from - n, before[i], n)))
            return 0;
    }
    return text[to] != '%' && !(text[to] && is_one_of(text[to], ".:,") && is_digit(text[to + 1]));
}

// Whether TEXT has "old" behind a span of time, not only before somebody: "old Mr Moss".
static int is_so_old(const char *text)
{
    static const char spans[] = WORDLIST_SPANS_OF_DAYS " century centuries yr yrs jahre jahr ";
    return asked_has_pair(text, spans, " old older alt ");
}

// Whether TEXT tells how old something is: by a word for that, or by a number of years that is not
// of what was done for so long, as it stands behind a verb or in commas: "Ada, 43, sells eggs."
static int has_age(const char *text)
{
    static const char ages[] = " aged age born birthday birth turned ",
                      before[] = " is are am was were be at just only nearly almost barely ";
    static const char measures[] =
        " yards metres meters feet miles inches kilometres kilometers km minutes hours days pounds "
        "euros dollars percent per degrees litres kilos tons people men women times o'clock ";
    char word[ASKED_LONGEST + 1], next[ASKED_LONGEST + 1];
    int behind = 0;
    if (asked_has_any(text, ages) || is_so_old(text) ||
        (asked_has_any(text, " built founded ") && asked_has_year(text)))
        return 1;
    for (size_t at = 0; asked_next_word(text, &at, word); behind = asked_is(word, before)) {
        const size_t from = at - strlen(word);
        const int apart = from > 1 && (text[from - 1] == '(' || !memcmp(text + from - 2, ", ", 2));
        size_t to = at;
        if (asked_tells(ASKED_NUMBER, word) && (behind || apart) && is_plain(text, from, at) &&
            !(asked_next_word(text, &to, next) && asked_is(next, measures)))
            return 1;
    }
    return 0;
}

int asked_lacks_age(const char *text)
{
    return !(has_age(text) && asked_tells(ASKED_NUMBER, text));
}

// Whether a number is right behind one of WORDS in TEXT: "born 3.22".
static int is_before_number(const char *text, const char *words)
{
    char word[ASKED_LONGEST + 1];
    int behind = 0;
    for (size_t at = 0; asked_next_word(text, &at, word); behind = asked_is(word, words))
        if (behind && is_digit(*word))
            return 1;
    return 0;
}

// Whether a sentence of TEXT tells when somebody was born: "born in this street" tells where, and
// "if I'd been born in May" nothing.
static int tells_birth(const char *text)
{
    static const char births[] = " born birth birthday birthdate dob geboren geburt geburtstag ",
                      times[] = WORDLIST_DATES WORDLIST_MONTHS_GERMAN WORDLIST_MONTHS_SHORT
                      "when before after during war night morning evening spring summer autumn "
                      "winter christmas easter century jahr tag ";
    enum { LONGEST = 600 };
    char own[LONGEST + 1];
    for (size_t at = 0, n; text[at]; at += n + (text[at + n] != 0)) {
        n = strcspn(text + at, ".!?");
        while (text[at + n] && word_has(text[at + n + 1])) // "9.2.1934"
            n += 1 + strcspn(text + at + n + 1, ".!?");
        memcpy(own, text + at, n < LONGEST ? n : LONGEST);
        own[n < LONGEST ? n : LONGEST] = 0;
        if (asked_has_any(own, births) && !asked_has_any(own, " if ") &&
            (asked_has_year(own) || asked_has_any(own, times) || dates_numbered(own) ||
             is_before_number(own, births)))
            return 1;
    }
    return 0;
}

int asked_no_birth(const char *question, const char *text)
{
    if (!asked_has_any(question, " born geboren ") || asked_kind(question) != ASKED_TIME ||
        tells_birth(text))
        return 0;
    for (const char *life = text; (life = strchr(life, '(')); life++)
        if (is_digit(life[1]) || !strncmp(life + 1, "b. ", 3)) // "(1871-1938)", "(b. 1871)"
            return 0;
    return 1;
}

// Whether TEXT tells what somebody died of: "of a fever", "in a fire", "she drowned".
static int has_cause(const char *text)
{
    static const char
        died[] = " die died dies dying death deaths ",
        ways[] = " of from by through while when trying after ", in[] = " in at ",
        which[] = " a an the his her their childbirth battle action sea combat ",
        causes[] =
            " killed kill kills drowned drown perished hanged shot murdered poisoned poison fever "
            "illness disease cancer stroke pneumonia tuberculosis consumption influenza flu "
            "typhoid typhus cholera diphtheria heart lungs sepsis infection accident fell fall "
            "crushed struck burned burnt frozen froze starved suicide stabbed wrecked sank went ";
    char word[ASKED_LONGEST + 1], last[ASKED_LONGEST + 1] = "", first[ASKED_LONGEST + 1] = "";
    for (size_t at = 0; asked_next_word(text, &at, word);) {
        if (asked_is(word, causes) ||
            (asked_is(last, " lost ") && asked_is(word, " at overboard ")) ||
            (asked_is(last, died) && asked_is(word, ways)) ||
            (asked_is(last, " dead ") && asked_is(word, " of from ")) ||
            (asked_is(first, died) && asked_is(last, in) && asked_is(word, which)))
            return 1;
        memcpy(first, last, sizeof first);
        memcpy(last, word, sizeof last);
    }
    return 0;
}

// Whether it is always a relative of the one whose death QUESTION asks for who dies in TEXT: "Your
// uncle's wife died" of "When did my uncle die?"
static int is_of_relative(const char *question, const char *text)
{
    static const char died[] = " died dies dead ";
    char name[ASKED_LONGEST + 1], word[ASKED_LONGEST + 1];
    int others = 0, since = 3; // words behind "uncle's"
    size_t at = 0;
    *name = 0;
    while (asked_next_word(question, &at, word) && !asked_is(word, " die "))
        memcpy(name, word, sizeof name);
    if (!*name || !asked_is(word, " die "))
        return 0;
    for (at = 0; asked_next_word(text, &at, word); since++) {
        const size_t n = strlen(name);
        if (!strncmp(word, name, n) && !strcmp(word + n, "\u2019s"))
            since = 0;
        else if (!strcmp(word, name) && begins_with(text + at, strlen(text + at), "'s "))
            since = -1; // "s" is a word
        if (!asked_is(word, died))
            continue;
        if (since > 2)
            return 0;
        others++;
    }
    return others > 0;
}

int asked_lacks_death(const char *question, const char *text)
{
    static const char deaths[] =
        " die died dies dying dead death deaths passed killed kill kills drowned drown perished "
        "hanged "
        "shot murdered poisoned buried grave funeral tomb fever illness disease cancer stroke "
        "pneumonia tuberculosis consumption influenza flu typhoid typhus cholera diphtheria heart "
        "lungs sepsis infection accident fell ";
    static const char *const killed[] = {" what ", " killed "}, *const how[] = {" how ", " did "};
    if (asked_has_any(question, " die ") &&
        (asked_behind(question, how, 2) || asked_has_any(question, " of from ")))
        return !has_cause(text);
    return ((asked_has_any(question, " did ") && asked_has_any(question, " die ")) ||
            asked_behind(question, killed, 2)) &&
           (!asked_has_any(text, deaths) || is_of_relative(question, text));
}
