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

// N tokens, which are in no pass yet, will be on trial. ERR_USAGE where they are more than
// device_ops.alike.
int stream_try(struct stream *s, int n, struct err *e);

// N rows of WIDTH floats of each of HEADS runs of CAP, from row FROM.
struct row_copy row_copy_of(const float *src, int heads, int cap, int width, int from, int n,
                            float *out);

#endif
