// A prompt that has been run, kept for one that begins alike: what both begin with need not be run
// again.
#ifndef LCTOOL_ENGINE_BEGUN_H
#define LCTOOL_ENGINE_BEGUN_H

#include "engine/model/prompt.h"
#include "engine/stream/stream.h"

struct begun {
    struct stream *s; // NULL: nothing has
    struct prompt p;  // the local tokens of S, from position 0 on
};

// How many of the first tokens of IDS [n] B has run. B may be NULL.
int begun_common(const struct begun *b, const uint32_t *ids, int n);
// As many become local tokens of S, which has none. Returns how many, or an error.
int begun_share(const struct begun *b, struct stream *s, const uint32_t *ids, int n, struct err *e);
void begun_done(struct begun *b);

#endif
