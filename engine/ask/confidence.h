// The chance that the sentence found for a question answers it: logistic functions of signs that
// depend neither on the length of the document nor on the number of votes.
//
//     struct signs s = {.explained = 0.4, .apart = 1.5, .said = 0.5};
//     confidence_of(&s)      // 0.84
#ifndef LCTOOL_ENGINE_ASK_CONFIDENCE_H
#define LCTOOL_ENGINE_ASK_CONFIDENCE_H

#include <stddef.h>

#include "io/err.h"

struct asking;

struct signs {
    double explained; // share of the question's cost after no text (nats, summed over its tokens)
                      // that is saved by reading the sentence first
    double apart;     // by how many standard deviations, over all sentences judged, this one makes
                      // the question likelier than the mean does
    double said;      // share of the weight of the question's words that the sentence has
    double nowhere;   // share of the weight of the question's words that no document has
    int unknown;      // 1: one of the latter is a number or a name
    int lacking;      // 1: it is asked when, how much or the like, and the sentence has nothing of
                      // the kind (asked_lacking)
    double near;      // how near its vector is to the question's (near.h), 0: not known
    double least;     // how near its words are to the question's, the farthest one above all
                      // (near_least); NOT_KNOWN where near is 0
};

#define NOT_KNOWN (-1.0) // a cosine that no words have
#define EVEN      0.5    // the chance at which an answer is as likely right as not

// The chance, 0 to 1. It is calibrated for as many questions with an answer as without one: of
// those with chance p, a share of p has one.
double confidence_of(const struct signs *s);

// How plainly the sentence answers it, 0 to 1: little where it has other words than the question.
// That is the chance, too, where nothing is known of nearness.
double confidence_plain(const struct signs *s);

// signs.explained for tokens of log probability BEFORE [n] without, and AFTER [n] with the
// sentence; tokens that cost more with it do not count against it.
double confidence_explained(const double *before, const double *after, int n);
// signs.apart of OWN among the likelihoods ALL [n], of which it is one.
double confidence_apart(double own, const double *all, int n);

// Whether the word [FROM .. FROM + N) of QUESTION is the name of a particular thing, which cannot
// be said in other words: it has a digit, or a capital followed by small letters where an ordinary
// word would have none. All capitals are an abbreviation.
int confidence_is_name(const char *question, size_t from, size_t n);

// Fills in the signs that are about words: `said`, `nowhere`, `unknown` and `lacking` of Q's
// question with TEXT, its best sentence.
int confidence_words(struct signs *s, const struct asking *q, const char *text, struct err *e);

#endif
