// Inside of a model: what the forward pass reads. Private to engine/.
#ifndef LCTOOL_ENGINE_MODEL_MODEL_H
#define LCTOOL_ENGINE_MODEL_MODEL_H

#include "engine/engine.h"
#include "engine/model/chat.h"
#include "engine/model/heads.h"
#include "engine/model/rope.h"
#include "engine/tok/tok.h"
#include "io/gguf.h"
#include "kernels/kernels.h"

// One transformer layer. A pointer or a matrix that the architecture lacks is NULL (data NULL).
struct layer {
    float *attn_norm, *ffn_norm;           // [n_embd]
    float *attn_post_norm, *ffn_post_norm; // [n_embd], on what the block adds to the residual
    float *q_norm, *k_norm;                // [head_dim], per head before RoPE
    struct mat q, k, v, o;
    float *q_bias, *k_bias, *v_bias, *o_bias;
    struct mat gate, up, down;
    int rope;    // index of model.rope; -1: nothing is rotated
    int sliding; // >0: a query sees so many tokens, its own included
};

struct model {
    struct device *device; // borrowed
    struct gguf *gguf;
    struct tok *tok;
    struct model_info info;
    const struct chat *chat;   // NULL: no template that is known
    char system[1024];         // the template's own system message, or ""
    const struct heads *heads; // retrieval heads, NULL: none are known
    struct heads *own_heads;   // the profile that was read from a file, or NULL
    struct rope rope[2];       // [1]: of sliding layers that have their own
    int n_ropes;
    int sight; // >0: every layer's sliding is at most this
    enum act act;
    float norm_eps, attn_scale, softcap; // softcap 0: none
    float embd_scale;                    // 1: none
    struct layer *layers;                // [info.n_layers]
    float *output_norm;                  // [n_embd]
    struct mat embd, output;             // [n_vocab][n_embd]; output shares embd's data when tied
    int is_loaded;                       // 1: all of it, and nothing was refused
    struct {
        char *path, *name, *profile_path, *weight_types;
    } own; // texts that info points to
};

// Rotates X [head_dim], a query or a key of LAYER in host memory, by POSITION in a context of REACH
// tokens.
void model_rotate(const struct model *m, int layer, int64_t reach, int64_t position, float *x);

// What is known of the model, also where none of its heads finds anything; NULL: nothing.
static inline const struct heads *model_profile(const struct model *m)
{
    return m->own_heads ? m->own_heads : m->heads;
}

#endif
