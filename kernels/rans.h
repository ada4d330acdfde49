// Reading range asymmetric numeral systems (Duda, arXiv 1311.2540): symbols from a sequence of
// 16-bit words, by several states that take turns.
//
//     struct rans r = {.at = words, .end = words + 2 * n_words};   // and the states
//     rans_read(&r, slots, symbols, n);                            // any number of times
//     if (r.bad || r.at != r.end) ...                              // not what was written
#ifndef LCTOOL_KERNELS_RANS_H
#define LCTOOL_KERNELS_RANS_H

#include <stddef.h>
#include <stdint.h>

enum {
    RANS_STATES = 16,     // at most
    RANS_BITS = 12,       // of a probability
    RANS_LEAST = 1 << 16, // of a state
    RANS_SLOTS = 1 << RANS_BITS,
};

// What the lowest 12 bits of a state stand for: a symbol, its width, and how far into it they are.
static inline uint32_t rans_slot(uint32_t symbol, uint32_t width, uint32_t into)
{
    return symbol << 24 | into << 12 | width;
}

struct rans {
    uint32_t n_states; // 16 or 4; 4 are slower
    uint32_t state[RANS_STATES];
    const uint8_t *at, *end; // words, little-endian
    int bad;                 // more words were wanted than there are; they read as zero
};

// Reads N symbols, the one number i with state i mod n_states, into SYMBOLS, of which up to 15
// bytes after the N are overwritten. SLOTS [RANS_SLOTS], each 1 to 4095 wide. All processors give
// the same.
void rans_read(struct rans *r, const uint32_t *slots, uint8_t *symbols, size_t n);

// The ways there are for 16 states, the plain one first, for tests: NULL after the last that runs
// here, which rans_read takes.
typedef void rans_fn(struct rans *r, const uint32_t *slots, uint8_t *symbols, size_t n);
rans_fn *rans_way(int i);

#endif
