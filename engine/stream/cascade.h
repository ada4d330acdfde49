// A cascading cache (arXiv:2406.17808, section 3.2): a bounded window whose tokens get sparser with
// age. N_CACHES sub-caches of SLOTS slots are rings, the first for the newest tokens. What a full
// one loses goes on to the next, and sub-cache i (from 0) accepts at every 2^i-th token of the
// stream:
//
//   accepting, not full    the token is appended
//   accepting, full        it takes the place of the oldest, which goes on to the next sub-cache
//   not accepting, empty   the token is appended
//   not accepting, else    it takes the place of the newest if it scores at least as much, and the
//                          loser is dropped
//
// A cascade may stand behind a plain window, which keeps every token: its first sub-cache then
// accepts only at every second token, as the second one of a cascade alone would (SHIFT 1).
//
// So about SLOTS * (2^N_CACHES - 1) tokens of the stream are spanned, the near ones all, the far
// ones thinly. A score is the exponential moving average of the attention that a token received,
// divided by (1 - CASCADE_DECAY), which changes no comparison.
//
// Which slots are taken depends only on the number of tokens; which token is in a slot depends on
// scores. So many lanes (one for each layer's kv head) share one cascade and each keep their own
// tokens. Keys and values are the caller's, kept by row: a token stays in the row that it was given
// until it is dropped. There is one row more than there are slots.
//
//     struct cascade *c;
//     if (cascade_new(&c, 4, 256, 0, n_lanes, &e)) ...
//     cascade_add(c, token, scores, rows);        // for each lane: the row that TOKEN takes
//     n = cascade_order(c, lane, rows);           // oldest first
#ifndef LCTOOL_ENGINE_STREAM_CASCADE_H
#define LCTOOL_ENGINE_STREAM_CASCADE_H

#include <stdint.h>

#include "io/bytes.h"
#include "io/cursor.h"
#include "io/err.h"

#define CASCADE_DECAY 0.9999 // of a score, for each token of the stream

enum { CASCADE_CACHES_MAX = 64, CASCADE_SLOTS_MAX = 4096 };

struct cascade {
    int n_caches, slots, shift, n_lanes;
    int n_rows;                     // n_caches * slots + 1
    uint64_t seen;                  // tokens that were added so far
    int held;                       // of these, in a slot now (the same number in every lane)
    int n[CASCADE_CACHES_MAX];      // in each sub-cache
    int oldest[CASCADE_CACHES_MAX]; // where its ring begins
    double weight;   // factor on scores that are added now. It grows by 1 / CASCADE_DECAY with each
                     // token, so that older scores decay without being touched
    uint32_t *ring;  // [n_lanes][n_caches][slots] rows
    uint32_t *spare; // [n_lanes] the row that the next token takes
    uint32_t *token; // [n_lanes][n_rows]
    double *score;   // [n_lanes][n_rows] each times the weight at the time when it was added
};

// SHIFT: sub-cache i accepts at every 2^(i + shift)-th token.
int cascade_new(struct cascade **out, int n_caches, int slots, int shift, int n_lanes,
                struct err *e);
void cascade_free(struct cascade *c);

// Adds the next token of the stream; SCORE [n_lanes]: the attention that it has received so far.
// ROW [n_lanes]: the row that it takes in each lane, that of a dropped token if one was dropped.
// Behind a window (SHIFT 1) the new token itself may be dropped; the next one then gets its row.
void cascade_add(struct cascade *c, uint32_t token, const float *score, uint32_t *row);

// Adds to the score of the token in ROW of LANE the attention that it has received since.
void cascade_attend(struct cascade *c, int lane, uint32_t row, float score);

// The rows of LANE, oldest token first: ROWS [held]. Returns held.
int cascade_order(const struct cascade *c, int lane, uint32_t *rows);

// The score, decayed to now, of the token in ROW of LANE.
float cascade_score(const struct cascade *c, int lane, uint32_t row);

// Fills an empty cascade with what one of its shape held after SEEN tokens: LANE's N tokens and
// their scores, oldest first. The i-th goes to row i. All lanes have the same N and SEEN.
void cascade_fill(struct cascade *c, int lane, uint64_t seen, int n, const uint32_t *token,
                  const float *score);

// Appends the whole state to B, and loads it into a cascade of the same shape; ERR_FORMAT when it
// makes no sense.
int cascade_save(const struct cascade *c, struct bytes *b, struct err *e);
int cascade_load(struct cascade *c, struct cursor *from, struct err *e);

#endif
