// Codecs 3 to 5, reading: from the words, rests and escapes of a chunk to whole numbers, a channel
// at a time.
#ifndef LCTOOL_CACHE_CODED_LEVELS_H
#define LCTOOL_CACHE_CODED_LEVELS_H

#include <stddef.h>
#include <stdint.h>

#include "cache/coded.h"

struct coded_reader {
    struct rans words;
    const uint8_t *rest;          // next one
    const uint8_t *escape, *last; // next one; after the last
    int bad;
};

// A channel's coefficients, N of each of N_SIDE chunks (at most RANS_SIDE): as bytes in LEVELS, and
// 0 is returned; or in Q, where they may be large. Both are [n_side][np], NP being n padded.
int coded_channel(struct coded_reader *r, size_t n_side, const struct basis_table *t, size_t n,
                  size_t np, uint8_t *symbols, int8_t *levels, int32_t *q);

#endif
