// A prompt that has been run, kept for another one that begins with the same tokens: these need not
// be run again.
#ifndef LCTOOL_ENGINE_PREFIX_H
#define LCTOOL_ENGINE_PREFIX_H

#include "engine/model/prompt.h"
#include "engine/stream/stream.h"

struct prefix {
    struct stream *s; // NULL: none is kept
    struct prompt p;  // the tokens that are local in S, from position 0 on
};

// How many first tokens IDS [n] has in common with B, which may be NULL.
int prefix_common(const struct prefix *b, const uint32_t *ids, int n);
// Copies these from B to S, which has no local tokens yet. Returns their number, or an error.
int prefix_share(const struct prefix *b, struct stream *s, const uint32_t *ids, int n,
                 struct err *e);
void prefix_done(struct prefix *b);

#endif
