// Casting the votes of a ballot: every block of every index gets a score and a place in the order.
//
//     struct ballot *b;
//     if (ballot_new(&b, m, indexes, n, &parts, "Who pays?", &e)) ...
//     if (ballot_cast(b, queries, n_q, &e)) ...          // queries of the probe pass
//     b->score[i], b->order[0..]                          // best first
//     ballot_free(b);
#ifndef LCTOOL_ENGINE_METHOD_SELECT_H
#define LCTOOL_ENGINE_METHOD_SELECT_H

#include "engine/method/ballot.h"

// All votes. QUERIES [n_layers] -> [n_q][n_heads][head_dim], raw (before RoPE), host memory; NULL
// for layers that ballot_layers does not name.
int ballot_cast(struct ballot *b, float *const *queries, int n_q, struct err *e);

// Only the votes of LAYER's voters, once more with other queries.
int ballot_cast_layer(struct ballot *b, int layer, float *const *queries, int n_q, struct err *e);

#endif
