// From votes to blocks: what each layer reads.
#ifndef LCTOOL_ENGINE_ASK_CHOOSE_H
#define LCTOOL_ENGINE_ASK_CHOOSE_H

#include "engine/answer/reading.h"

struct asking;

// The blocks that each layer chose for itself (SCOPE_LAYER).
struct by_layer {
    struct places *v; // [n_layers][lanes]; NULL: all layers read what is chosen for the question
    int lanes;        // choices of a layer: 1, or one for each kv head
    int64_t *budgets; // [n_layers] tokens that each layer may read, -1: all
    int most;         // tokens that a layer, or a kv head, has chosen at most
};

// Chooses the blocks that are read, by the ranking: q->chosen.far or q->chosen.by_layer, and the
// answer's choices.
int choose_blocks(struct asking *q, struct err *e);
// The callback for forward.retrieve while the answer is written (--token-step): LAYER chooses again
// by the QUERIES of the token that is being run. ARG: the struct asking.
int choose_anew(void *arg, struct stream *s, int layer, const float *queries, struct err *e);
// Adds the blocks that choose_anew chose to the answer's choices.
int choose_account(struct asking *q, struct err *e);

#endif
