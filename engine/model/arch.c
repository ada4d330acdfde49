#include "engine/model/arch.h"

#include <stdio.h>
#include <string.h>

static const struct arch ARCHS[] = {
    {.name = "llama", .rope_style = ROPE_NORM, .act = ACT_SILU, .sliding = SLIDING_ALL},
    {.name = "mistral", .rope_style = ROPE_NORM, .act = ACT_SILU, .sliding = SLIDING_ALL},
    {.name = "smollm3", .rope_style = ROPE_NORM, .act = ACT_SILU, .no_rope_every = 4},
    {.name = "qwen2", .rope_style = ROPE_NEOX, .act = ACT_SILU},
    {.name = "qwen3", .rope_style = ROPE_NEOX, .act = ACT_SILU},
    {.name = "internlm2", .rope_style = ROPE_NORM, .act = ACT_SILU},
    {.name = "phi3",
     .rope_style = ROPE_NEOX,
     .act = ACT_SILU,
     .fused_qkv = 1,
     .fused_gate_up = 1,
     .sliding = SLIDING_ALL},
    {.name = "gemma3",
     .rope_style = ROPE_NEOX,
     .act = ACT_GELU_TANH,
     .embd_scale_sqrt = 1,
     .post_norms = 1,
     .sliding = SLIDING_SOME,
     .sliding_every = 6,
     .sliding_rope_base = 10000,
     .wide_scale_layers = 62},
};
enum { N_ARCHS = sizeof ARCHS / sizeof *ARCHS };

const struct arch *arch_find(const char *name, size_t n)
{
    for (int i = 0; i < N_ARCHS; i++)
        if (strlen(ARCHS[i].name) == n && !memcmp(ARCHS[i].name, name, n))
            return &ARCHS[i];
    return NULL;
}

void arch_list(char *buf, size_t cap)
{
    size_t at = 0;
    for (int i = 0; i < N_ARCHS && at < cap; i++)
        at += (size_t)snprintf(buf + at, cap - at, "%s%s", i ? ", " : "", ARCHS[i].name);
}
