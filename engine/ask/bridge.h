// A second place for questions that need one: "In which village was the designer of the bridge
// born?" Where the best sentence says that Ingrid Pellavane designed it, her name leads on to where
// she was born.
#ifndef LCTOOL_ENGINE_BRIDGE_H
#define LCTOOL_ENGINE_BRIDGE_H

#include "engine/ask/asking.h"
#include "engine/method/bm25.h"

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
    char *words;         // of the first sentence that the question does not have
    struct bm25 *counts; // of these and the question's
    double all;          // what those of them weigh that are rare
    struct lead leads[LEADS];
    int n;
};

// The sentences that share enough rare words with the first one that the question does not have,
// the heaviest first; none where the first one has too few or nearly all of the question's words. G
// has the question and the first sentence.
int bridge_find(struct bridge *g, const struct asking *q, struct err *e);
// The lead after which the question is likeliest, and clearly likelier than after the first
// sentence alone: its number, -1: none. LIKELIHOOD [1 + n]: after the first alone, and after that
// and each lead.
int bridge_choose(const struct bridge *g, const double *likelihood);
// From now on what L leads to is read, too: behind the best block comes its own.
int bridge_take(struct asking *q, const struct lead *l, struct err *e);
void bridge_done(struct bridge *g);

#endif
