// Inside of an embedder: its weights and the buffers of a pass.
#ifndef LCTOOL_ENGINE_EMBED_EMBEDDER_IMPL_H
#define LCTOOL_ENGINE_EMBED_EMBEDDER_IMPL_H

#include "engine/embed/embedder.h"
#include "kernels/kernels.h"

struct wordpiece;

// x W^T + bias
struct embedder_linear {
    struct mat w;
    float *bias; // [w.rows]
};

struct embedder_norm {
    float *weight, *bias; // [n_embd]
};

struct embedder_layer {
    struct embedder_linear q, k, v, o, up, down;
    struct embedder_norm attn_norm, out_norm; // of the sums of each half and what it is added to
};

enum pooling { POOL_MEAN = 1, POOL_CLS = 2 }; // numbers are the file format's

enum {
    EMBED_ROWS = 256, // tokens of a pass, but for what device.many asks for
    EMBED_TEXTS = EMBED_ROWS / 2,
    EMBED_PASSES = 16, // for each thread, that are cut before they are run; with words,
    EMBED_WORDED = 4,  // whose vectors are kept until all of these are run
};

// The texts of a pass: text I has the rows start[i] .. start[i + 1] - 1.
struct embedder_pass {
    int n, start[EMBED_TEXTS + 1];
    int rows; // at least device.many, where vectors may not depend on how many there are: the rows
              // past the last text's are of no text
    uint32_t ids[EMBED_ROWS];
    float *out;   // [n][n_embd]
    float *words; // NULL, or [rows][n_embd] of the words of all texts
    int n_words[EMBED_TEXTS];
    struct err err;
};

// The buffers of a pass of N rows, one behind the other in ALL.
struct embedder_scratch {
    float *all;
    float *x, *q, *att;     // [n][n_embd]
    float *k_rows, *v_rows; // [n][n_embd], where products do not go to k and v themselves
    float *k, *v;           // [n_heads][n][head_dim]
    float *h;               // [n][n_ff]
    struct attend attend[EMBED_TEXTS];
    struct attend_piece piece[EMBED_TEXTS];
};

struct embedder {
    struct device *device; // borrowed
    struct gguf *gguf;
    struct wordpiece *words_of; // cuts texts
    struct embedder_info info;
    char *name, *path; // info's
    int head_dim, n_vocab;
    int most; // tokens of a text
    int rows; // that buffers have room for
    enum pooling pooling;
    float eps;
    struct mat embd;               // [n_vocab][n_embd]
    float *places;                 // [most][n_embd] of a position and of the first type of tokens
    struct embedder_norm norm;     // of the sum of both
    struct embedder_layer *layers; // [info.n_layers]
    struct embedder_pass *pass;    // [device.threads * EMBED_PASSES]
    struct embedder_scratch *s;    // [device.threads], of which the first n_s have memory
    int n_s;
    float *words; // [threads * EMBED_WORDED][EMBED_ROWS][n_embd] of passes, or NULL
    float *ones;  // [n_ones][info.n_ff], room for ROWS
    int n_ones;
};

// Memory for the passes of N threads at a time.
int embedder_need_scratch(struct embedder *x, int n, struct err *e);

#endif
