// A summary in the making: what summarize.c (the parts of a document, or all of it at once) and reduce.c (one summary of
// the summaries of parts) write with.
#ifndef LCTOOL_ENGINE_SUMMARIZING_H
#define LCTOOL_ENGINE_SUMMARIZING_H

#include "engine/answer/reading.h"

struct summarizing {
    struct model *m;
    struct kvz *k;
    const struct summarize_options *o;
    struct summary *out;
    const struct chat *chat;
    enum positions positions;
    int words, budget;
    int from_state;
};

// Writes about WORDS words about what R brings into sight; the text, *OUT, belongs to the caller.
int summarize_write(struct summarizing *z, struct reading *r, int words, char **out, struct err *e);

#endif
