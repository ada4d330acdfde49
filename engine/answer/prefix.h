// A prompt that has been run, kept for another one that begins with the same tokens: these need not
// be run again.
#ifndef LCTOOL_ENGINE_ANSWER_PREFIX_H
#define LCTOOL_ENGINE_ANSWER_PREFIX_H

#include "cache/kvz.h"
#include "engine/model/prompt.h"
#include "engine/stream/stream.h"

struct prefix {
    struct stream *s; // NULL: none is kept
    struct prompt p;  // the tokens that are local in S, from position 0 on
};

// How many first tokens IDS [n] has in common with B, which may be NULL.
int prefix_common(const struct prefix *b, const uint32_t *ids, int n);
// Copies these from B to S, which has no local tokens yet; if there are none, brings those there
// with which the index K, which may be NULL, begins: from its first block, which as a sink is
// stored with 8 bits or more. Returns their number, 0 where that block is damaged, or an error.
int prefix_share(const struct prefix *b, const struct kvz *k, struct stream *s, const uint32_t *ids,
                 int n, struct err *e);
void prefix_done(struct prefix *b);

#endif
