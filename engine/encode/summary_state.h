// The summary state: a cascading cache (cascade.h) of tokens that left the window with their raw
// keys and values, one for each kv head of each layer. It has a fixed size, spans the whole
// document and is kept in the index, so that a summary can begin at once.
//
//     struct keep *s;
//     if (summary_state_new(&s, m, &e)) ...
//     keep_add(s, n, token, k, v, mass);     // while encoding, block by block, sinks left out
//     if (summary_state_put(s, writer, &e)) ...    // before kvz_finish
//     keep_free(s);
//
// Its tokens receive no attention once they have left the window: their scores only decay.
#ifndef LCTOOL_ENGINE_ENCODE_SUMMARY_STATE_H
#define LCTOOL_ENGINE_ENCODE_SUMMARY_STATE_H

#include "cache/kvz.h"
#include "engine/stream/keep.h"
#include "engine/stream/stream.h"

int summary_state_new(struct keep **out, const struct model *m, struct err *e);

// Hands the state to the writer as section SUMM of kvz(5); a state without tokens is left out.
int summary_state_put(struct keep *s, struct kvz_writer *w, struct err *e);
// 1 where K has no state and should have one, because it has tokens besides its sinks; 0, or an
// error.
int summary_state_lacks(const struct kvz *k, struct err *e);
// Fills an empty state with that of index K, which has none where all of its tokens are sinks.
// *FOUND is 0, and nothing else happens, when K lacks one or has one of another shape.
int summary_state_take(struct keep *s, const struct kvz *k, int *found, struct err *e);

// The blocks that the tokens of K's state come from: the tokens are divided into groups of as many
// as a sub-cache has slots, and each group gives the block with most of them. BLOCKS [most] has at
// most MOST of these, those with most tokens, in document order; where no token has left the sinks,
// the first MOST. Returns their number, or an error.
int summary_state_blocks(const struct kvz *k, int most, uint64_t *blocks, struct err *e);

// Makes the tokens of K's state the far tokens of every layer of S, which must have room for them.
int summary_state_read(struct stream *s, const struct kvz *k, struct err *e);

#endif
