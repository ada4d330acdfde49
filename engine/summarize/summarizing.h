// A summary in the making: what summarize.c (the parts of a document, or all of it at once),
// reduce.c (one summary of the summaries of parts) and say.c (their sentences) share.
#ifndef LCTOOL_ENGINE_SUMMARIZE_SUMMARIZING_H
#define LCTOOL_ENGINE_SUMMARIZE_SUMMARIZING_H

#include "engine/answer/reading.h"

// When the document is quoted instead of the model's words: see struct summarize_options.
enum quote_when { QUOTE_NEVER, QUOTE_STRAYS, QUOTE_ALWAYS };

struct block_range {
    uint64_t first, end;
};

struct summarizing {
    struct model *m;
    struct kvz *k;
    const struct summarize_options *o;
    struct summary *out;
    const struct chat *chat;
    enum positions positions;
    enum quote_when quote;
    int words, budget;
    int from_state;
    struct block_range *ranges; // [sections] what each is about
};

#endif
