// What the tests of kernels have in common: random inputs, shapes of attention, and how results are
// compared.
#ifndef LCTOOL_TESTS_UNIT_KERNELS_KERNEL_CASES_H
#define LCTOOL_TESTS_UNIT_KERNELS_KERNEL_CASES_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/kernels.h"

// The same numbers in every run.
uint32_t next_random(void);      // 24 bits
float uniform(void);             // -1 .. 1
void random_from(uint32_t seed); // the numbers that follow are those of SEED, whatever came before

// Zeroed memory; fails the test where there is none.
void *new (size_t n, size_t size);

// N random blocks of type Q whose half-precision scales are small numbers.
void random_weights(const struct quant *q, uint8_t *data, size_t n);
// Rotations by random angles: ROPE [n][rope_dim], cosines then sines.
void random_turns(float *rope, int n, int rope_dim);
// Larger X [n], and among them with UP 1 those that are hard for an activation.
void hard_to_gate(float *x, float *up, size_t n);

// Fails the test where GOT differs from WANT by more than TOLERANCE, relative to 1 or the number
// itself, whichever is larger. NaN is equal to NaN.
void compare(const struct device *d, const char *what, const float *want, const float *got,
             size_t n, double tolerance);

// Memory for the kept rows of a run of keys and values, all of it NaN.
struct kept_room {
    struct kept_rows rows; // NULL: not made yet
    int n;                 // of them that are there
};
void kept_forget(struct kept_room *room, int n_kv_heads, int stride, int head_dim);
void kept_free(struct kept_room *room);

struct piece_shape {
    int n, extra;       // keys, and how much longer the stride is
    int k_rope, q_rope; // q_rope: 1 one row, 2 a row per query
    int causal, max_distance, mass, gap;
};

struct attend_shape {
    const char *what;
    int n_q, n_heads, n_kv_heads, head_dim, rope_dim;
    enum rope_style style;
    float scale, softcap;
    int self_block;
    struct piece_shape pieces[4];
};

extern const struct attend_shape attend_shapes[];
extern const size_t n_attend_shapes;

#endif
