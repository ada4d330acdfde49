// Whether a question asks who does, did or is to do something, and a text tells of nobody who does.
#include <string.h>

#include "engine/question/asked.h"
#include "engine/question/asked_impl.h"
#include "engine/question/question.h"
#include "engine/words/words.h"

int asked_for_doer(const char *question)
{
    static const char others[] = " am are be can could did do does had has have is may might must "
                                 "shall should was were will would else in on at among from of ";
    char word[ASKED_LONGEST + 1];
    size_t at = 0;
    question = question_clause(question);
    return asked_word(question, &at, word) && asked_is(word, " who ") &&
           asked_next_word(question, &at, word) && !asked_is(word, others);
}

// The verb of "Who is playing the cello?", to WORD; 0: QUESTION is no such one.
static int asks_who_is_doing(const char *question, char word[ASKED_LONGEST + 1])
{
    static const char *const words[] = {" who ", " is was are were "};
    const char *behind = asked_behind(question, words, 2);
    size_t at = 0, n;
    return behind && asked_next_word(behind, &at, word) && (n = strlen(word)) > 4 &&
           !strcmp(word + n - 3, "ing") && !asked_is(word, " going being ");
}

int asked_is_to_do(const char *question, const char *text)
{
    static const struct {
        const char *did, *does;
    } verbs[] = {{" took ", " take "},     {" wrote ", " write "},  {" made ", " make "},
                 {" gave ", " give "},     {" paid ", " pay "},     {" sent ", " send "},
                 {" brought ", " bring "}, {" chose ", " choose "}, {" kept ", " keep "},
                 {" led ", " lead "},      {" drew ", " draw "},    {" won ", " win "}};
    char verb[ASKED_LONGEST + 1], word[ASKED_LONGEST + 1];
    size_t at = 0;
    int will = 0;
    if (!asked_for_doer(question))
        return 0;
    question = question_clause(question);
    asked_word(question, &at, verb);
    asked_next_word(question, &at, verb);
    const size_t n = strlen(verb);
    const char *does = n > 3 && !strcmp(verb + n - 2, "ed") ? verb : NULL;
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (asked_is(verb, verbs[i].did))
            does = verbs[i].does;
    for (at = 0; does && asked_next_word(text, &at, word);
         will = asked_is(word, " will shall should "))
        if (will && word_form_is_in(does, strlen(does), word, strlen(word)))
            return 1;
    return 0;
}

// Whether TEXT says that somebody did what WORD is for, and not who: "someone opened the door".
static int does_somebody(const char *text, const char *word)
{
    static const char somebody[] = " someone somebody ";
    char own[ASKED_LONGEST + 1];
    int behind = 0;
    for (size_t at = 0; asked_next_word(text, &at, own); behind = asked_is(own, somebody))
        if (behind && asked_has_form(own, word))
            return 1;
    return 0;
}

int asked_lacks_object(const char *question, const char *text)
{
    static const char *const words[] = {" who whom "};
    static const char before[] = " the a an my our his her their your ";
    enum { LEAST = 4 }; // letters
    char word[ASKED_LONGEST + 1];
    int articles = 0, behind = 0;
    const char *clause = question_clause(question), *rest = asked_behind(question, words, 1);
    if (!rest || !asked_for_doer(clause))
        return 0;
    asked_last_word(rest, word);
    const size_t n = strlen(word);
    for (size_t at = 0; asked_next_word(rest, &at, word); behind++) {
        if (articles)
            return behind == 2 && strlen(word) == n && n >= LEAST && !asked_has_form(text, word) &&
                   !asked_next_word(rest, &at, word);
        articles = asked_is(word, before);
    }
    return 0;
}

// Whether TEXT, whatever names it has, tells of nothing that is done as WORD says: "The play was
// Hamlet. Ada Lind played the queen" not of who wrote it.
static int lacks_making(const char *text, const char *word)
{
    static const struct {
        const char *does, *told;
    } makes[] = {
        {" wrote ", " wrote write writes writing written writer author authors pen penned composed "
                    "playwright poet script by from signed "},
        {" painted ",
         " painted paint paints painting painter artist portrait brush by from signed "},
        {" composed ", " composed compose composes composer wrote written music by from set "},
        {" invented ",
         " invented invent invention inventor devised idea first patent patented by "},
    };
    for (size_t i = 0; i < sizeof makes / sizeof *makes; i++)
        if (asked_is(word, makes[i].does))
            return !asked_has_any(text, makes[i].told);
    return 0;
}

int asked_lacks_doer(const char *question, const char *text, int named)
{
    enum { FEW = 24 }; // bytes
    char word[ASKED_LONGEST + 1];
    size_t at = 0;
    if (strlen(text) <= FEW)
        return 0;
    if (!asks_who_is_doing(question, word)) {
        if (!asked_for_doer(question))
            return 0;
        question = question_clause(question);
        asked_word(question, &at, word);
        asked_next_word(question, &at, word);
    }
    if (lacks_making(text, word))
        return 1;
    if (named)
        return 0;
    return does_somebody(text, word) ||
           (!asked_has_any(text, " by did do does ") && !asked_has_form(text, word));
}
