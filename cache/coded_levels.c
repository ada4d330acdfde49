#include "cache/coded_levels.h"

#include <string.h>

#include "kernels/codec/mix_bytes.h"
#include "kernels/vectors.h"

enum { LANES = 16 };

// ---------------------------------------------------------------------------- symbols to levels

// Stores digits less MOST; returns SEEN with non-zero bytes where a digit stands for an escape.
static inline bytes16 put_digits(int8_t *out, bytes16 digits, uint8_t most, bytes16 seen)
{
    bytes16 level = digits - most;
    memcpy(out, &level, sizeof level);
    return seen | (bytes16)(digits == (uint8_t)(2 * most + 1));
}

static inline bytes16 ones(bytes16 s, uint8_t most, int8_t *out, bytes16 seen)
{
    return put_digits(out, s, most, seen);
}

// s = l0 + base l1: the quotient is exact for all even bases up to 16 and s < base^2.
static inline bytes16 twos(bytes16 s, uint8_t most, int8_t *out, bytes16 seen)
{
    const uint16_t base = (uint16_t)(2 * most + 2), times = (uint16_t)((2047 + base) / base);
    bytes16 half[2];
    zip_bytes16(s, (bytes16){0}, half);
    for (int i = 0; i < 2; i++) {
        words8 x = (words8)half[i], high = x * times >> 11;
        seen = put_digits(out + 16 * i, (bytes16)((x - high * base) | high << 8), most, seen);
    }
    return seen;
}

// Four digits of two bits.
static inline bytes16 fours(bytes16 s, uint8_t most, int8_t *out, bytes16 seen)
{
    bytes16 half[2], quarter[4];
    zip_bytes16(s, (bytes16){0}, half);
    zip_pairs16(half[0], (bytes16){0}, quarter);
    zip_pairs16(half[1], (bytes16){0}, quarter + 2);
    for (int i = 0; i < 4; i++) {
        words4 x = (words4)quarter[i];
        x = (x | x << 6 | x << 12 | x << 18) & 0x03030303;
        seen = put_digits(out + 16 * i, (bytes16)x, most, seen);
    }
    return seen;
}

// Puts the levels of N_UNITS symbols into a row; up to 63 bytes behind them are overwritten.
// Returns whether one of them is an escape.
static int get_levels(const struct basis_table *t, const uint8_t *symbols, size_t n_units,
                      int8_t *out)
{
    const uint8_t most = (uint8_t)t->most;
    bytes16 seen = {0};
    size_t i = 0;
    if (t->n_joint == 1)
        for (; i < n_units; i += LANES)
            seen = ones(load_bytes16(symbols + i), most, out + i, seen);
    else if (t->n_joint == 2)
        for (; i < n_units; i += LANES)
            seen = twos(load_bytes16(symbols + i), most, out + 2 * i, seen);
    else
        for (; i < n_units; i += LANES)
            seen = fours(load_bytes16(symbols + i), most, out + 4 * i, seen);
    uint64_t u[2];
    memcpy(u, &seen, sizeof u);
    return (u[0] | u[1]) != 0;
}

// ------------------------------------------------------------------- what a level does not say

// q = level 2^shift + rest.
static void get_rests(struct coded_reader *r, unsigned shift, int escape, int32_t *q, size_t n)
{
    const uint8_t *p = r->rest;
    const uint32_t mask = (1u << shift) - 1;
    uint64_t bits = 0;
    unsigned have = 0;
    size_t t = 0;
    // Eight rests take SHIFT whole bytes.
    for (; shift <= 8 && t + 8 <= n; t += 8, p += shift) {
        uint64_t x = 0;
        for (unsigned i = 0; i < shift; i++)
            x |= (uint64_t)p[i] << 8 * i;
        for (unsigned i = 0; i < 8; i++) {
            int32_t all = q[t + i] * (1 << shift) + (int32_t)(x >> shift * i & mask);
            q[t + i] = q[t + i] != escape ? all : escape;
        }
    }
    for (; t < n; t++) {
        while (have < shift) {
            bits |= (uint64_t)*p++ << have;
            have += 8;
        }
        if (q[t] != escape)
            q[t] = q[t] * (1 << shift) + (int32_t)(bits & mask);
        bits >>= shift;
        have -= shift;
    }
    r->bad |= bits != 0;
    r->rest += coded_rest_bytes(shift, (uint32_t)n);
}

static void get_escapes(struct coded_reader *r, const int8_t *levels, int escape, int32_t *q,
                        size_t n)
{
    for (size_t t = 0; t < n; t++)
        if (levels[t] == escape) {
            int32_t x = BASIS_Q_MAX;
            if (r->last - r->escape >= 4) {
                memcpy(&x, r->escape, 4);
                r->escape += 4;
            }
            if (x <= -BASIS_Q_MAX || x >= BASIS_Q_MAX) {
                r->bad = 1;
                x = 0;
            }
            q[t] = x;
        }
}

// Widens sixteen signed bytes to integers.
static inline void widen(bytes16 bytes, int32_t *out)
{
    bytes16 pairs[2], all[4];
    zip_bytes16(bytes, bytes, pairs);
    zip_pairs16(pairs[0], pairs[0], all);
    zip_pairs16(pairs[1], pairs[1], all + 2);
    for (int i = 0; i < 4; i++) {
        ints4 x = (ints4)all[i] >> 24;
        memcpy(out + 4 * i, &x, sizeof x);
    }
}

int coded_channel(struct coded_reader *r, size_t n_side, const struct basis_table *t, size_t n,
                  size_t np, uint8_t *symbols, int8_t *levels, int32_t *q)
{
    const size_t units = (n + t->n_joint - 1) / t->n_joint;
    const int escape = (int)t->most + 1;
    struct rans *words[RANS_SIDE] = {0};
    int escapes = 0;
    for (size_t i = 0; i < n_side; i++)
        words[i] = &r[i].words;
    rans_read(words, n_side, t->slots, symbols, np, units);
    for (size_t i = 0; i < n_side; i++)
        escapes |= get_levels(t, symbols + i * np, units, levels + i * np);
    if (!t->shift && !escapes && t->most <= MIX_Q_MAX)
        return 0;
    for (size_t i = 0; i < n_side * np;
         i += LANES) // behind the last level, padding comes from some symbol, too
        widen(load_bytes16(levels + i), q + i);
    for (size_t i = 0; i < n_side; i++) {
        if (t->shift)
            get_rests(&r[i], t->shift, escape, q + i * np, n);
        if (escapes)
            get_escapes(&r[i], levels + i * np, escape, q + i * np, n);
    }
    return 1;
}
