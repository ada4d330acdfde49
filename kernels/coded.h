// Blocks of codecs 3 to 5 of kvz.5 as an index stores them, for a device that decodes them itself:
// what section BASE has learnt of a model, and the bytes of one layer of a block. All of it is host
// memory.
#ifndef LCTOOL_KERNELS_CODED_H
#define LCTOOL_KERNELS_CODED_H

#include <stddef.h>
#include <stdint.h>

// How the levels of a channel are coded: see struct basis_table.
struct coded_table {
    int n_joint, most, shift;
    const uint32_t *slots; // [RANS_SLOTS], see kernels/codec/rans.h
};

struct coded_group {         // heads that are mixed together
    int n_live;              // channels that are stored
    const uint16_t *channel; // [n_live] the element that each is, where there are no rows
    const int8_t *rows;      // [n_live][width], or NULL
};

struct coded_layer {
    int n_channels;       // stored, of all groups: keys', then values' unless they are paired
    const uint8_t *table; // [n_channels]
    const struct coded_group *groups; // [2][n_groups]
    const float *mean[2];             // [n_heads][head_dim]
    float scale[2];                   // of the sums
};

struct coded_basis {
    uint64_t name;       // stands for all that it holds, now and for ever: a device may keep it
    int n_states, whole; // 16 and whole sums (codecs 4 and 5), or 4 and sums of floats (codec 3)
    int paired;          // a group of values has the channels of the keys beside it
    int n_layers, n_groups, n_heads, head_dim, n_tables;
    const struct coded_table *tables;
    const struct coded_layer *layers;
};

struct coded {
    const struct coded_basis *basis;
    int layer, n; // n tokens
    // Number of words, states, words, rests, escapes: what these lengths say is there.
    const uint8_t *data;
    size_t bytes, n_words, rest_bytes;
};

// Where it goes: [n_heads][stride][head_dim], from k and v on.
struct coded_put {
    struct coded x;
    float *k, *v;
    int stride;
};

#endif
