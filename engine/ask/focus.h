// Where in a block the votes fall.
#ifndef LCTOOL_ENGINE_FOCUS_H
#define LCTOOL_ENGINE_FOCUS_H

#include "engine/method/ballot.h"

// *TOKEN of block GLOBAL, the one of the block whose keys the voters' queries resemble
// most (weighted mean of the z-scores of each voter's best query). *FOUND is 0 where no single
// heads vote, or all of them do and the index does not keep their keys. QUERIES and N_Q as for
// ballot_cast.
int ballot_focus(const struct ballot *b, int64_t global, float *const *queries, int n_q, int *found,
                 uint32_t *token, struct err *e);

#endif
