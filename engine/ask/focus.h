// Where in a block the votes fall.
#ifndef LCTOOL_ENGINE_FOCUS_H
#define LCTOOL_ENGINE_FOCUS_H

#include "engine/method/ballot.h"

// How much the voters' queries resemble the key of each token of block GLOBAL: the mean of the
// voters, by their weights, of the z-scores of each one's best query, to *VOTES [*n], the caller's
// to free; -INFINITY for the sinks that the document's text does not have. NULL and 0 where no
// single heads vote, or all of them do and the index does not keep their keys. QUERIES and N_Q as
// for ballot_cast.
int ballot_votes(const struct ballot *b, int64_t global, float *const *queries, int n_q,
                 double **votes, uint32_t *n, struct err *e);
// *TOKEN has the most of them; *FOUND is 0 where there are none.
int ballot_focus(const struct ballot *b, int64_t global, float *const *queries, int n_q, int *found,
                 uint32_t *token, struct err *e);

#endif
