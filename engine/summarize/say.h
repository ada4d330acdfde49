// A summary's text, sentence by sentence, each with the passage that it rests on.
#ifndef LCTOOL_ENGINE_SUMMARIZE_SAY_H
#define LCTOOL_ENGINE_SUMMARIZE_SAY_H

#include "engine/summarize/summarizing.h"

struct say {
    struct reading *from; // the read pass that the model writes from
    // The text that it reads: from the first sentence that strays from this (guard_strays) on, the
    // document is quoted instead. NULL: never.
    const char *read;
    uint64_t first, end; // blocks that the text is about, end exclusive
    int words;           // about so many
    int told;            // 1: summarize_options.statement is called for each statement
    // Finds the passage V that a SENTENCE [n] of the model's rests on: 1, 0 when there is none, or
    // an error.
    int (*rest)(void *arg, const char *sentence, size_t n, struct summary_statement *t,
                struct evidence *v, struct err *e);
    void *arg; // of rest
};

// Has the model write, up to the first sentence that strays; then quotes the sentences of the
// document that say most (points.h) until there are enough words. OUT is the caller's to free with
// summary_text_done, on failure as well.
int summary_say(struct summarizing *z, struct say *y, struct summary_text *out, struct err *e);
void summary_text_done(struct summary_text *t);

#endif
