// Inside of summarize(): shared by summarize.c (the parts of a document, or all of it at once) and
// reduce.c (one summary of the summaries of parts).
#ifndef LCTOOL_ENGINE_SUMMARIZE_H
#define LCTOOL_ENGINE_SUMMARIZE_H

#include "engine/ask/ask.h"

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

// The text and statements of the whole from the sections' texts, of which there are two at least.
int summarize_reduce(struct summarizing *z, struct err *e);

#endif
