// What the files of this room share.
#ifndef LCTOOL_ENGINE_STREAM_IMPL_H
#define LCTOOL_ENGINE_STREAM_IMPL_H

#include "engine/stream/stream.h"

// Where tokens of one layer go: keys and values [n_kv_heads][cap][head_dim], from the first of them
// on.
struct slabs {
    float *k, *v;
    int cap;
};
// Room for N tokens at AT of a part of LAYER. ERR_USAGE where they do not fit.
int slabs_at(struct stream *s, enum stream_part part, int layer, int at, int n, struct slabs *to,
             struct err *e);

// Moves N rows of WIDTH floats per head from row FROM to row TO of a slab of CAP rows per head.
void stream_move(struct stream *s, float *slab, int heads, int cap, int width, int from, int to,
                 int n);

// Original positions beside a local part need distances of any size: not where a layer sees only so
// far, nor where the rotation depends on how long the context is. ERR_UNSUPPORTED.
int positions_check(const struct model *m, const struct stream_options *o, struct err *e);
// The rotations of local tokens and of the fixed distance.
int positions_tables(struct stream *s, struct err *e);

// N tokens, which are in no pass yet, will be on trial. ERR_USAGE where they are more than
// device_ops.alike.
int stream_try(struct stream *s, int n, struct err *e);

// N rows of WIDTH floats of each of HEADS runs of CAP, from row FROM.
struct row_copy row_copy_of(const float *src, int heads, int cap, int width, int from, int n,
                            float *out);

#endif
