// How much the vectors that stand for each block resemble a few queries of one head.
#ifndef LCTOOL_ENGINE_SCORE_H
#define LCTOOL_ENGINE_SCORE_H

#include "engine/method/method.h"

// The vectors of one kv head for a run of blocks; they are scored as vectors * scale.
struct score_keys {
    const int8_t *vectors; // [n][head_dim]
    const float *scale;    // [n]
    const uint64_t *start; // [n_blocks + 1]
    const uint8_t *token;  // [n] token within the block
    int64_t n_blocks;
    uint32_t skip; // vectors of the first block that come from tokens before this one do
                   // not count
    uint64_t name; // of vectors and scale, see struct scan; 0: none
};

// Scores of N_Q queries (rotated, host [n_q][head_dim]) to OUT, row q at OUT + q * STRIDE, n_blocks
// each; -INFINITY for a block without vectors. LSE: log of the summed exponentials over its
// vectors; MAX: the best vector; COSINE: the best cosine; SUM: the sum over a span's vectors, of
// its best span. With QUEST vectors (minimum, maximum) an upper bound of what any key between them
// has, whatever is asked.
int score_blocks(const struct model *m, const struct score_keys *k, int quest, enum reduce reduce,
                 const float *q, int n_q, float *out, int64_t stride, struct err *e);

// Reduces the rows of all queries: LSE to the log of the softmax mass they give each block, MAX and
// SUM to the sum. Z [n].
void score_reduce(enum reduce reduce, const float *rows, int n_q, int64_t n, float *z);

// SnapKV: the softmax of each query over all vectors, summed over the queries, averaged over 7
// vectors next to each other, the best of each block; its log to Z [n_blocks].
int score_pool(const struct model *m, const struct score_keys *k, const float *q, int n_q, float *z,
               struct err *e);

// What score_blocks and score_reduce make of K, all on the device. 1: Z [n_blocks] is there; 0: not
// by this device, or not of these vectors; else an error.
int score_mass(const struct model *m, const struct score_keys *k, int quest, enum reduce reduce,
               const float *q, int n_q, float *z, struct err *e);

// The question of score_mass to K as struct scan has it, with the blocks' beginnings in START
// [n_blocks + 1]; 0: it cannot be asked so, because vectors that do not count are not all in front.
int score_scan(const struct model *m, const struct score_keys *k, const float *q, int n_q,
               uint64_t *start, struct scan *out);

// The best query of each vector alone: Z [n vectors].
int score_vectors(const struct model *m, const struct score_keys *k, const float *q, int n_q,
                  float *z, struct err *e);

// Entropy, in nats, of the softmax over Z [n]; blocks without a score do not count.
double score_entropy(const float *z, int64_t n);

// To mean 0 and variance 1; blocks without a score (-INFINITY) get the lowest one.
void score_standardize(float *z, int64_t n);

// A key as the index keeps it, OUT * SCALE: the largest element is 127 steps.
void score_bytes(const float *x, size_t dim, int8_t *out, float *scale);

#endif
