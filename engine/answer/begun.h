// A prompt that has been run, kept for another one that begins with the same tokens: these need not
// be run again.
#ifndef LCTOOL_ENGINE_BEGUN_H
#define LCTOOL_ENGINE_BEGUN_H

#include "engine/model/prompt.h"
#include "engine/stream/stream.h"

struct begun {
    struct stream *s; // NULL: none is kept
    struct prompt p;  // the tokens that are local in S, from position 0 on
};

// How many first tokens IDS [n] has in common with B, which may be NULL.
int begun_common(const struct begun *b, const uint32_t *ids, int n);
// Copies these from B to S, which has no local tokens yet. Returns their number, or an error.
int begun_share(const struct begun *b, struct stream *s, const uint32_t *ids, int n, struct err *e);
void begun_done(struct begun *b);

#endif
