// What the files of this room share.
#ifndef LCTOOL_ENGINE_STREAM_STREAM_IMPL_H
#define LCTOOL_ENGINE_STREAM_STREAM_IMPL_H

#include "engine/stream/stream.h"

// Where tokens of one layer go: K and V point to the first one's row, [n_kv_heads][cap][head_dim].
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

// ERR_UNSUPPORTED when M cannot run with these positions: original positions beside a local part
// need distances of any size, which neither layers with a sliding window nor a RoPE that depends on
// the length of the context have.
int positions_check(const struct model *m, const struct stream_options *o, struct err *e);
// Multiplies a rope row by options.sharpen: the scores of what it rotates grow by the same factor.
void positions_sharpen(const struct stream *s, float *row);
// Makes the rope rows of local tokens (rope_local) and of the fixed distance (rope_fixed).
int positions_tables(struct stream *s, struct err *e);

// Fills in the pieces P that a chunk of N queries of LAYER attends to (the chunk's own keys are at
// the end of the local part). Returns their number, at most STREAM_PIECES.
enum { STREAM_PIECES = 3 };
int stream_pieces(struct stream *s, int layer, int n, struct attend_piece *p);

// Updates the rope rows of LAYER's sinks and far tokens to the current state.
int stream_positions(struct stream *s, int layer, struct err *e);

// Prepares a pass over N tokens on trial. ERR_USAGE for more than device_ops.alike.
int stream_try(struct stream *s, int n, struct err *e);

// The download to OUT of N rows of WIDTH floats, from row FROM on, of each of HEADS slabs of CAP
// rows at SRC.
struct row_copy row_copy_of(const float *src, int heads, int cap, int width, int from, int n,
                            float *out);

#endif
