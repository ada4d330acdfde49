// Inside of ballot_cast: select.c (the votes), select_again.c (the second vote), select_elect.c
// (the device's count).
#ifndef LCTOOL_ENGINE_SELECT_IMPL_H
#define LCTOOL_ENGINE_SELECT_IMPL_H

#include "engine/method/ballot.h"

// Whether the device can count the votes and name the blocks that are looked at, or, before a
// second vote, its AGAIN best, which that counts anew.
int ballot_can_elect(const struct ballot *b, int64_t again);
// Lets it. 1: the order is the device's, with GAIN [n_blocks] of GAIN_MOST (struct election) on
// top; 0: its vectors are none for that; else an error.
int ballot_elect(struct ballot *b, float *const *queries, int n_q, int64_t again,
                 const double *gain, double gain_most, struct err *e);
// The voters of LAYER, or, -1, of all, vote again on the N best blocks with the keys of all
// their tokens, read from the stored blocks. Their order changes, that of the others does not.
int ballot_again(struct ballot *b, int layer, int64_t n, float *const *queries, int n_q,
                 struct err *e);

#endif
