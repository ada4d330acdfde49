// A summary's text, sentence by sentence, each with the passage that it rests on.
#ifndef LCTOOL_ENGINE_SAY_H
#define LCTOOL_ENGINE_SAY_H

#include "engine/summarize/summarizing.h"

struct say {
    struct reading *from; // what the model reads
    // Its words: where the model has others the document is quoted instead; NULL: never.
    const char *read;
    uint64_t first, end; // blocks that the text is about
    int words;           // about as many
    int told;            // whether the caller is told of each statement (summarize_options)
    // Finds the passage V that a sentence of the model's rests on: 1, 0 where there is none, or an
    // error.
    int (*rest)(void *arg, const char *sentence, size_t n, struct summary_statement *t,
                struct evidence *v, struct err *e);
    void *arg; // of rest
};

// Writes with the model, up to the first sentence that strays from what it has read (said_strays);
// then, up to as many words, says the sentences of the document that say most (points.h). OUT is
// the caller's to free, on failure as well.
int say(struct summarizing *z, struct say *y, struct summary_text *out, struct err *e);
void summary_text_done(struct summary_text *t);

#endif
