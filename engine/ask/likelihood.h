// Query likelihood: the best blocks are ranked again by how likely their sentences make the
// question.
#ifndef LCTOOL_ENGINE_ASK_LIKELIHOOD_H
#define LCTOOL_ENGINE_ASK_LIKELIHOOD_H

#include <stdint.h>

#include "io/err.h"

struct asking;

// Ranks the best blocks, as many as the method says (more when none of them answers), by how likely
// their sentences make the question, and chooses the sentences of the best two in the same way.
// Sets q->judged. Where the votes are sharp the order of blocks stays; does nothing
// where no heads voted.
int likelihood_rank(struct asking *q, struct err *e);
// How many of N_BLOCKS blocks are judged when the best sentence of the first N makes the question
// likelier than no text does by GAIN nats a token.
int likelihood_judged(int n, int64_t n_blocks, double gain);
// Nats a token: how much less than the best one a block may be worth, by its votes and words, to be
// judged at all, once the blocks nearest to the best are judged with this GAIN.
double likelihood_behind(double gain);

#endif
