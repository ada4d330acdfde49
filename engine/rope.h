// Rotary position embedding as tables of rows, so that no kernel computes an angle.
//
// A row for position p is [dim] floats: cos(p*f_i) for the dim/2 frequencies, then sin(p*f_i).
// Positions are relative to whatever the caller likes and may be negative: only differences count.
// Angles are computed in double; rows are exact to float rounding at any position.
#ifndef LCTOOL_ENGINE_ROPE_H
#define LCTOOL_ENGINE_ROPE_H

#include <stdint.h>

#include "io/err.h"
#include "io/gguf.h"
#include "kernels/kernels.h"

struct rope {
    int dim;                 // rotated dimensions of a head
    enum rope_style style;
    double base;
    float magnitude;         // YaRN's attention factor: scales cos and sin
    double *freq;            // [dim/2]
};

// Reads ARCH's keys (rope.freq_base, rope.scaling.*) and the tensor rope_freqs.weight (Llama 3.1's
// frequency factors). ERR_UNSUPPORTED names a scaling that is not known.
int rope_init(struct rope *r, const struct gguf *g, const char *arch, int head_dim,
              enum rope_style style, struct err *e);
void rope_done(struct rope *r);

// N rows for positions START, START + 1, ... into ROWS (host) [n][dim].
void rope_rows(const struct rope *r, int64_t start, int n, float *rows);

// Rotates X [head_dim] in place by POSITION; host memory.
void rope_apply(const struct rope *r, int64_t position, float *x);

#endif
