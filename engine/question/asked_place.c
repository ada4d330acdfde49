// Whether a question asks where something took place, and a text names no place.
#include <string.h>

#include "engine/question/asked.h"
#include "engine/question/asked_impl.h"
#include "engine/words/chars.h"
#include "engine/words/wordlist.h"
#include "engine/words/words.h"

// Whether WORD, behind "in", "on" or the like, is of no place: a time, or what somebody has.
static int is_no_place(const char *word)
{
    static const char others[] =
        WORDLIST_DATES " spring summer autumn winter morning afternoon evening night year month "
                       "week day time order addition particular general his her their my our its "
                       "which that ";
    return asked_is(word, others) || word_has_digit(word, strlen(word));
}

// Whether TEXT has a word that says where, and what it says is no time: "in the mill", not "in the
// morning".
static int has_place(const char *text)
{
    static const char before[] = " in at on near by outside inside under aboard beside behind "
                                 "opposite above below between around ",
                      alone[] = " here there home abroad upstairs downstairs outdoors indoors "
                                "online ashore everywhere nowhere elsewhere place venue ",
                      articles[] = " the a an that this late early ";
    char word[ASKED_LONGEST + 1];
    int behind = 0;
    for (size_t at = 0; asked_next_word(text, &at, word);) {
        if (asked_is(word, alone) ||
            (behind && !asked_is(word, articles) && !is_no_place(word) && !asked_is(word, before)))
            return 1;
        behind = asked_is(word, before) || (behind && asked_is(word, articles));
    }
    return 0;
}

// Whether TEXT is one sentence or more of prose, no line of a table or of a list.
static int is_prose(const char *text)
{
    const size_t n = strlen(text);
    return n && is_one_of(text[n - 1], ".!\"") && !strpbrk(text, "|:;\t@/");
}

// Whether TEXT is one row whose last cell, behind two blanks at least or a colon, is a number, and
// that names no place before it.
static int is_counted(const char *text)
{
    const size_t n = strlen(text);
    size_t at = n;
    while (at > 0 && !(is_space(text[at - 1]) && at > 1 && is_one_of(text[at - 2], " \t:")) &&
           text[at - 1] != '\t')
        at--;
    if (!at || !word_has_digit(text + at, n - at) || memchr(text, '\n', n))
        return 0;
    for (size_t i = at; i < n; i++)
        if (is_lower(text[i]) || is_upper(text[i]))
            return 0;
    return !has_place(text);
}

int asked_where_by_numbers(const char *question, const char *text)
{
    static const char *const words[] = {" where ", " is are was were will do does did "};
    return is_counted(text) && asked_behind(question, words, 2) != NULL;
}

int asked_lacks_place(const char *question, const char *text, int named)
{
    static const char of_persons[] = " married marry wed buried baptised baptized christened ";
    static const char *const words[] = {" where ", " was were did "};
    static const char *const now[] = {" where ", " is are will do does "};
    const char *what = asked_behind(question, words, 2);
    if (asked_where_by_numbers(question, text))
        return 1;
    if (!what && (what = asked_behind(question, now, 2)))
        return asked_has_any(what, " meeting meet held ") && is_prose(text) && !has_place(text);
    return what && (asked_has_any(what, of_persons) || (!named && asked_has_any(what, " held "))) &&
           is_prose(text) && !has_place(text);
}

int asked_lacks_address(const char *question, const char *text)
{
    static const char *const words[] = {" what ", " is was "};
    static const char tells[] =
        " address street road lane avenue square house cottage farm court close drive hill terrace "
        "row live lives lived lodges box flat building floor quay wharf gate villa hall ",
                      others[] = " email e mail web website ip mac url ";
    const char *what = asked_behind(question, words, 2);
    for (const char *p = text; (p = strstr(p, ", ")); p++)
        if (is_upper(p[2])) // "The Forge, Hull"
            return 0;
    return what && asked_has_any(what, " address ") && !asked_has_any(what, others) &&
           !asked_has_any(text, tells) && !asked_has_digits(text, 0) && !strchr(text, '@');
}
