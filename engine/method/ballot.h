// What is voted on: the blocks of all indexes of a question, numbered together: global =
// base[index] + block; who votes, and what each said (select.h is how they come to say it).
#ifndef LCTOOL_ENGINE_BALLOT_H
#define LCTOOL_ENGINE_BALLOT_H

#include <stdint.h>

#include "cache/kvz.h"
#include "engine/method/method.h"
#include "engine/method/score.h"

// One voter: a head, or a whole layer, head -1 (SELECT_SIMILARITY).
struct voter {
    int layer, head;
    float weight;
    float *z;       // [n_blocks] z-score of each block among all
    int *rank;      // NULL, or [n_blocks]: 1 and one for each block of larger z, where a device has
                    // counted, and has told nothing of blocks beyond those that are looked at
    double entropy; // of the softmax over its scores of all blocks, nats
};

struct ballot {
    const struct model *m;
    struct kvz *const *indexes;
    int n_indexes;
    struct method parts;
    const char *question;
    int64_t *base;  // [n_indexes + 1]
    uint32_t *skip; // [n_indexes] tokens at the front that do not stand for the first block
    int64_t n_blocks;
    // Blocks that are looked at in order, at most; 0: all, and whatever is known of them.
    int64_t most;
    int n_voters; // 0 when only words count, or nobody is asked
    struct voter *voters;
    double *score;  // [n_blocks] weighted mean of the z-scores; hybrid: and what the words add
    int64_t *order; // [n_blocks] best first; equal scores in document order
    double *words;  // [n_blocks] BM25; NULL: nobody looked
    int worded;     // whether some block has enough of the question's words for them to speak
    double *cover;  // [n_blocks] share that each has of the weight of the question's words; NULL:
                    // nobody looked
};

// PARTS as the indexes were made and as the question asks; QUESTION is borrowed. ERR_MISMATCH when
// an index lacks the channels that the voters need, ERR_USAGE for parts that do not go together.
int ballot_new(struct ballot **out, const struct model *m, struct kvz *const *indexes,
               int n_indexes, const struct method *parts, const char *question, struct err *e);
void ballot_free(struct ballot *b);

// Layers whose queries are needed: non-zero in NEED [n_layers]. Returns the number of layers to
// run.
int ballot_layers(const struct ballot *b, unsigned char *need);

// What the voters of LAYER say, of kv head KV or, -1, of all: ORDER [n_blocks] best first, and the
// mean entropy of their scores; 0 voters have none.
int ballot_layer(const struct ballot *b, int layer, int kv, int64_t *order, double *entropy,
                 int *n_voters, struct err *e);

// Tokens of a block and how many bytes of text each is: [N] each, freed with *IDS.
int block_tokens(const struct kvz *k, uint64_t block, uint32_t **ids, uint32_t **bytes, uint32_t *n,
                 struct err *e);

// The index and block of a global number.
void ballot_locate(const struct ballot *b, int64_t global, int *index, uint64_t *block);

// The vectors of an index that stand for the kv head of query head HEAD. ERR_MISMATCH: it has none.
int ballot_run(const struct ballot *b, const struct kvz *k, int layer, int head,
               struct kvz_run *run, struct err *e);
// The vectors of one head in index X, for score.h.
int ballot_keys(const struct ballot *b, int x, int layer, int head, struct score_keys *keys,
                struct err *e);
// Whether whole layers vote, not heads.
int ballot_by_layer(const struct ballot *b);
// The context that the indexes were made in (rope.h).
int64_t ballot_reach(const struct ballot *b);
// The vectors that voter V asks with: rotated, in Q (PROBE_ROOM(n_q, head_dim) floats); their
// count.
int ballot_probe(const struct ballot *b, const struct voter *v, const float *queries, int n_q,
                 float *q);
// Each block's score from the voters' z-scores.
void ballot_count(struct ballot *b);
// Puts block GLOBAL behind the N > 0 best ones, of which it is none, with the score of the last of
// them.
void ballot_put(struct ballot *b, int64_t global, int64_t n);
// Sorts N blocks in ORDER by SCORE [n_blocks], best first; equal scores in document order.
int ballot_sort(int64_t *order, const double *score, int64_t n, struct err *e);

#endif
