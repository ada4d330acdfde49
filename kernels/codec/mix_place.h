// Elements of keys and values from sums of whole numbers, where mix_bytes has left them.
#ifndef LCTOOL_KERNELS_CODEC_MIX_PLACE_H
#define LCTOOL_KERNELS_CODEC_MIX_PLACE_H

#include <stddef.h>
#include <stdint.h>

struct mix_place {
    size_t n, heads, dim; // tokens, heads of the group, elements of a head
    const int32_t *sum;   // [n][sum_stride], of which [heads][dim] count
    size_t sum_stride;
    const float *mean; // [heads][dim]
    float scale;
    float *x; // [heads][stride][dim]
    size_t stride;
};

// x[h][t][d] = mean[h][d] + scale * sum[t][h][d], each operation rounded: the same on all
// processors.
void mix_place(const struct mix_place *p);

// The ways there are, the plain one first, for tests: NULL after the last that runs here, which
// mix_place takes.
typedef void mix_place_fn(const struct mix_place *p);
mix_place_fn *mix_place_way(int i);

#endif
