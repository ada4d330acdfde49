// Forms of questions, and whether a question has one of them.
//
// A form is a row of words. A word may be one of several ("is|are") and, with a question mark, may
// be missing ("the?"). Words in capitals stand for:
//
//     WHAT    one to six words that name something, without their article and without "the word" before them
//     NAME    the same, in quotation marks, after "the word", or of a shape that no word of prose has
//     VALUE   one word, or what stands in quotation marks
//     LABEL   the same, or one capital letter
//     KIND    one word
//     SECTION what a section is called before its number, in English or German
//     HOLDER  a word for what has a value ("variable")
//     N       how many
//     UNIT    lines or sentences
//     LINE    lines alone
//     EVENTS  what logs tell of ("errors", "fatal errors", "WARN lines"), by its first word
//     MOST    words or numbers
//     NTH     which one in a row: "first", "3rd", "most recent"
//     THING   as WHAT, one to three words of a row
//     WHOM    as WHAT, of whom or what it is besides
//     WHOSE   the same before "'s"
//     ABOUT   as WHAT, what it is about
//     PLAIN   up to four words that join nothing
//     TOLD    the same, with one that says what was done ("vessels departed")
//     VERB    one word, and a particle where it has one ("logged in")
//     TIMES   "at 14:16", "between 10:00 and 11:00", "after 5 pm"
//     DAY     "on 14 March", "of the day"
//     THREAD  what a row of messages is called
//     TEXT    "the text", "this log", ...
//     END     nothing more, or only that all of the text is meant
//     CHAIN   END, or that one thing is reached by way of others
//     LINKED  that one thing is reached by way of others
#ifndef LCTOOL_ENGINE_LOOKUP_FORM_H
#define LCTOOL_ENGINE_LOOKUP_FORM_H

#include <stddef.h>

#include "engine/words/clock.h"

enum { FORM_TOKENS = 64 };

// A list of words (words.h): what a section is called before its number.
#define FORM_SECTIONS                                                                              \
    " section clause article chapter paragraph rule part question exhibit schedule annex "         \
    "appendix \u00a7 \u00a7\u00a7 abschnitt paragraf artikel kapitel ziffer punkt teil frage "     \
    "anhang anlage "

struct form_token {
    const char *p;
    size_t n;
    int quoted; // what stands in quotation marks is one token; of WHAT: it is quoted, or called a
                // word
};

// A question's words up to its question mark, and those of them that the capitals of its form stand
// for, n is 0 for those that the form lacks.
struct form_match {
    struct form_token v[FORM_TOKENS];
    int n;
    struct form_token what, kind, section, number, unit, most, events, whom, about, thread, day;
    int timed; // 1: there are TIMES
    struct clock_span times;
    int nth; // from 1, or from -1 for the last one
};

// Divides QUESTION into words: 1, or 0 when it has too many.
int form_split(struct form_match *m, const char *question);
// Whether these words have FORM; then the tokens of M are set.
int form_match(struct form_match *m, const char *form);
// Whether they have one of FORMS [n], and what is asked about is not longer than WHAT [most]: WHAT.
int form_of_what(struct form_match *m, const char *const *forms, size_t n, char *what, size_t most);
// The number that T is ("three", "12"); 0: it is none.
int form_number(const struct form_token *t);
// Which one in a row the words of M from AT on say, from 1, or from -1 for the last one; *WORDS of
// them. 0: none.
int form_nth(const struct form_match *m, int at, int *words);
// Whether T is one of the list WORDS (words.h).
int form_is_among(const struct form_token *t, const char *words);

#endif
