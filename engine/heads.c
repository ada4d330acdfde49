#include "engine/heads.h"

#include <string.h>

// SmolLM2-135M: ranked by where the block that holds the answer falls among all blocks when each
// head chooses alone; after these nine comes a cliff.
static const struct head SMOLLM2_135M[] = {
    {18, 6, 1}, {15, 6, 1}, {18, 7, 1}, {7, 7, 1},  {8, 0, 1},
    {14, 3, 1}, {17, 4, 1}, {17, 3, 1}, {17, 5, 1},
};

static const struct heads PROFILES[] = {
    {.name = "smollm2-135m",
     .arch = "llama",
     .n_layers = 30,
     .n_heads = 9,
     .n_kv_heads = 3,
     .n_embd = 576,
     .distance = 1024,
     .read = READ_BOTH, // 16 planted facts: 12 right, 7 from the stored blocks alone
     .n = sizeof SMOLLM2_135M / sizeof *SMOLLM2_135M,
     .v = SMOLLM2_135M},
};

const struct heads *heads_find(const char *arch, int n_layers, int n_heads, int n_kv_heads,
                               int n_embd)
{
    for (size_t i = 0; i < sizeof PROFILES / sizeof *PROFILES; i++) {
        const struct heads *h = &PROFILES[i];
        if (!strcmp(h->arch, arch) && h->n_layers == n_layers && h->n_heads == n_heads &&
            h->n_kv_heads == n_kv_heads && h->n_embd == n_embd)
            return h;
    }
    return NULL;
}

int heads_last_layer(const struct heads *h)
{
    int last = 0;
    for (int i = 0; i < h->n; i++)
        last = h->v[i].layer > last ? h->v[i].layer : last;
    return last;
}

int heads_kv(const struct heads *h, int group, int *pairs, int *channel)
{
    int n = 0;
    for (int i = 0; i < h->n; i++) {
        int layer = h->v[i].layer, kv = h->v[i].head / group, at = 0;
        while (at < n && (pairs[2 * at] < layer || (pairs[2 * at] == layer && pairs[2 * at + 1] < kv)))
            at++;
        if (at < n && pairs[2 * at] == layer && pairs[2 * at + 1] == kv)
            continue;
        memmove(pairs + 2 * at + 2, pairs + 2 * at, (size_t)(n - at) * 2 * sizeof *pairs);
        pairs[2 * at] = layer;
        pairs[2 * at + 1] = kv;
        n++;
    }
    for (int i = 0; channel && i < h->n; i++)
        for (int j = 0; j < n; j++)
            if (pairs[2 * j] == h->v[i].layer && pairs[2 * j + 1] == h->v[i].head / group)
                channel[i] = j;
    return n;
}
