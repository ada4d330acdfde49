// Rotary position embedding as tables of rows, so that no kernel computes an angle.
//
// A row for position p is [dim] floats: cos(p*f_i) for the dim/2 frequencies, then sin(p*f_i).
// Positions are relative to whatever the caller likes and may be negative: only differences count.
// Angles are computed in double; rows are exact to float rounding at any position.
//
// Two kinds of scaling depend on the length of the context: longrope (phi-3: two sets of factors)
// and dynamic (internlm2: the base grows). REACH is that length in tokens, and must be the same for
// all vectors that are compared with each other; other kinds ignore it.
#ifndef LCTOOL_ENGINE_MODEL_ROPE_H
#define LCTOOL_ENGINE_MODEL_ROPE_H

#include <stdint.h>

#include "io/err.h"
#include "io/gguf.h"
#include "kernels/kernels.h"

struct rope {
    int dim; // rotated dimensions of a head
    enum rope_style style;
    double base;
    const char *scaling; // its kind, for people
    float magnitude;     // the attention factor of YaRN and longrope: scales cos and sin
    double original;     // the largest reach for which freq holds; 0: any
    double *freq;        // [dim/2]
    double *long_freq;   // [dim/2] for longer ones: longrope; else NULL
    double dynamic;      // for longer ones: the factor of dynamic scaling; else 0
};

// Reads ARCH's keys (rope.freq_base, rope.scaling.*) and the tensors rope_freqs.weight (Llama 3.1's
// frequency factors), rope_factors_short.weight and rope_factors_long.weight (longrope's).
// ERR_UNSUPPORTED names a scaling that is not known.
int rope_init(struct rope *r, const struct gguf *g, const char *arch, int head_dim,
              enum rope_style style, struct err *e);
// The frequencies base^(-2i/dim) and no scaling.
int rope_init_plain(struct rope *r, int dim, double base, enum rope_style style, struct err *e);
void rope_done(struct rope *r);

// N rows for positions START, START + 1, ... into ROWS (host) [n][dim].
void rope_rows(const struct rope *r, int64_t reach, int64_t start, int n, float *rows);

// Rotates X [head_dim] in place by POSITION; host memory.
void rope_apply(const struct rope *r, int64_t reach, int64_t position, float *x);

#endif
