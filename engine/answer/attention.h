// Where the model's attention falls while it writes: the passages are ranked by that.
#ifndef LCTOOL_ENGINE_ANSWER_ATTENTION_H
#define LCTOOL_ENGINE_ANSWER_ATTENTION_H

#include "engine/stream/stream.h"

// A stretch of the text that is read, and how much of the retrieval heads' attention falls on it
// while the answer is written.
struct attended {
    int64_t global; // its block (ballot.h)
    int from, n;    // its first token among those that are read, and their number
    double mass;
};
struct attention {
    struct attended *v; // [n]
    size_t n, cap;
};
int attention_add(struct attention *l, int64_t global, int from, int n, struct err *e);
// Starts counting the attention that local tokens receive in the layers of retrieval heads.
int attention_watch(struct stream *s, struct err *e);
// Then fills in the masses of L, whose token 0 is local token FROM: attention received, each head
// weighing as much as its vote.
int attention_count(struct attention *l, struct stream *s, int from, struct err *e);
// The masses where nothing was written: the later one stands, the nearer to the question, the more.
void attention_as_chosen(struct attention *l);

#endif
