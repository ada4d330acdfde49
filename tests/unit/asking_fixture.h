// A question under way, brought as far as the votes, for tests of the steps behind them.
//
//     struct asking q = {.m = F.m, .k = &k, .n_k = 1, .o = &o, .a = &a};
//     asking_begin(&q);
//     q.how.parts.likelihood = 4;               // what the test wants otherwise
//     asking_vote(&q);
//     ... q.votes.ballot ...
//     asking_done(&q);
#ifndef LCTOOL_TESTS_UNIT_ASKING_FIXTURE_H
#define LCTOOL_TESTS_UNIT_ASKING_FIXTURE_H

#include "engine/ask/asking.h"

// The parts of the index, and the prompts, with the chat template of Q if it has one.
void asking_begin(struct asking *q);
// The ballot, by these parts, and its votes.
void asking_vote(struct asking *q);
// Judges the sentence around TOKEN of BLOCK, which becomes the best one; after it the question has
// LIKELIHOOD, whatever the model thinks.
void asking_judge(struct asking *q, uint64_t block, uint32_t token, double likelihood);

#endif
