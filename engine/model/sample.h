// From logits to the next token.
#ifndef LCTOOL_ENGINE_MODEL_SAMPLE_H
#define LCTOOL_ENGINE_MODEL_SAMPLE_H

#include <stdint.h>

#include "io/err.h"
#include "kernels/kernels.h"

// What is added to logits before a token is chosen; a zeroed struct adds nothing.
struct bonuses {
    struct bonus *v; // [n], no two of the same id
    size_t n, cap;
};
// Adds one; ID must not be among them.
int bonuses_add(struct bonuses *b, uint32_t id, float by, struct err *e);
void bonuses_apply(const struct bonuses *b, float *logits);
void bonuses_done(struct bonuses *b);

struct sampler {
    float temp, top_p; // temp <= 0: greedy; top_p outside (0, 1): all tokens
    uint64_t state;    // of the generator: start with the seed
};

// The next token of LOGITS [n], which are changed. Greedy takes the first of equal maxima.
// ERR_NOMEM; ERR_FORMAT when the logits are not numbers (a damaged model).
int sample(struct sampler *s, float *logits, int n, uint32_t *token, struct err *e);

// How a device is to draw the next token instead of sample(), with the next number of the
// generator. It draws the same token but for one in millions, where its exponentials and sums round
// differently and a neighbour in the order of likelihood is drawn. s->temp > 0.
struct draw sample_draw(struct sampler *s);

// The token that a device found (device_ops.best or draw). ERR_FORMAT as sample().
int sample_best(const struct best *b, uint32_t *token, struct err *e);

#endif
