// A second place for questions that need one: "In which village was the designer of the bridge
// born?" Where the best sentence says that Ingrid Pellavane designed it, her name leads on to where
// she was born.
#ifndef LCTOOL_ENGINE_ASK_BRIDGE_H
#define LCTOOL_ENGINE_ASK_BRIDGE_H

#include "engine/ask/asking.h"
#include "engine/method/bm25.h"
#include "engine/passage/sentence.h"

enum { LEADS = 3 };

struct lead {
    int64_t global;
    uint32_t token;
    double weight; // of the words that led to it
    struct sentence v;
};

struct bridge {
    const char *question; // borrowed
    struct sentence first;
    char *words;         // words of the first sentence that the question does not have
    struct bm25 *counts; // of these and of the question's words, in all blocks
    double all;          // the weight of the rare ones among `words`
    struct lead leads[LEADS];
    int n;
};

// When the best sentence answers the question by half: finds a second sentence, to which rare words
// of the first lead that the question does not have, and keeps it in q->chosen.lead if both
// together make the question clearly likelier than the first alone (bridge_choose).
int bridge_over(struct asking *q, struct err *e);
// Fills in the leads, of G that has the question and the first sentence: sentences that share with
// the first one enough rare words which the question does not have, by falling weight of these.
// None when the first sentence has too few, or nearly all, of the question's words.
int bridge_find(struct bridge *g, const struct asking *q, struct err *e);
// The index of the lead after which the question is likeliest, if clearly likelier than after the
// first sentence alone; else -1. LIKELIHOOD [1 + n]: after the first sentence alone, then after it
// and each lead.
int bridge_choose(const struct bridge *g, const double *likelihood);
// Drops the leads that are not worth judging where the question's likelihood after the first
// sentence, FIRST nats a token, is known.
void bridge_despair(struct bridge *g, double first);
// Has the sentence of L read too: its block takes the place behind the best one.
int bridge_take(struct asking *q, const struct lead *l, struct err *e);
void bridge_done(struct bridge *g);

#endif
