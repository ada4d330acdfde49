// What stands for a block in the index: the vectors of its channels.
//
//     struct represent_set *r;
//     if (represent_new(&r, m, REPRESENT_SPANS, block, chunk, &e)) ...
//     r->n_channels, r->channels                              // for kvz_create
//     represent_ask(r, &f); forward(...)                      // what it needs of the chunk's pass
//     represent_pick(r, n, i, n_tokens, &picks, &bytes, &e)   // at once, for each block of the chunk
//     represent_block(r, k, mass, n_tokens, picks, bytes, &e) // when it leaves the window
//     ... r->vectors, r->n_vectors, r->vector_token
//     represent_free(r);
#ifndef LCTOOL_ENGINE_METHOD_REPRESENT_H
#define LCTOOL_ENGINE_METHOD_REPRESENT_H

#include <stdint.h>

#include "cache/kvz.h"
#include "engine/method/method.h"
#include "engine/stream/stream.h"

struct represent_set {
    enum represent kind;
    enum voters kept;
    const struct model *m;
    int block;
    uint32_t n_channels;
    // Representatives have the query head that they stand for (top), or the first one of the kv
    // group whose keys they are (all others).
    struct kvz_channel *channels;
    const float **vectors; // [n_channels], as struct kvz_block_in wants them
    uint32_t *n_vectors;
    const uint8_t **vector_token;
    float *store;             // [n_channels][per_block][dim]: vectors that are computed or gathered
    uint8_t *tokens;          // [n_channels][per_block]
    uint32_t per_block;       // vectors of a block and channel at most
    uint32_t representatives; // tokens that stand for a block (top, fixed)
    // REPRESENT_SPANS only, else NULL: where forward() is to put the attention maps of the layers
    // in the index (forward.self) or, on a device that divides them, how (forward.cut).
    float **self;
    const struct span_cut **cut;
    struct span_cut *cuts; // [n_layers]
    struct spans *spans;
};

// The most vectors, over all channels, that stand for one block of BLOCK tokens: to *VECTORS.
int represent_most(const struct model *m, const struct method *parts, int block, uint64_t *vectors,
                   struct err *e);

// PARTS->represent and PARTS->kept say what is kept, and of which heads. Blocks have at most BLOCK
// tokens, chunks at most CHUNK.
int represent_new(struct represent_set **out, const struct model *m, const struct method *parts,
                  int block, int chunk, struct err *e);
void represent_free(struct represent_set *r);

// Adds to the pass F what represent_pick needs from it.
void represent_ask(const struct represent_set *r, struct forward *f);
// Whether it needs anything: then all blocks of a chunk but the last one must be whole.
int represent_asks(const struct represent_set *r);

// Chooses the tokens that will stand for block I, of N_TOKENS tokens, of the chunk of N tokens that
// has just run, from the attention of that pass. *PICKS [*bytes] is the caller's to free; NULL when
// nothing has to be chosen at this point.
int represent_pick(struct represent_set *r, int n, int i, uint32_t n_tokens, uint8_t **picks,
                   uint32_t *bytes, struct err *e);

// Makes the vectors of a block that leaves the window: r->vectors, n_vectors and vector_token. K
// [n_layers] -> [n_kv_heads][stride][head_dim] raw keys, MASS [n_layers] -> [n_heads][n_tokens]
// attention received. The vectors borrow K and are valid until the next call. ERR_FORMAT when
// PICKS, which may come from a saved state, make no sense.
int represent_block(struct represent_set *r, const float *const *k, uint32_t stride,
                    const float *const *mass, uint32_t n_tokens, const uint8_t *picks,
                    uint32_t bytes, struct err *e);

#endif
