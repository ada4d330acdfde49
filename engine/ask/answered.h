// How sure it is that the answer to a question stands in the sentence that was found for it: a
// chance, from signs that depend neither on how long the document is nor on how many votes were
// cast.
//
//     struct signs s = {.explained = 0.4, .apart = 1.5, .said = 0.5};
//     answered_chance(&s)      // 0.84
#ifndef LCTOOL_ENGINE_ANSWERED_H
#define LCTOOL_ENGINE_ANSWERED_H

#include <stddef.h>

#include "io/err.h"

struct asking;

struct signs {
    double explained; // of what the question's tokens cost after no text, nats, the share that they
                      // cost less after the sentence
    double apart;   // by how many standard deviations of all sentences judged it makes the question
                    // likelier than these do
    double said;    // of what the question's words weigh, the share of those that the sentence has
    double nowhere; // and of those that no document has
    int unknown;    // whether one of those is a number or a name
};

// The chance, from 0 to 1; where as many questions have an answer as have none, so many of those
// with this chance have one.
double answered_chance(const struct signs *s);

// The share that tokens with log probabilities BEFORE [n] cost less with those AFTER [n]: what
// some of them cost more does not count.
double answered_explained(const double *before, const double *after, int n);
// See struct signs: of OWN among the likelihoods ALL [n], of which it is one.
double answered_apart(double own, const double *all, int n);

// Whether QUESTION means by its word [FROM .. FROM + N) a thing of just this name, that cannot be
// said in other words: it has a digit, or a capital and then others, where only names have one;
// what is all capitals is short for something.
int answered_is_name(const char *question, size_t from, size_t n);

// The signs that words are: what of those of Q's question TEXT, its best sentence, has.
int answered_words(struct signs *s, const struct asking *q, const char *text, struct err *e);

#endif
