// The architectures this engine runs: one row each. What differs is data; the forward pass asks
// only which tensors a layer has.
#ifndef LCTOOL_ENGINE_ARCH_H
#define LCTOOL_ENGINE_ARCH_H

#include <stddef.h>

#include "io/gguf.h"
#include "kernels/kernels.h"

struct arch {
    const char *name;          // general.architecture
    enum rope_style rope_style;
    enum act act;
    int fused_qkv;             // attn_qkv holds q, k and v, one after the other
    int fused_gate_up;         // ffn_up holds gate and up
    int no_rope_every;         // 4: layers 3, 7, ... are not rotated; 0: all are
    int embd_scale_sqrt;       // embeddings are scaled by sqrt(n_embd)
    int sliding;               // the sliding_window key means something here
};

// The row for a name, or NULL.
const struct arch *arch_find(const char *name, size_t n);

// The names of all rows, "llama, qwen2, ...", into BUF.
void arch_list(char *buf, size_t cap);

#endif
