// Which blocks a question reads: every block of every index gets a score, the best are chosen.
//
//     struct ballot *b;
//     if (ballot_new(&b, m, indexes, n, &parts, "Who pays?", &e)) ...
//     if (ballot_cast(b, queries, n_q, &e)) ...          // queries of the probe pass
//     b->score[i], b->order[0..]                          // best first
//     ballot_free(b);
#ifndef LCTOOL_ENGINE_SELECT_H
#define LCTOOL_ENGINE_SELECT_H

#include "engine/method/ballot.h"

// QUERIES [n_layers] -> NULL or [n_q][n_heads][head_dim] raw; host memory.
int ballot_cast(struct ballot *b, float *const *queries, int n_q, struct err *e);

// The votes of LAYER's voters alone, anew.
int ballot_cast_layer(struct ballot *b, int layer, float *const *queries, int n_q, struct err *e);

#endif
