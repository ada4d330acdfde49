// Where a model looks while it writes.
#ifndef LCTOOL_ENGINE_SHOWN_H
#define LCTOOL_ENGINE_SHOWN_H

#include "engine/stream/stream.h"

// A part of the text that is read, and how much of the retrieval heads' attention falls on it while
// the answer is written.
struct shown {
    int64_t global; // its block, as the ballot numbers it
    int from, n;    // tokens of what is read
    double mass;
};
struct shown_list {
    struct shown *v; // [n]
    size_t n, cap;
};
int shown_add(struct shown_list *l, int64_t global, int from, int n, struct err *e);
// From now on the layers of the model's retrieval heads count the attention that tokens receive;
// then, what those of each part of L, the first one local token FROM, received, weighed as the
// heads' votes are.
int shown_watch(struct stream *s, struct err *e);
int shown_count(struct shown_list *l, struct stream *s, int from, struct err *e);

#endif
