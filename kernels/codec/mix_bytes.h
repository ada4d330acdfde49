// Sums of rows of bytes, in whole numbers: what turns the coefficients of a block's keys and values
// back into keys and values. mix.h does the same with floats.
#ifndef LCTOOL_KERNELS_CODEC_MIX_BYTES_H
#define LCTOOL_KERNELS_CODEC_MIX_BYTES_H

#include <stddef.h>
#include <stdint.h>

enum {
    MIX_TOKENS = 32, // of a call at most, sixteens of them
    MIX_Q_MAX = 63,  // magnitude of a coefficient: two products fit 16 bits
    MIX_WIDTH = 16,  // what a width is rounded up to
    MIX_FOURS_MAX = 128,
};

// out[t][d] = less[t] + sum over c of q[c][t] * (rows[c][d] + 128), for N tokens, 16 or 32: with
// less[t] = -128 * the sum over c of q[c][t], rows are signed bytes that 128 was added to.
//
// Four rows lie together, element by element: q [n_fours][..][4], Q_STRIDE bytes from four to four,
// the first token's first, N_FOURS at most MIX_FOURS_MAX; rows [n_fours][width][4], WIDTH a
// multiple of MIX_WIDTH; out [n][width]. All processors give the same numbers.
void mix_bytes(const int8_t *q, size_t q_stride, size_t n, size_t n_fours, const uint8_t *rows,
               size_t width, const int32_t *less, int32_t *out);

// The ways there are, the plain one first, for tests: NULL after the last that runs here,
// which mix_bytes takes.
typedef void mix_bytes_fn(const int8_t *q, size_t q_stride, size_t n, size_t n_fours,
                          const uint8_t *rows, size_t width, const int32_t *less, int32_t *out);
mix_bytes_fn *mix_bytes_way(int i);

#endif
