// How a block's votes are spread over its tokens.
#ifndef LCTOOL_ENGINE_ASK_TOKEN_VOTES_H
#define LCTOOL_ENGINE_ASK_TOKEN_VOTES_H

#include "engine/method/ballot.h"

// The votes for each token of block GLOBAL: *VOTES [*n], for the caller to free, is the weighted
// mean over the voters of z-scores among the block's tokens, a token's score being the product of
// its key with the voter's best query. -INFINITY for the template's head, which is no text. NULL
// and 0 when no single heads vote (SELECT_SIMILARITY, none), or when all heads vote and the index
// does not keep their keys. QUERIES and N_Q as for ballot_cast.
int token_votes(const struct ballot *b, int64_t global, float *const *queries, int n_q,
                double **votes, uint32_t *n, struct err *e);
// The token with the most votes; *FOUND is 0 when there are none.
int token_votes_best(const struct ballot *b, int64_t global, float *const *queries, int n_q,
                     int *found, uint32_t *token, struct err *e);

#endif
