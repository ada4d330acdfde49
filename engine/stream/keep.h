// A cascade (cascade.h) with the raw keys and values of its tokens, a lane for each kv head of each
// layer. What the summary state (summary.h) and the cascading window (encode.h) are made of.
#ifndef LCTOOL_ENGINE_STREAM_KEEP_H
#define LCTOOL_ENGINE_STREAM_KEEP_H

#include "engine/model/model.h"
#include "engine/stream/cascade.h"
#include "kernels/pool.h"

struct keep {
    const struct model *m;
    struct cascade *c; // its lanes: [n_layers][n_kv_heads]
    size_t lane;       // elements of a lane's rows
    uint16_t *k, *v;   // [n_lanes][n_rows][head_dim] upper halves of f32
    float *score;      // [n_lanes] scratch
    uint32_t *row;     // [cap_rows] scratch: [n_lanes] of each token that is added
    size_t cap_rows;
    uint32_t *order; // [n_rows] scratch
};

int keep_new(struct keep **out, const struct model *m, int n_caches, int slots, int shift,
             struct err *e);
void keep_free(struct keep *s); // accepts NULL

// Adds N tokens of the stream, the first with index TOKEN. K and V: [n_layers] ->
// [n_kv_heads][stride][head_dim], raw; MASS: [n_layers] -> [n_heads][n], attention that each
// received, of which a lane takes the largest among the query heads of its kv head. POOL's threads
// copy.
int keep_add(struct keep *s, int n, uint64_t token, float *const *k, float *const *v, int stride,
             float *const *mass, struct pool *pool, struct err *e);

// Adds the attention that LAYER's tokens have received since: MASS [n_heads][held], tokens in the
// order of keep_rows.
void keep_attend(struct keep *s, int layer, const float *mass);

// LAYER's keys and values, oldest first: [n_kv_heads][held][head_dim] each.
void keep_rows(struct keep *s, int layer, float *k, float *v);

// Fills an empty one: LANE's N tokens, as cascade_fill, with their keys and values [n][head_dim].
void keep_fill(struct keep *s, int lane, uint64_t seen, int n, const uint32_t *token,
               const float *score, const float *k, const float *v);

int keep_save(const struct keep *s, struct bytes *b, struct err *e);
int keep_load(struct keep *s, struct cursor *c, struct err *e);

#endif
