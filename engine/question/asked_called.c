// Whether a question asks what something is called, or for the code of a lock, and a text has none.
#include <string.h>

#include "engine/question/asked_impl.h"
#include "engine/words/chars.h"
#include "engine/words/wordlist.h"
#include "engine/words/words.h"

// Beings and things that have names of their own, and what may be told of where these are: "a shop
// at Hale" is not called Hale.
static const char OWNERS[] =
    " dog puppy cat kitten horse pony hen cow goat pig sheep bird parrot canary rabbit tortoise "
    "donkey pet baby child son "
    "daughter boat ship yacht vessel ferry barge shop pub inn cafe restaurant bakery company firm "
    "business band choir team club newspaper magazine book novel film song ";
static const char COMPANIES[] =
    " company firm bank insurer contractor supplier manufacturer brewery airline agency ";
static const char AT[] = " at in near from on to for ";

// Whether the word at TEXT begins with a capital, of ASCII or of the letters behind it.
static int has_capital(const char *text)
{
    return is_upper(*text) ||
           (*text == '\xc3' && (unsigned char)text[1] >= 0x80 && (unsigned char)text[1] <= 0x9e);
}

// Whether QUESTION asks what a being or a thing of OWNERS is called: "What was the name of her
// dog?", "What is the dog called?"
static int asks_what_called(const char *question)
{
    static const char *const words[] = {" what ", " is was are were "};
    const char *of = asked_behind(question, words, 2);
    char word[ASKED_LONGEST + 1];
    size_t at = 0;
    if (!of || !asked_has_any(of, OWNERS))
        return 0;
    if (asked_next_word(of, &at, word) && asked_is(word, " the ") &&
        asked_next_word(of, &at, word) && asked_is(word, " name names "))
        return 1;
    asked_last_word(of, word);
    return asked_is(word, " called named name ");
}

// "Which company ...?", "Which insurance company ...?"
static int asks_which_company(const char *question)
{
    static const char *const words[] = {" which what ", COMPANIES};
    char word[ASKED_LONGEST + 1];
    size_t at = 0;
    const char *which = asked_behind(question, words, 1);
    return asked_behind(question, words, 2) != NULL ||
           (which && asked_next_word(which, &at, word) && !asked_is(word, WORDLIST_FUNCTION) &&
            asked_next_word(which, &at, word) && asked_is(word, COMPANIES));
}

// Whether no word of the sentence is before byte AT of TEXT.
static int begins_sentence(const char *text, size_t at)
{
    while (at && is_one_of(text[at - 1], " \"'*_(-"))
        at--;
    return !at || is_one_of(text[at - 1], ".!?:;|\n");
}

// Whether what stands behind byte AT of TEXT, the end of the first word of a sentence, may go on
// when that is a name: "Ada Pell", "Ada is", "Ada insures" where QUESTION has "insures".
static int may_be_name(const char *question, const char *text, size_t at)
{
    static const char verbs[] =
        " and do does did is was are were am be can could should would will may might must has "
        "have had covers covered provides provided supplies supplied makes made services serviced "
        "delivers delivered runs ran built builds sells sold owns owned buys bought won got gave "
        "says said sent came takes took holds held insures insured pays paid ";
    char stem[WORD_STEM];
    size_t bytes;
    if (at > strlen("ing") && !memcmp(text + at - strlen("ing"), "ing", strlen("ing")))
        return 0; // "Testing is carried out"
    const int ends = !text[at] || is_one_of(text[at], ".,;:!?|\n'");
    if (ends || !word_next(text, strlen(text), &at, stem, &bytes))
        return 1;
    const char *word = text + at - bytes;
    return has_capital(word) || word_is_listed(verbs, word, bytes) ||
           (!word_is_listed(WORDLIST_FUNCTION, word, bytes) &&
            word_form_is_in(question, strlen(question), word, bytes));
}

// Whether TEXT has a name that is not in QUESTION, nor, behind one of OWNERS, that of a place.
// Where that of a COMPANY is asked for, the first word of a sentence is hardly ever one.
static int has_name_of_own(const char *question, const char *text, int company)
{
    static const char others[] = WORDLIST_OF_QUESTIONS WORDLIST_DATES;
    char stem[WORD_STEM];
    size_t bytes;
    enum { NO_PLACE, OWNER, PLACE } is = NO_PLACE;
    for (size_t at = 0, n = strlen(text); word_next(text, n, &at, stem, &bytes);) {
        const char *word = text + at - bytes;
        if (!has_capital(word)) {
            is = word_is_listed(OWNERS, word, bytes)              ? OWNER
                 : is == OWNER && word_is_listed(AT, word, bytes) ? PLACE
                                                                  : NO_PLACE;
            continue;
        }
        if (is != PLACE && bytes > 1 && !word_is_common(stem) &&
            !word_is_in(others, sizeof others - 1, stem) &&
            !word_form_is_in(question, strlen(question), word, bytes) &&
            (!company || !begins_sentence(text, at - bytes) || may_be_name(question, text, at)))
            return 1;
    }
    return 0;
}

int asked_lacks_name(const char *question, const char *text)
{
    static const char named[] = " called named name names titled entitled nicknamed christened ";
    const int called = asks_what_called(question);
    int capitals = 0;
    if (!called && !asks_which_company(question))
        return 0;
    for (const char *p = text; *p; p++)
        capitals |= is_upper(*p);
    return capitals && !(called && (asked_has_any(text, named) || strpbrk(text, "\"*_<`"))) &&
           !has_name_of_own(question, text, !called);
}

static const char CODES[] = " code codes pin combination passcode ";

// "What is the code of ...?", "What is the new padlock code ...?"
static int asks_code(const char *question)
{
    static const char *const words[] = {" what ", " is was ", " the ", CODES};
    char word[ASKED_LONGEST + 1];
    enum { WORDS = 3 }; // the code's is the last one of them
    size_t at = 0;
    const char *the = asked_behind(question, words, 3);
    for (int i = 0; the && i < WORDS && asked_next_word(the, &at, word); i++)
        if (asked_is(word, CODES))
            return 1;
    return 0;
}

// Whether TEXT tells what is done with something, not what it is: "is changed", "changes in May".
static int is_kept(const char *text)
{
    static const char done[] = " changed kept held known given available reset altered varied "
                               "renewed replaced ";
    return asked_has_any(text, " changes expires ") ||
           asked_has_pair(text, " is are was were ", done);
}

// Whether TEXT has a number that may be a code, which that of a day is too short for.
static int has_code(const char *text)
{
    enum { SHORTEST = 3 }; // digits
    static const char digits[] = "0123456789";
    for (size_t n; (text = strpbrk(text, digits)); text += n)
        if ((n = strspn(text, digits)) >= SHORTEST)
            return 1;
    return 0;
}

int asked_lacks_code(const char *question, const char *text)
{
    static const char locks[] = " alarm door doors safe gate gates lock padlock keypad cabinet "
                                "garage entrance building shed barrier ";
    if (!asks_code(question) || !asked_has_any(question, locks))
        return 0;
    if (asked_has_any(text, CODES)) // "The code is changed in March."
        return (is_kept(text) || strstr(text, "the same as ")) && !strpbrk(text, "\"*`") &&
               !has_code(text);
    return !has_code(text);
}
