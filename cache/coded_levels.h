// Codecs 3 to 5, reading: from the words, rests and escapes of a chunk to integers, channel by
// channel.
#ifndef LCTOOL_CACHE_CODED_LEVELS_H
#define LCTOOL_CACHE_CODED_LEVELS_H

#include <stddef.h>
#include <stdint.h>

#include "cache/coded.h"

struct coded_reader {
    struct rans words;
    const uint8_t *rest;          // the next one
    const uint8_t *escape, *last; // the next one; behind the last one
    int bad;
};

// Reads a channel's coefficients, N of each of N_SIDE chunks (at most RANS_SIDE). Returns 0 if they
// are bytes in LEVELS, else they are in Q, because they may be large. Both are [n_side][np], NP
// being n padded.
int coded_channel(struct coded_reader *r, size_t n_side, const struct basis_table *t, size_t n,
                  size_t np, uint8_t *symbols, int8_t *levels, int32_t *q);

#endif
