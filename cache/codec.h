// Keys and values of one layer of one block, to bytes and back. man/kvz.5 specifies the layout.
//
//     const struct codec *c = codec_find(recipe->codec);        // NULL: unknown to this build
//     uint8_t *out = mem_new(c->bound(&shape), 1, &e);
//     if (c->encode(&shape, packer, k, v, stride, out, &bytes, &e)) ...
//     if (c->decode(&shape, out, bytes, k, v, stride, &e)) ...  // bytes that may be damaged
//
// A codec is a row of a table: new ones get new numbers, old ones stay readable for ever.
#ifndef LCTOOL_CACHE_CODEC_H
#define LCTOOL_CACHE_CODEC_H

#include <stddef.h>
#include <stdint.h>

#include "cache/basis.h"
#include "cache/kvz.h"
#include "cache/pack.h"
#include "io/err.h"

struct codec_shape { // at least 1 of each, at most 2^29 elements in all
    uint32_t n_tokens, n_kv_heads, head_dim;
    uint32_t k_bits, v_bits; // for encoding; values that recipe_ok allows
    uint32_t layer;
    const struct basis *basis; // needed, like LAYER, only by codecs 3 to 5
};

struct codec_chunk { // a chunk, and where its elements go
    const uint8_t *data;
    uint64_t bytes;
    float *k, *v; // [n_kv_heads][stride][head_dim]
    uint32_t stride;
};
enum { CODEC_SIDE = 4 }; // most chunks that are decoded side by side

struct codec {
    uint32_t id;
    const char *name;
    int (*recipe_ok)(const struct kvz_recipe *r);
    uint64_t (*bound)(const struct codec_shape *s); // most bytes of a chunk
    // k, v: [n_kv_heads][stride][head_dim]. The errors name the value; the caller adds the place.
    int (*encode)(const struct codec_shape *s, struct packer *p, const float *k, const float *v,
                  uint32_t stride, uint8_t *out, uint64_t *bytes, struct err *e);
    // Checks the length of a chunk and what it says of itself in front of its symbols, in no time:
    // decode does the same, and checks what is behind that.
    int (*check)(const struct codec_shape *s, const uint8_t *data, uint64_t bytes, struct err *e);
    int (*decode)(const struct codec_shape *s, const uint8_t *data, uint64_t bytes, float *k,
                  float *v, uint32_t stride, struct err *e);
    // Decodes N chunks of one shape, faster than one after the other; the error does not say which
    // one failed. NULL: the codec has no such way.
    int (*decode_side)(const struct codec_shape *s, const struct codec_chunk *c, size_t n,
                       struct err *e);
    // Decodes all but the arithmetic, with the same checks or with those of kvz_read_stored. NULL:
    // the codec has no such form.
    int (*stored)(const struct codec_shape *s, const uint8_t *data, uint64_t bytes,
                  struct kvz_stored *out, struct err *e);
};

const struct codec *codec_find(uint32_t id);

// Whether the codec is fitted to what it stores, and needs section BASE.
static inline int codec_is_fitted(uint32_t id)
{
    return id == CODEC_CODED || id == CODEC_CODED_WIDE || id == CODEC_CODED_PAIRED;
}

// 0, or ERR_UNSUPPORTED with what this build can do instead.
int codec_check(const struct kvz_recipe *r, struct err *e);

#endif
