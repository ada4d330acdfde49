// Retrieval heads: the few attention heads of a model that look at the place where the answer is
// (Wu et al., arXiv:2404.15574), and what else a profile says of a model. Profiles of known models
// are rows of heads.c; others are found by calibration (calibrate.c) and read from a file
// (profile.h).
#ifndef LCTOOL_ENGINE_MODEL_HEADS_H
#define LCTOOL_ENGINE_MODEL_HEADS_H

#include <stddef.h>
#include <stdint.h>

#include "engine/engine.h"

enum {
    HEADS_NAME_MAX = 64,
    HEADS_COPY_MAX = 10,
    HEADS_QUOTE_MAX = 10,
    HEADS_SCORE_MAX = 1,
    HEADS_SHARPEN_MAX = 10
};

struct head {
    int layer, head; // query head
    float weight;    // of its vote
};

// How the blocks of a layer are divided into spans (span.h); 0: as the profile says for all
// layers, and where that is 0 too, the default.
struct heads_spans {
    float theta, phi, lambda;
};

struct heads {
    const char *name; // of the profile, for people; at most HEADS_NAME_MAX - 1 bytes
    // The shape a model must have for this profile to mean anything, and how it is recognised.
    const char *arch;
    int n_layers, n_heads, n_kv_heads, n_embd;
    int n_vocab, n_ctx_train; // 0: any
    uint64_t model;           // digest of the model it was made of; 0: any of this shape
    int distance;             // tokens: the fixed distance at which the heads are asked
    enum read_mode read;      // how the model answers best from the blocks
    int answer_sentences;     // of its answers that are worth reading; 0: all
    float copy, quote, min_score, sharpen; // see struct ask_options
    struct heads_spans spans;
    const struct heads_spans *layers; // [n_layers], or NULL: all as SPANS
    const float *steps;   // [n_layers][2][n_kv_heads], or NULL: relative quantisation steps of the
                          // keys, and of the values, of each kv head, with recipes of average bits;
                          // twice the step is one bit less an element. 0: 1
    const uint8_t *near;  // [n_layers][n_kv_heads], or NULL: not 0 for kv heads that look at sinks
                          // and window only
    const float *entropy; // [n_layers], or NULL: how undecided each layer usually is (ActQKV,
                          // section 4.3), as a share of log(number of blocks); 0: not known
    int n;                // 0: the model was calibrated, and none of its heads finds anything
    const struct head *v; // [n], best first
};

// The built-in profile of a model of this shape, or NULL.
const struct heads *heads_find(const struct model_info *f);
// Built-in profile number I, or NULL past the last.
const struct heads *heads_at(size_t i);

// 0, or ERR_MISMATCH: the profile, from FROM, is of another model.
int heads_check(const struct heads *h, const struct model_info *f, const char *from, struct err *e);

// The distinct (layer, kv head) pairs behind the heads, in order of layer and head: PAIRS [2 * n],
// returns their number. GROUP: query heads of a kv head. CHANNEL [h->n], which may be NULL: each
// head's index among the pairs.
int heads_kv(const struct heads *h, int group, int *pairs, int *channel);

// How the blocks of LAYER are divided into spans; H may be NULL (nothing is known).
struct heads_spans heads_spans(const struct heads *h, int layer);

// The relative steps (heads.steps) of all kv heads: OUT [n_layers][2][n_kv_heads], all 1 where H,
// which may be NULL, has none.
void heads_steps(const struct heads *h, int n_layers, int n_kv_heads, float *out);

// A digest of what shapes an index, the kv heads and the division into spans: profiles that differ
// only in weights or in what is read have the same one.
int heads_digest(const struct heads *h, uint64_t *out, struct err *e);

#endif
