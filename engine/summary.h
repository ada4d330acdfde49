// The summary state: a cascading cache (cascade.h) of tokens that left the window, with their raw
// keys and values, each kv head of each layer its own. It has a fixed size, has seen the whole
// document, and lies in the index, so that a summary begins at once.
//
//     struct summary_state *s;
//     if (summary_new(&s, m, &e)) ...
//     summary_add(s, n, token, k, v, mass);     // while encoding, block by block; sinks do not
//     enter if (summary_put(s, writer, &e)) ...       // before kvz_finish
//
// Its tokens receive no attention once they have left the window: their scores only decay.
#ifndef LCTOOL_ENGINE_SUMMARY_H
#define LCTOOL_ENGINE_SUMMARY_H

#include "cache/kvz.h"
#include "engine/queue.h"
#include "engine/stream.h"

struct summary_state;

int summary_new(struct summary_state **out, const struct model *m, struct err *e);
void summary_free(struct summary_state *s); // accepts NULL

// N tokens, TOKEN the number of the first in the stream. K and V: [n_layers] ->
// [n_kv_heads][n][head_dim]; MASS: [n_layers] -> [n_heads][n], attention that each received.
void summary_add(struct summary_state *s, int n, uint64_t token, float *const *k, float *const *v,
                 float *const *mass);

int summary_put(const struct summary_state *s, struct kvz_writer *w, struct err *e);
// An empty state as it was when index K ended. *FOUND is 0, and nothing else happens, when K has
// none of this shape.
int summary_take(struct summary_state *s, const struct kvz *k, int *found, struct err *e);

int summary_save(const struct summary_state *s, struct blob *b, struct err *e);
int summary_load(struct summary_state *s, struct cursor *c, struct err *e);

// Where the state's tokens come from: of each group of them, as many as a sub-cache has slots, the
// block that most of them lie in, at most MOST blocks, those with most tokens; in document order.
// BLOCKS [most]. Returns their number.
int summary_blocks(const struct kvz *k, int most, uint64_t *blocks, struct err *e);

// The tokens of index K's state as the far tokens of every layer of S, which has room for them.
int summary_read(struct stream *s, const struct kvz *k, struct err *e);

#endif
