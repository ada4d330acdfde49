// The buffers of a forward pass; a stream owns its own.
#ifndef LCTOOL_ENGINE_STREAM_SCRATCH_H
#define LCTOOL_ENGINE_STREAM_SCRATCH_H

#include "engine/model/model.h"

// A token that the device chose, and its cost (device_ops.best, device_ops.cost).
struct chosen {
    struct best best;
    float cost;
};

struct forward_scratch {
    float *all; // one piece of memory for what follows, for a pass of N tokens
    int n;
    float *x, *h;     // [n][n_embd]
    float *q, *att;   // [n][n_heads * head_dim]
    float *k, *v;     // [n][n_kv_heads * head_dim]
    float *gate, *up; // [n][n_ff]
    // Keys and values of tokens in groups (forward.groups), [n_kv_heads][n][head_dim], of the layer
    // at work only.
    float *group_k, *group_v;
    float *logits; // [logits_rows][n_vocab]
    int logits_rows;
    // Device memory, allocated when first needed.
    float *self; // [self_cap]
    size_t self_cap;
    struct spans *spans; // [spans_cap]
    size_t spans_cap, n_spans;
    struct chosen *chosen;
    struct bonus *favour; // favour_cap bytes
    size_t favour_cap;
    float
        *q_host; // [q_host_cap], but this is host memory: [n][n_heads * head_dim] of the last pass
    size_t q_host_cap;
    float *mean; // [n_heads * head_dim]
};

// For passes of up to CHUNK tokens. *OUT is to be freed even where this fails.
int forward_scratch_new(struct forward_scratch **out, const struct model *m, int chunk,
                        struct err *e);
// Lays X out for a pass of N tokens; contents are not defined.
void forward_scratch_for(struct forward_scratch *x, const struct model *m, int n);
void forward_scratch_free(struct forward_scratch *x, struct device *d);

#endif
