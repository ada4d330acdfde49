// Inside of ballot_cast: select.c (the votes), select_again.c (the second vote), select_elect.c
// (the device's count).
#ifndef LCTOOL_ENGINE_METHOD_SELECT_IMPL_H
#define LCTOOL_ENGINE_METHOD_SELECT_IMPL_H

#include "engine/method/ballot.h"

// Whether the device can count the votes (device_ops.elect) and name the ballot's `most` best
// blocks or, before a second vote on them (AGAIN > 0), the AGAIN best.
int ballot_can_elect(const struct ballot *b, int64_t again);
// Has it count them, adding GAIN [n_blocks] and GAIN_MOST as struct election says. 1: B's scores
// and order are the device's; 0: not possible with these vectors, nothing has changed; else an
// error.
int ballot_elect(struct ballot *b, float *const *queries, int n_q, int64_t again,
                 const double *gain, double gain_most, struct err *e);
// The voters of LAYER, or with -1 of all layers, vote again on the N best blocks with the keys of
// all their tokens, read from the stored blocks. Only the order of these N changes.
int ballot_again(struct ballot *b, int layer, int64_t n, float *const *queries, int n_q,
                 struct err *e);

#endif
