// The summary state: a cascading cache (cascade.h) of tokens that left the window, with their raw
// keys and values, each kv head of each layer its own. It has a fixed size, has seen the whole
// document, and lies in the index, so that a summary begins at once.
//
//     struct keep *s;
//     if (summary_new(&s, m, &e)) ...
//     keep_add(s, n, token, k, v, mass);     // while encoding, block by block, sinks left out
//     if (summary_put(s, writer, &e)) ...    // before kvz_finish
//
// Its tokens receive no attention once they have left the window: their scores only decay.
#ifndef LCTOOL_ENGINE_SUMMARY_H
#define LCTOOL_ENGINE_SUMMARY_H

#include "cache/kvz.h"
#include "engine/stream/keep.h"
#include "engine/stream/stream.h"

int summary_new(struct keep **out, const struct model *m, struct err *e);

// Hands the state to the writer, in the form of section SUMM; nothing where it has no tokens.
int summary_put(struct keep *s, struct kvz_writer *w, struct err *e);
// Fills an empty state with what index K ended with. *FOUND is 0, and nothing else happens, when K
// has no state of this shape.
int summary_take(struct keep *s, const struct kvz *k, int *found, struct err *e);

// Where the state's tokens come from: of each group of them, as many as a sub-cache has slots, the
// block that most of them lie in, at most MOST blocks, those with most tokens; in document order.
// BLOCKS [most]. Returns their number.
int summary_blocks(const struct kvz *k, int most, uint64_t *blocks, struct err *e);

// The tokens of index K's state as the far tokens of every layer of S, which has room for them.
int summary_read(struct stream *s, const struct kvz *k, struct err *e);

#endif
