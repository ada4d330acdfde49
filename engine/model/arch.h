// The architectures this engine runs: one row each. What differs is data; the forward pass asks
// only which tensors a layer has.
#ifndef LCTOOL_ENGINE_MODEL_ARCH_H
#define LCTOOL_ENGINE_MODEL_ARCH_H

#include <stddef.h>

#include "io/gguf.h"
#include "kernels/kernels.h"

// What the key attention.sliding_window means.
enum sliding {
    SLIDING_UNKNOWN, // it does not say which layers: refused where it would matter
    SLIDING_ALL,     // every layer
    SLIDING_SOME,    // all but every sliding_every-th
};

struct arch {
    const char *name; // general.architecture
    enum rope_style rope_style;
    enum act act;
    int fused_qkv;       // attn_qkv holds q, k and v, one after the other
    int fused_gate_up;   // ffn_up holds gate and up
    int no_rope_every;   // 4: layers 3, 7, ... are not rotated; 0: all are
    int embd_scale_sqrt; // embeddings are scaled by sqrt(n_embd)
    int post_norms;      // what attention and feed-forward add is normed first
    enum sliding sliding;
    int sliding_every;        // with SLIDING_SOME: layers N-1, 2N-1, ... see everything
    double sliding_rope_base; // the sliding layers' own RoPE, never scaled; 0: as the others
    int wide_scale_layers;    // models of so many layers scale scores by 1/sqrt(n_embd / n_heads)
};

// The row for a name, or NULL.
const struct arch *arch_find(const char *name, size_t n);

// The names of all rows, "llama, qwen2, ...", into BUF.
void arch_list(char *buf, size_t cap);

#endif
