// How surprised a model is by the text of tests/golden/smollm2-perplexity.bin (README there),
// beside what transformers said of the same tokens.
#ifndef LCTOOL_TESTS_UNIT_PERPLEXITY_H
#define LCTOOL_TESTS_UNIT_PERPLEXITY_H

#include <stdint.h>
#include <time.h>

#include "engine/answer/reading.h"
#include "io/err.h"

struct perplexity {
    uint32_t n_tokens, window; // windows of WINDOW tokens, each a run of its own
    uint32_t *tokens;          // [n_tokens]
    float *golden;             // [n_tokens] -ln p of each token; 0 for the first of a window
};
int perplexity_open(struct perplexity *p, const char *path, struct err *e);
void perplexity_close(struct perplexity *p);

// Of the first N tokens read, and of the tokens read so far when END of processor time comes first
// (0: none), but at least LEAST of them: OWN and GOLDEN, both over the same *N_READ tokens.
int perplexity_run(struct model *m, const struct perplexity *p, uint32_t n, uint32_t least,
                   clock_t end, double *own, double *golden, uint32_t *n_read, struct err *e);

// -ln p of TOKEN after LOGITS [n_vocab].
double surprise(const float *logits, uint32_t n_vocab, uint32_t token);

// The blocks between the sinks and the last WINDOW tokens of an index, all of them: FAR.v is the
// caller's.
int far_all(const struct kvz *k, int window, struct places *far, struct err *e);

#endif
