// Retrieval heads: the few attention heads of a model that look at the place where the answer is.
// (Wu et al., arXiv:2404.15574; which heads they are was found by calibration on planted needles.)
#ifndef LCTOOL_ENGINE_HEADS_H
#define LCTOOL_ENGINE_HEADS_H

#include <stddef.h>
#include <stdint.h>

#include "engine/engine.h"

struct head {
    int layer, head;  // query head
    float weight;     // of its vote
};

struct heads {
    const char *name; // of the profile, for people
    // The shape a model must have for this profile to mean anything, and how it is recognised.
    const char *arch;
    int n_layers, n_heads, n_kv_heads, n_embd;
    int distance;     // tokens: the fixed distance at which the heads are asked
    enum read_mode read; // how the model answers best from the blocks
    int n;
    const struct head *v; // [n], best first
};

// The built-in profile of a model of this shape, or NULL.
const struct heads *heads_find(const char *arch, int n_layers, int n_heads, int n_kv_heads,
                               int n_embd);

// The last layer that holds a retrieval head.
int heads_last_layer(const struct heads *h);

// The distinct (layer, kv head) pairs behind the heads, in order of layer and head: PAIRS [2*n],
// returns their count. CHANNEL [h->n], may be NULL, receives each head's index into the pairs.
int heads_kv(const struct heads *h, int group, int *pairs, int *channel);

#endif
