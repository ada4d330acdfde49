// What somebody or something is called, and whose relative somebody is, that a question asks for
// and a text does not tell.
#include <string.h>

#include "engine/question/asked_impl.h"
#include "engine/question/question.h"
#include "engine/words/chars.h"

// What stands behind "What is the name of"; NULL: QUESTION asks for something else.
static const char *name_asked_of(const char *question)
{
    static const char *const words[] = {" what ", " is was were are ", " the ", " name names ",
                                        " of "};
    return asked_behind(question, words, sizeof words / sizeof *words);
}

// What stands behind "What is" where that is called something: "the yacht called?"; NULL: it asks
// for something else, as for the use of a thing "called Otto".
static const char *called_asked_of(const char *question)
{
    static const char *const words[] = {" what ", " is was were are ",
                                        " the his her its their my "};
    char word[ASKED_LONGEST + 1];
    const char *thing = asked_behind(question, words, sizeof words / sizeof *words);
    for (size_t at = 0; thing && asked_next_word(thing, &at, word);)
        if (asked_is(word, " called named "))
            return asked_next_word(thing, &at, word) && is_upper(thing[at - strlen(word)]) ? NULL
                                                                                           : thing;
    return NULL;
}

// The last word of THING, what a question asks the name of, to WORD: "undergraduate" in "What was
// the name of the undergraduate who drove the train?", "dentist" of "the dentist Celia married".
static void last_of_thing(const char *thing, char word[ASKED_LONGEST + 1])
{
    static const char ends[] = " who that which whose in on at from with for to by of is are was "
                               "were had has called named he she they it ";
    char next[ASKED_LONGEST + 1];
    *word = 0;
    for (size_t at = 0; asked_next_word(thing, &at, next) && !asked_is(next, ends);) {
        if (*word && is_upper(thing[at - strlen(next)]))
            return;
        memcpy(word, next, sizeof next);
    }
}

// What QUESTION asks for one of a kind by, to KIND: "newspaper" in "Which newspaper printed it?",
// "spaniel" in "What is the name of his spaniel?", *IS_NAME; 0: it asks for something else.
static int kind_asked(const char *question, char kind[ASKED_LONGEST + 1], int *is_name)
{
    enum { LEAST = 3 }; // letters
    char word[ASKED_LONGEST + 1];
    size_t at = 0;
    question = question_clause(question);
    const char *of = name_asked_of(question), *thing = of ? of : called_asked_of(question);
    *is_name = thing != NULL;
    if (thing)
        last_of_thing(thing, kind);
    else if (!asked_word(question, &at, word) || !asked_is(word, " which what ") ||
             !asked_next_word(question, &at, kind) || asked_kind(question) != ASKED_ANYTHING)
        return 0;
    return strlen(kind) >= LEAST;
}

// Whether TEXT goes on with a name or a mark that one stands in, within a few words of its
// sentence; "in Whitby" is where something is.
static int names_next(const char *text)
{
    enum { FEW = 5 }; // words
    static const char places[] = " in at from near to on by with for ";
    char word[ASKED_LONGEST + 1] = {0};
    const size_t n = strcspn(text, ".!?;\n");
    int is_place = 0;
    for (size_t at = 0, words = 0; words < FEW; words++) {
        const size_t from = at;
        is_place = asked_is(word, places) || (is_place && asked_is(word, " the a an "));
        if (!asked_next_word(text, &at, word) || at > n)
            return strcspn(text + from, "\"*_`(") < n - from;
        if (strcspn(text + from, "\"*_`(") < at - from ||
            (!is_place && is_upper(text[at - strlen(word)])))
            return 1;
    }
    return 0;
}

int asked_leaves_unnamed(const char *question, const char *text)
{
    static const char before[] = " to by from of in with for at on ";
    char kind[ASKED_LONGEST + 1], word[ASKED_LONGEST + 1];
    enum { NONE, BEFORE, ARTICLE, ADJECTIVE } place = NONE;
    int is_name;
    if (!kind_asked(question, kind, &is_name))
        return 0;
    for (size_t at = 0; asked_next_word(text, &at, word);) {
        if (!strcmp(word, kind))
            return place >= ARTICLE && !names_next(text + at);
        place = asked_is(word, before)                                         ? BEFORE
                : (place == BEFORE || is_name) && asked_is(word, " a an one ") ? ARTICLE
                : place == ARTICLE && !is_upper(text[at - strlen(word)])       ? ADJECTIVE
                                                                               : NONE;
    }
    return 0;
}

// The thing and the verb of QUESTION about what was done with one: "gift" and "bought" of "What
// gift was bought for Ida?", to KIND and DONE; 0: it is no such one.
static int done_with(const char *question, char kind[ASKED_LONGEST + 1],
                     char done[ASKED_LONGEST + 1])
{
    enum { LEAST = 3 }; // letters
    char word[ASKED_LONGEST + 1];
    size_t at = 0;
    *kind = 0;
    question = question_clause(question);
    if (!asked_word(question, &at, word) || !asked_is(word, " which what "))
        return 0;
    while (asked_next_word(question, &at, word) && !asked_is(word, " was were "))
        memcpy(kind, word, sizeof word);
    return strlen(kind) >= LEAST && asked_next_word(question, &at, done) && strlen(done) >= LEAST;
}

int asked_only_to_be(const char *question, const char *text)
{
    static const char articles[] = " a an one some ", will[] = " should shall will must to ";
    char kind[ASKED_LONGEST + 1], done[ASKED_LONGEST + 1], word[ASKED_LONGEST + 1];
    enum { NONE, ARTICLE, KIND, BE } place = NONE;
    int only = 0;
    if (!done_with(question, kind, done))
        return 0;
    for (size_t at = 0; asked_next_word(text, &at, word);) {
        if (place == BE && !strcmp(word, done))
            only = 1;
        else if (!strcmp(word, done))
            return 0;
        place = asked_is(word, articles)                  ? ARTICLE
                : place == ARTICLE                        ? KIND
                : place == KIND && asked_is(word, will)   ? KIND
                : place == KIND && asked_is(word, " be ") ? BE
                                                          : NONE;
        if (place == KIND && !asked_is(word, will) && strcmp(word, kind) != 0)
            place = ARTICLE; // an adjective
    }
    return only;
}

// Whether QUESTION asks for the name of somebody's relative or animal, and TEXT has not the word
// for that: "What is the name of Ida's mother?"
static int lacks_named(const char *question, const char *text)
{
    static const char relatives[] = " mother father sister brother son daughter uncle aunt nephew "
                                    "niece grandmother grandfather cousin baby dog cat horse "
                                    "pony donkey parrot ";
    char last[ASKED_LONGEST + 1];
    if (!name_asked_of(question))
        return 0;
    asked_last_word(question, last);
    return asked_is(last, relatives) && !asked_has_any(text, " named called ") &&
           !word_form_is_in(text, strlen(text), last, strlen(last));
}

// What somebody is to somebody, and the words by which a text may tell of it.
static const struct relation {
    const char *is, *told;
} RELATIONS[] = {
    {" wife husband spouse widow widower ",
     " wife husband spouse widow widower married marry marries marriage wed wedding mrs bride "
     "couple "},
    {" mother father parents ",
     " mother father parent parents mum mom mam dad daddy papa mama son daughter child born "},
    {" brother sister ", " brother brothers sister sisters sibling siblings twin twins "},
    {" grandmother grandfather grandson granddaughter ",
     " grandmother grandfather grandson granddaughter grandchild grandchildren grandparents gran "
     "granny "},
    {" uncle aunt nephew niece ", " uncle aunt nephew niece "},
    {" predecessor ", " predecessor before formerly former previous previously earlier succeeded "
                      "successor replaced took "},
    {" successor ", " successor succeeded succeeds after replaced replaces replacement followed "
                    "follows took takes new next now "},
};

int asked_lacks_relative(const char *question, const char *text)
{
    char name[ASKED_LONGEST + 1], word[ASKED_LONGEST + 1];
    if (lacks_named(question, text))
        return 1;
    for (size_t at = 0; asked_next_word(question, &at, name);) {
        const char *own = question + at;
        const size_t n = begins_with(own, strlen(own), "'s ")        ? 3
                         : begins_with(own, strlen(own), "\u2019s ") ? 5
                                                                     : 0;
        size_t behind = n;
        const size_t bytes = strlen(name);
        if (!n || !is_upper(question[at - bytes]) || !asked_next_word(own, &behind, word) ||
            !words_stand_in(text, strlen(text), question + at - bytes, bytes))
            continue;
        for (size_t i = 0; i < sizeof RELATIONS / sizeof *RELATIONS; i++)
            if (asked_is(word, RELATIONS[i].is))
                return !asked_has_any(text, RELATIONS[i].told);
    }
    return 0;
}
