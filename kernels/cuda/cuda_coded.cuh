// Codecs 3 to 5 of kvz.5 from the bytes of the file to floats, in three kernels: symbols, where a
// lane is one of the states that take turns; coefficients, where a thread takes some channels one
// after the other; elements, where a block of threads takes a few tokens of a group of heads. Sums
// are whole numbers (codecs 4 and 5), or floats in the order of the channels (codec 3): the same
// bits as the processor's.
//
// The bytes are not trusted: whatever they are, nothing is read or written out of bounds, and bytes
// that no encoder writes leave a mark in BAD.
#ifndef LCTOOL_KERNELS_CUDA_CUDA_CODED_CUH
#define LCTOOL_KERNELS_CUDA_CUDA_CODED_CUH

#include "kernels/coded.h"
#include "kernels/cuda/cuda_kernel.cuh"
#include "kernels/codec/rans.h"

enum {
    CUDA_CODED_TOKENS = 8,      // of a thread of the last kernel
    CUDA_CODED_Q_MAX = 1 << 17, // magnitude of a coefficient that is an escape
    CUDA_CODED_SLOT = RANS_SLOTS - 1,
};

struct cuda_coded_table {
    int n_joint, most, shift;
};

struct cuda_coded_group {
    int first, n_live; // channels of the layer
    int64_t rows;      // where they begin; -1: there are none
    float scale;
};

// One layer of one block.
struct cuda_coded_chunk {
    int64_t data;          // where its bytes begin
    int64_t symbols, q;    // where its own begin, [n_channels][padded] each
    int64_t table, layer;  // of the basis
    float *k, *v;          // [n_heads][stride][head_dim]
    int stride, n, padded; // n tokens; a multiple of CUDA_CODED_TOKENS
    int n_channels, turns; // of all states, over all channels
    int n_words, n_escapes;
    int rest_at, escape_at; // from its first byte on
};

// What all three kernels know.
struct cuda_coded {
    const uint32_t *slots;                 // [n_tables][RANS_SLOTS]
    const struct cuda_coded_table *tables; // [n_tables]
    const uint8_t *table;                  // of each channel, layer after layer
    const struct cuda_coded_group *groups; // [n_layers][2][n_groups]
    const int8_t *rows;
    const float *means; // [n_layers][2][n_heads][head_dim]
    const int *where;   // the channel of each of these elements, or -1
    const struct cuda_coded_chunk *chunks;
    const uint8_t *data;
    uint8_t *symbols;
    int *q;
    int *bad; // [chunks]
    int n_states, whole, n_groups, n_heads, head_dim;
    int words_at; // from a chunk's first byte on
};

CUDA_FN int cuda_coded_units(const struct cuda_coded_table *t, int n)
{
    return (n + t->n_joint - 1) / t->n_joint;
}

// Bytes of a channel's rests.
CUDA_FN int64_t cuda_coded_rest_bytes(const struct cuda_coded_table *t, int n)
{
    return ((int64_t)t->shift * n + 7) / 8;
}

CUDA_FN uint32_t cuda_coded_word(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8;
}

CUDA_FN uint32_t cuda_coded_long(const uint8_t *p)
{
    return cuda_coded_word(p) | cuda_coded_word(p + 2) << 16;
}

// ---- Symbols: a warp for each chunk, of which a lane is a state

struct cuda_coded_read {
    struct cuda_coded c;
};

struct cuda_coded_lane {
    uint32_t state;
    int64_t taken;            // words that all lanes have wanted so far
    int channel, at, n_units; // where the turn begins
};

CUDA_FN int cuda_coded_read_steps(const struct cuda_coded_read *p, struct cuda_place at)
{
    return 2 + 2 * p->c.chunks[at.bx].turns;
}

// Goes to the next turn: behind the last symbol of a channel another one begins with state 0.
CUDA_FN void cuda_coded_turn(const struct cuda_coded *c, const struct cuda_coded_chunk *k,
                             struct cuda_coded_lane *own, int by)
{
    own->at += by;
    if (own->at < own->n_units)
        return;
    own->channel++;
    own->at = 0;
    if (own->channel < k->n_channels)
        own->n_units = cuda_coded_units(&c->tables[c->table[k->table + own->channel]], k->n);
}

// shared: [RANS_STATES] whether a state wants a word
CUDA_FN void cuda_coded_read_step(const struct cuda_coded_read *p, int step, struct cuda_place at,
                                  float *shared, struct cuda_coded_lane *own)
{
    const struct cuda_coded *c = &p->c;
    const struct cuda_coded_chunk *k = &c->chunks[at.bx];
    const uint8_t *data = c->data + k->data;
    uint32_t *wants = (uint32_t *)(void *)shared;
    int lane = at.thread;
    if (step == 0) {
        own->state = lane < c->n_states ? cuda_coded_long(data + 4 + 4 * lane) : 0;
        own->taken = 0;
        own->channel = -1;
        own->at = own->n_units = 0;
        cuda_coded_turn(c, k, own, 0);
        if (lane < RANS_STATES)
            wants[lane] = 0;
        if (lane == 0)
            c->bad[at.bx] = 0;
    } else if (step == 2 * k->turns + 1) {
        if (lane < c->n_states && (own->state != RANS_LEAST || own->taken != k->n_words))
            c->bad[at.bx] = 1;
    } else if (step % 2) {
        if (lane < c->n_states && own->at + lane < own->n_units) {
            int table = c->table[k->table + own->channel];
            uint32_t slot = c->slots[table * (int64_t)RANS_SLOTS + (own->state & CUDA_CODED_SLOT)];
            own->state = (slot & CUDA_CODED_SLOT) * (own->state >> RANS_BITS) +
                         (slot >> 12 & CUDA_CODED_SLOT);
            c->symbols[k->symbols + (int64_t)own->channel * k->padded + own->at + lane] =
                (uint8_t)(slot >> 24);
            wants[lane] = own->state < RANS_LEAST;
        } else if (lane < c->n_states) {
            wants[lane] = 0;
        }
    } else {
        int before = 0, all = 0;
        for (int i = 0; i < RANS_STATES; i++) {
            before += i < lane ? (int)wants[i] : 0;
            all += (int)wants[i];
        }
        if (lane < c->n_states && wants[lane]) {
            int64_t word = own->taken + before; // what is not there reads as zero
            own->state <<= 16;
            if (word < k->n_words)
                own->state |= cuda_coded_word(data + c->words_at + 2 * word);
        }
        own->taken += all;
        cuda_coded_turn(c, k, own, c->n_states);
    }
}

// ---- Coefficients: a block of threads for each chunk, and for each thread some of its channels

struct cuda_coded_fill {
    struct cuda_coded c;
};

enum { CUDA_CODED_FILL_THREADS = 256 };

CUDA_FN int cuda_coded_fill_steps(const struct cuda_coded_fill *p, struct cuda_place at)
{
    (void)p;
    (void)at;
    return 2;
}

// Level number T of a channel, of which SYMBOLS are those.
CUDA_FN int cuda_coded_level(const struct cuda_coded_table *t, const uint8_t *symbols, int n)
{
    int base = 2 * t->most + 2, rest = symbols[n / t->n_joint];
    for (int i = n % t->n_joint; i > 0; i--)
        rest /= base;
    return rest % base - t->most;
}

// SHIFT bits, number N of those that begin at P.
CUDA_FN int cuda_coded_rest(const uint8_t *p, int shift, int n)
{
    int64_t bit = (int64_t)shift * n, last = (bit + shift - 1) / 8;
    uint32_t x = 0;
    for (int64_t i = bit / 8; i <= last; i++)
        x |= (uint32_t)p[i] << (i - bit / 8) * 8;
    return (int)(x >> bit % 8 & ((1u << shift) - 1));
}

// One channel, whose rests begin at REST and whose first escape is number ESCAPE. Returns whether
// something there is not as it was written.
CUDA_FN int cuda_coded_channel(const struct cuda_coded *c, const struct cuda_coded_chunk *k,
                               int channel, int64_t rest, int64_t escape)
{
    const struct cuda_coded_table *t = &c->tables[c->table[k->table + channel]];
    const uint8_t *symbols = c->symbols + k->symbols + (int64_t)channel * k->padded;
    const uint8_t *rests = c->data + k->data + k->rest_at + rest;
    int *q = c->q + k->q + (int64_t)channel * k->padded;
    int bad = 0;
    for (int i = 0; i < k->padded; i++) {
        int level = i < k->n ? cuda_coded_level(t, symbols, i) : 0, x = level;
        if (level == t->most + 1) {
            x = CUDA_CODED_Q_MAX;
            if (escape < k->n_escapes)
                x = (int)cuda_coded_long(c->data + k->data + k->escape_at + 4 * escape);
            if (x <= -CUDA_CODED_Q_MAX || x >= CUDA_CODED_Q_MAX) {
                bad = 1;
                x = 0;
            }
            escape++;
        } else if (i < k->n && t->shift) {
            x = level * (1 << t->shift) + cuda_coded_rest(rests, t->shift, i);
        }
        q[i] = x;
    }
    int over = (int)((int64_t)t->shift * k->n % 8); // bits of the last byte that are used
    return bad || (over && rests[cuda_coded_rest_bytes(t, k->n) - 1] >> over);
}

// shared: [2][n_threads] bytes of rests and escapes of each thread's channels
CUDA_FN void cuda_coded_fill_step(const struct cuda_coded_fill *p, int step, struct cuda_place at,
                                  float *shared, struct cuda_none *own)
{
    (void)own;
    const struct cuda_coded *c = &p->c;
    const struct cuda_coded_chunk *k = &c->chunks[at.bx];
    int *rests = (int *)(void *)shared, *escapes = rests + at.n_threads;
    int each = (k->n_channels + at.n_threads - 1) / at.n_threads;
    int first = cuda_min(at.thread * each, k->n_channels),
        end = cuda_min(first + each, k->n_channels);
    int64_t rest = 0, escape = 0;
    int bad = 0;
    for (int i = 0; step == 1 && i < at.thread; i++) {
        rest += rests[i];
        escape += escapes[i];
    }
    for (int i = first; i < end; i++) {
        const struct cuda_coded_table *t = &c->tables[c->table[k->table + i]];
        const uint8_t *symbols = c->symbols + k->symbols + (int64_t)i * k->padded;
        if (step == 1)
            bad |= cuda_coded_channel(c, k, i, rest, escape);
        for (int j = 0; j < k->n; j++)
            escape += cuda_coded_level(t, symbols, j) == t->most + 1;
        rest += cuda_coded_rest_bytes(t, k->n);
    }
    if (step == 0) {
        rests[at.thread] = (int)rest;
        escapes[at.thread] = (int)escape;
    } else if (bad || (at.thread == at.n_threads - 1 && escape != k->n_escapes)) {
        c->bad[at.bx] = 1;
    }
}

// ---- Elements: a block of threads for a few tokens of a group of heads, keys or values

struct cuda_coded_mix {
    struct cuda_coded c;
    int n_tiles; // of tokens
};

// Element D of a group, of CUDA_CODED_TOKENS tokens whose coefficients begin at Q, as the product's
// float.
CUDA_FN void cuda_coded_sums(const struct cuda_coded *c, const struct cuda_coded_group *g,
                             const int *q, int padded, int width, int d, float *out)
{
    uint32_t whole[CUDA_CODED_TOKENS] = {0}; // modulo 2^32
    for (int t = 0; t < CUDA_CODED_TOKENS; t++)
        out[t] = 0;
    for (int i = 0; i < g->n_live; i++, q += padded) {
        int row = c->rows[g->rows + (int64_t)i * width + d];
        for (int t = 0; t < CUDA_CODED_TOKENS; t++)
            if (c->whole)
                whole[t] += (uint32_t)q[t] * (uint32_t)row;
            else
                out[t] += (float)q[t] * (float)row; // the product is exact
    }
    for (int t = 0; t < CUDA_CODED_TOKENS && c->whole; t++)
        out[t] = (float)(int)whole[t];
}

// bx: (chunk * 2 + values) * n_groups + group, times the tiles, and the tile
CUDA_FN void cuda_coded_mix_run(const struct cuda_coded_mix *p, struct cuda_place at)
{
    const struct cuda_coded *c = &p->c;
    int part = at.bx / p->n_tiles, from = at.bx % p->n_tiles * CUDA_CODED_TOKENS;
    int group = part % c->n_groups, is_v = part / c->n_groups % 2;
    const struct cuda_coded_chunk *k = &c->chunks[part / c->n_groups / 2];
    if (from >= k->n)
        return;
    const struct cuda_coded_group *g = &c->groups[(2 * k->layer + is_v) * c->n_groups + group];
    int heads = c->n_heads / c->n_groups, dim = c->head_dim, width = heads * dim;
    int64_t element = ((2 * k->layer + is_v) * c->n_groups + group) * (int64_t)width;
    const int *q = c->q + k->q + (int64_t)g->first * k->padded + from;
    float *out = is_v ? k->v : k->k;
    for (int d = at.thread; d < width; d += at.n_threads) {
        float sum[CUDA_CODED_TOKENS], mean = c->means[element + d];
        int channel = g->rows < 0 ? c->where[element + d] : -1;
        if (g->rows >= 0)
            cuda_coded_sums(c, g, q, k->padded, width, d, sum);
        else
            for (int t = 0; t < CUDA_CODED_TOKENS; t++)
                sum[t] = channel < 0 ? 0 : (float)q[(int64_t)channel * k->padded + t];
        int64_t to = ((int64_t)(group * heads + d / dim) * k->stride + from) * dim + d % dim;
        for (int t = 0; t < CUDA_CODED_TOKENS && from + t < k->n; t++)
            out[to + (int64_t)t * dim] = cuda_mul_add(g->scale, sum[t], mean);
    }
}
CUDA_ONE_STEP(cuda_coded_mix)

#endif
