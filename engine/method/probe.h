// What stands for the question when blocks are scored: a few query vectors of one head.
#ifndef LCTOOL_ENGINE_METHOD_PROBE_H
#define LCTOOL_ENGINE_METHOD_PROBE_H

#include "engine/method/method.h"

#define PROBE_ROOM(n, dim) (((size_t)(n) + 1) * ((size_t)(dim) + 1))

// Writes the query vectors of HEAD, raw as QUERIES [n][n_heads][head_dim] are, to OUT and returns
// their number: N for PROBE_TOKENS, else 1. OUT has PROBE_ROOM(n, head_dim) floats.
int probe_vectors(enum probe probe, const float *queries, int n, int n_heads, int head_dim,
                  int head, float *out);

#endif
