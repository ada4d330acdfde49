// A ballot: the blocks of all indexes that a question is put to, who votes on them, and what each
// voter said. Blocks are numbered across the indexes: global = base[index] + block. select.h casts
// the votes and has an example.
#ifndef LCTOOL_ENGINE_METHOD_BALLOT_H
#define LCTOOL_ENGINE_METHOD_BALLOT_H

#include <stdint.h>

#include "cache/kvz.h"
#include "engine/method/bm25.h"
#include "engine/method/method.h"
#include "engine/method/score.h"

// One voter: a head, or a whole layer, head -1 (SELECT_SIMILARITY).
struct voter {
    int layer, head;
    float weight;
    float *z; // [n_blocks] z-score of each block among all
    // NULL, or [n_blocks]: the block's rank by z, 1 is the highest. Filled in where a device has
    // counted the votes (device_ops.elect); then z and rank are known of the best blocks only.
    int *rank;
    double entropy; // of the softmax over its scores of all blocks, nats
};

struct ballot {
    const struct model *m;
    struct kvz *const *indexes;
    int n_indexes;
    struct method parts;
    const char *question;
    int64_t *base;  // [n_indexes + 1]
    uint32_t *skip; // [n_indexes] first tokens, the template's head, that do not stand for the
                    // first block
    int64_t n_blocks;
    int64_t most; // the caller looks at no more than this many of ORDER's first blocks; 0: at all
    int n_voters; // 0 with SELECT_BM25 and SELECT_NONE
    struct voter *voters; // [n_voters]
    double *score;  // [n_blocks] weighted mean of the z-scores, with SELECT_HYBRID plus what the
                    // words add
    int64_t *order; // [n_blocks] best first; equal scores in document order
    struct bm25 *counted; // the question's words in all blocks; NULL: not counted
    double *words;        // [n_blocks] BM25; NULL: not computed
    int worded;           // 1: some block has enough of the question's words for words to count
    double *cover; // [n_blocks] the share of the weight of the question's words that each block
                   // has; NULL: not computed
};

// PARTS: how the indexes were made and how QUESTION, which is borrowed, asks them. ERR_MISMATCH: an
// index lacks the channels that the voters need; ERR_USAGE: the parts do not go together.
int ballot_new(struct ballot **out, const struct model *m, struct kvz *const *indexes,
               int n_indexes, const struct method *parts, const char *question, struct err *e);
void ballot_free(struct ballot *b);

// Sets NEED [n_layers] to 1 for the layers whose queries the votes need, else 0. Returns how many
// first layers have to be run for that.
int ballot_layers(const struct ballot *b, unsigned char *need);

// The choice of LAYER (-1: of all layers), by the voters of its kv head KV or, KV -1, by all of its
// voters: ORDER [n_blocks] best first, the mean ENTROPY of their scores (0 without voters), and
// their number.
int ballot_layer(const struct ballot *b, int layer, int kv, int64_t *order, double *entropy,
                 int *n_voters, struct err *e);

// The N tokens of a block: *IDS [n], for the caller to free, and *BYTES [n], how many bytes of text
// each is, in the same allocation.
int block_tokens(const struct kvz *k, uint64_t block, uint32_t **ids, uint32_t **bytes, uint32_t *n,
                 struct err *e);
// Where the N tokens of a block begin: *STARTS [n + 1], for the caller to free, in bytes from the
// start of the block's text, and where the last one ends. One that has no text, as the template's,
// ends where it begins. ERR_NOMEM, ERR_IO; ERR_FORMAT: the block is damaged.
int block_token_starts(const struct kvz *k, uint64_t block, uint64_t **starts, uint32_t *n,
                       struct err *e);
// The token of a block, which has text, that byte AT of its document is of, or its first one:
// *TOKEN. Errors as above.
int block_token_at(const struct kvz *k, uint64_t block, uint64_t at, uint32_t *token,
                   struct err *e);

// The index and block of a global number.
void ballot_locate(const struct ballot *b, int64_t global, int *index, uint64_t *block);

// The vectors in index K by which query head HEAD of LAYER votes, those of its kv head.
// ERR_MISMATCH: the index has none.
int ballot_run(const struct ballot *b, const struct kvz *k, int layer, int head,
               struct kvz_run *run, struct err *e);
// The same of index number X, as score.h takes them.
int ballot_keys(const struct ballot *b, int x, int layer, int head, struct score_keys *keys,
                struct err *e);
// Whether whole layers vote, not heads.
int ballot_by_layer(const struct ballot *b);
// The length of the context that the indexes' keys are rotated for, the REACH of rope.h.
int64_t ballot_reach(const struct ballot *b);
// Writes the query vectors that voter V asks with, rotated, to Q (PROBE_ROOM(n_q, head_dim) floats)
// and returns their number.
int ballot_probe(const struct ballot *b, const struct voter *v, const float *queries, int n_q,
                 float *q);
// Computes each block's score from the voters' z-scores.
void ballot_count(struct ballot *b);
// Moves block GLOBAL in ORDER to right behind the N > 0 best blocks, which it is not among, and
// gives it the score of the last of these.
void ballot_put(struct ballot *b, int64_t global, int64_t n);
// Moves the blocks that IS [n_blocks] marks behind all others in ORDER; both keep their order, and
// all their scores. Returns how many are not marked, or ERR_NOMEM.
int64_t ballot_put_last(struct ballot *b, const unsigned char *is, struct err *e);
// Sorts N blocks in ORDER by SCORE [n_blocks], best first; equal scores in document order.
int ballot_sort(int64_t *order, const double *score, int64_t n, struct err *e);

#endif
