// Reading and writing range asymmetric numeral systems (Duda, arXiv 1311.2540): symbols from a
// sequence of 16-bit words, by several states that take turns.
//
//     struct rans r = {.at = words, .end = words + 2 * n_words};   // and the states
//     struct rans *side[] = {&r, &other};                          // of as many symbols
//     rans_read(side, 2, slots, symbols, stride, n);               // any number of times
//     if (r.bad || r.at != r.end) ...                              // not what was written
//
//     at = rans_write(state, n_states, codes, symbols, n, end);    // of what is to be read last first
#ifndef LCTOOL_KERNELS_CODEC_RANS_H
#define LCTOOL_KERNELS_CODEC_RANS_H

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

enum { RANS_SIDE = 4 }; // sequences that are read side by side, at most

// Reads N symbols of each of N_SIDE sequences of equally many states, the one number i with state i
// mod n_states, into SYMBOLS [n_side][stride], of which up to 15 bytes after the N are overwritten.
// SLOTS [RANS_SLOTS], each 1 to 4095 wide. All processors give the same.
void rans_read(struct rans *const *r, size_t n_side, const uint32_t *slots, uint8_t *symbols,
               size_t stride, size_t n);

// How a symbol is written: 2^44 / width, rounded up; its width; and where among the slots it
// begins.
struct rans_code {
    uint64_t per;
    uint32_t width, start;
};

static inline struct rans_code rans_code_of(uint32_t width, uint32_t start)
{
    return (struct rans_code){((uint64_t)1 << 44) / width + 1, width, start};
}

// Writes what rans_read reads, symbol N - 1 first, by the code that CODES has of it; the words go
// before END. STATE [n_states], RANS_LEAST each before the first one; N_STATES 16 or 4. Returns
// where the words begin; two bytes before that may be overwritten.
uint8_t *rans_write(uint32_t *state, uint32_t n_states, const struct rans_code *codes,
                    const uint8_t *symbols, size_t n, uint8_t *end);

// The ways there are for 16 states, the plain one first, for tests: NULL after the last that runs
// here, which rans_read takes.
typedef void rans_fn(struct rans *const *r, size_t n_side, const uint32_t *slots, uint8_t *symbols,
                     size_t stride, size_t n);
rans_fn *rans_way(int i);

#endif
