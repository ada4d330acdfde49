// How similar the vectors that stand for each block are to a few queries of one head: enum reduce
// (method.h) in plain steps. Queries are rotated and in host memory throughout, [n_q][head_dim].
#ifndef LCTOOL_ENGINE_METHOD_SCORE_H
#define LCTOOL_ENGINE_METHOD_SCORE_H

#include "engine/method/method.h"

// The index's vectors of one kv head for all blocks: vector i is vectors[i] * scale[i].
struct score_keys {
    const int8_t *vectors; // [n][head_dim]
    const float *scale;    // [n]
    const uint64_t *start; // [n_blocks + 1]
    const uint8_t *token;  // [n] token within the block
    int64_t n_blocks;
    uint32_t skip; // vectors that come from tokens of the first block before this one do not count
    uint64_t name; // of vectors and scale, see struct scan; 0: none
};

// The scores of K's blocks for each of N_Q queries: row q, [n_blocks], at OUT + q * STRIDE;
// -INFINITY for a block without vectors. LSE: log of the sum of exponentials over the block's
// vectors; MAX: the best vector's; COSINE: the best cosine; SUM: the sum over the vectors of its
// best span. With QUEST non-zero the vectors are pairs of minimum and maximum, and the score is the
// upper bound for any key between them (arXiv:2406.10774), whatever REDUCE says.
int score_blocks(const struct model *m, const struct score_keys *k, int quest, enum reduce reduce,
                 const float *q, int n_q, float *out, int64_t stride, struct err *e);

// The sum of the N_Q ROWS [n_q][n] of score_blocks over the queries, to Z [n]: for LSE the
// logarithm of the softmax mass that the queries together give each block, else the plain sum. What
// is in ROWS is lost.
void score_reduce(enum reduce reduce, float *rows, int n_q, int64_t n, float *z);

// REDUCE_POOL (SnapKV, arXiv:2404.14469, section 4): the softmax of each query over all vectors,
// summed over the queries and averaged over 7 neighbouring vectors. Z [n_blocks]: the logarithm of
// the best in each block.
int score_pool(const struct model *m, const struct score_keys *k, const float *q, int n_q, float *z,
               struct err *e);

// score_blocks and score_reduce in one, on the device (scan.mass). 1: Z [n_blocks] is filled in; 0:
// this device cannot, or not with these vectors; else an error.
int score_mass(const struct model *m, const struct score_keys *k, int quest, enum reduce reduce,
               const float *q, int n_q, float *z, struct err *e);

// Fills in OUT, the device's scan for score_mass, with the blocks' first vectors in START
// [n_blocks + 1]. 1, or 0 when a scan cannot express it: skipped vectors are not all in front.
int score_scan(const struct model *m, const struct score_keys *k, const float *q, int n_q,
               uint64_t *start, struct scan *out);

// For each single vector the score of its best query: Z [number of vectors].
int score_vectors(const struct model *m, const struct score_keys *k, const float *q, int n_q,
                  float *z, struct err *e);

// Entropy, in nats, of the softmax over Z [n], without the blocks at -INFINITY.
double score_entropy(const float *z, int64_t n);

// Standardises Z [n] to mean 0 and variance 1; blocks at -INFINITY get the lowest finite score.
void score_standardize(float *z, int64_t n);

// Quantises X [dim] as the index keeps keys: x = out * scale, the largest magnitude is 127.
void score_bytes(const float *x, size_t dim, int8_t *out, float *scale);

#endif
