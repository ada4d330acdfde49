// Questions in English: those of two halves ("Who pays the rent and when does the lease end?"),
// what is said before them, and those that ask for several things.
#ifndef LCTOOL_ENGINE_QUESTION_QUESTION_H
#define LCTOOL_ENGINE_QUESTION_QUESTION_H

#include "engine/words/wordlist.h"
#include "io/err.h"

// Splits QUESTION where "and" joins two questions: *FIRST and *SECOND, for the caller to free.
// The second one gets from the first what it leaves out: of "When was it sold and for how much?" it
// is "For how much was it sold?", of "How many are there and how many failed?" what is counted, and
// "it" is named where that is plain ("When was the mill sold and who bought it?"); else what the
// first is about is added in brackets.
// Returns 1, 0 when it is one question, as anything of more than a kilobyte is, or an error.
int question_halves(const char *question, char **first, char **second, struct err *e);

// Whether a question may begin at P: with "who", or with one of QUESTION_LEADS before "which".
#define QUESTION_LEADS WORDLIST_BEFORE_ASKING " under "
int question_begins(const char *p);

// The last sentence of QUESTION behind its first one that IS something; QUESTION: none is.
const char *question_last(const char *question, int (*is)(const char *sentence));

// The part of QUESTION from "who" or the like on, without what is said before it ("Answer in a few
// words.", "Do we know"); all of QUESTION when there is no such word.
const char *question_itself(const char *question);

// The same, and without a clause before a comma that does not ask: "I lost my key, what will that
// cost me?"
const char *question_clause(const char *question);

// Whether QUESTION only names what is asked for, in English: "list price of the drain pump".
int question_is_phrase(const char *question);

// What is behind the first of BEGINS, up to a NULL, with which QUESTION begins, in any letters;
// NULL: it begins with none of them.
const char *question_behind(const char *question, const char *const *begins);
// How many words of the list THINGS the end of a question, REST, has; -1: it has one that is
// neither of these nor of BESIDE.
int question_things(const char *rest, const char *things, const char *beside);

// Whether QUESTION asks, in English, for all or each of several things, not for one reason, way or
// time of theirs.
int question_for_several(const char *question);

#endif
