// Sums of rows: what turns the coefficients of a block's keys and values back into keys and values.
#ifndef LCTOOL_KERNELS_CODEC_MIX_H
#define LCTOOL_KERNELS_CODEC_MIX_H

#include <stddef.h>
#include <stdint.h>

enum { MIX_ROWS_MAX = 512 };

// out[t][d] = sum over c of q[c][t] * rows[c][d], in the order of c from 0 on, in f32.
//
// q [n_rows][q_stride] with n tokens, q_stride a multiple of 4 and at least n, what lies behind the
// n tokens finite; rows [n_rows][width], n_rows at most MIX_ROWS_MAX; out [n][out_stride]. Where q
// are whole numbers below 2^17 every product is exact, and all processors give the same bits.
void mix_rows(const float *q, size_t n, size_t q_stride, size_t n_rows, const int8_t *rows,
              size_t width, float *out, size_t out_stride);

// The same of rows of floats: [n_rows][row_stride], of any number, row_stride and WIDTH multiples
// of 8. The order of the additions is the same, but processors round differently.
void mix_floats(const float *q, size_t n, size_t q_stride, size_t n_rows, const float *rows,
                size_t row_stride, size_t width, float *out, size_t out_stride);

// mix_rows in plain C, which the other is tested against.
void mix_rows_plain(const float *q, size_t n, size_t q_stride, size_t n_rows, const int8_t *rows,
                    size_t width, float *out, size_t out_stride);

#endif
