// What the reader and the writer of codecs 3 to 5 share.
#ifndef LCTOOL_CACHE_CODED_H
#define LCTOOL_CACHE_CODED_H

#include "cache/basis.h"
#include "cache/codec.h"

// Bytes before the words. A chunk has the number of words, the states, the words, the rests, the
// escapes.
static inline size_t coded_head(uint32_t n_states)
{
    return 4 + 4 * (size_t)n_states;
}

// Number of states of the basis's codec.
static inline uint32_t coded_states(const struct basis *b)
{
    return b->codec == CODEC_CODED ? 4 : RANS_STATES;
}

static inline size_t coded_rest_bytes(unsigned shift, uint32_t n_tokens)
{
    return ((size_t)shift * n_tokens + 7) / 8;
}

static inline size_t coded_group_width(const struct basis *b)
{
    return (size_t)b->group * b->head_dim;
}

// The most channels of a group.
static inline size_t coded_live_most(const struct basis *b)
{
    return (b->paired ? 2 : 1) * coded_group_width(b);
}

// Parts of a layer that have channels: only the keys' if values share them.
static inline uint32_t coded_parts(const struct basis *b)
{
    return b->paired ? 1 : 2;
}

int coded_recipe_ok(const struct kvz_recipe *r);
uint64_t coded_bound(const struct codec_shape *s);
int coded_encode(const struct codec_shape *s, struct packer *p, const float *k, const float *v,
                 uint32_t stride, uint8_t *out, uint64_t *bytes, struct err *e);

// Adds the bytes of each group of heads of a chunk to OUT [n_groups][2], keys and values: their
// words, rests and escapes, half to each if they share channels. The states are not counted, nor
// half a word here and there that two groups share.
int coded_shares(const struct codec_shape *s, const uint8_t *data, uint64_t bytes, uint64_t *out,
                 struct err *e);

#endif
