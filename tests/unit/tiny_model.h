// A small random model that is the same on every machine: for tests of everything but the answers.
//
//     struct tiny_options o = {.n_layers = 3, .type = "Q8_0"};       // zero = default
//     if (tiny_model_write("build/tiny.gguf", &o, &e)) ...
//
// Its tokenizer is byte-level BPE (pre "smollm"): ids 0..2 are <|endoftext|>, <|im_start|> and
// <|im_end|>, 3..258 the bytes, then the pieces of some hundred common English words. Its chat
// template is ChatML with SmolLM's habit of a system message of its own.
#ifndef LCTOOL_TESTS_UNIT_TINY_MODEL_H
#define LCTOOL_TESTS_UNIT_TINY_MODEL_H

#include <stdint.h>

#include "io/err.h"

struct tiny_options {
    const char *arch;          // "llama" (default), "qwen2" (biases), "qwen3" (norms on q and k)
    int n_layers;              // 2
    int n_embd;                // 64
    int n_ff;                  // 96
    int n_heads;               // 4
    int n_kv_heads;            // 2
    int head_dim;              // 16
    int n_ctx;                 // 8192, the trained length it claims
    double rope_base;          // 10000
    const char *type;          // of the matrices: "F32" (default), "F16", "Q8_0", "Q4_1"
    uint64_t seed;             // 1
    int no_template;           // without a chat template
    const char *template_text; // another than ChatML's
    const char *name;          // "tiny random"
};

// ERR_USAGE for options that do not go together, ERR_IO.
int tiny_model_write(const char *path, const struct tiny_options *o, struct err *e);

#endif
