#include "engine/arch.h"

#include <stdio.h>
#include <string.h>

static const struct arch ARCHS[] = {
    {.name = "llama", .rope_style = ROPE_NORM, .act = ACT_SILU, .sliding = 1},
    {.name = "mistral", .rope_style = ROPE_NORM, .act = ACT_SILU, .sliding = 1},
    {.name = "smollm3", .rope_style = ROPE_NORM, .act = ACT_SILU, .no_rope_every = 4},
    {.name = "qwen2", .rope_style = ROPE_NEOX, .act = ACT_SILU},
    {.name = "qwen3", .rope_style = ROPE_NEOX, .act = ACT_SILU},
    {.name = "internlm2", .rope_style = ROPE_NORM, .act = ACT_SILU},
    {.name = "phi3", .rope_style = ROPE_NEOX, .act = ACT_SILU, .fused_qkv = 1, .fused_gate_up = 1,
     .sliding = 1},
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
