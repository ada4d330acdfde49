// What of an index is brought into sight, and an answer written from it. Nothing here chooses.
#ifndef LCTOOL_ENGINE_READING_H
#define LCTOOL_ENGINE_READING_H

#include "engine/answer/begun.h"
#include "engine/answer/shown.h"
#include "engine/answer/writing.h"
#include "engine/method/method.h"
#include "engine/model/prompt.h"

// Far blocks in document order: stored keys and values.
struct place {
    const struct kvz *k;
    uint64_t block;
    int rank; // among what is read, 0 the most important
};
struct places {
    struct place *v; // [n]
    int n, tokens;   // blocks, and tokens of all of them
};
// Tokens FROM .. TO - 1 of a block.
struct excerpt {
    const struct kvz *k;
    uint64_t block;
    uint32_t from, to;
};
struct excerpts {
    struct excerpt *v; // [n]
    size_t n, cap;
    int tokens; // of the blocks, whole: what they take while they are brought into sight
};
// Into one layer or, LAYER -1, into every one, in the order TRAVERSE.
int read_far(struct stream *s, int layer, const struct places *p, enum traverse traverse,
             struct err *e);
// P [n_kv_heads]: each kv head its own blocks into LAYER, in document order, as many tokens as the
// head with fewest.
int read_far_heads(struct stream *s, int layer, const struct places *p, struct err *e);

// The end of an index that a window of N tokens shows: the first of its last blocks that fit,
// whole, sinks left out; n_blocks when none does.
int read_tail_first(const struct kvz *k, int n, uint64_t *first, struct err *e);

// A stream with the sinks and the end of HOME (read_tail_first) in sight, and room for blocks and
// for what is to come.
struct sight {
    enum positions positions;
    int window;    // tokens of the end
    int far, room; // tokens there is room for: of blocks, to come
    int layers;    // are run, 0: all
    float sharpen; // see stream_options
};
int read_open(struct stream **out, struct model *m, const struct kvz *home, const struct sight *x,
              struct err *e);

// The read pass: blocks into sight, the question after them, an answer out.
struct reading {
    struct model *m;
    const struct chat *chat;
    const struct kvz *home; // whose sinks and end are in sight
    enum positions positions;
    int window;
    struct places far;           // what every layer reads, and whose text is read again
    const struct places *layers; // [n_layers][lanes] what each layer reads instead, or NULL
    int lanes;                   // 1, or the number of kv heads, each of which reads its own
    int state;                   // the summary state of HOME stands for the far blocks
    const char *text;            // NULL, or what is read, with READ_FRESH, instead of blocks
    enum traverse traverse;
    struct art art; // patience 0: none
    enum read_mode mode;
    float sharpen; // see stream_options; 0: 1
    float copy;    // see copy.h
    float doubt;   // what an answer may cost a token before it gives way to the sentence (quote.h);
                   // 0: anything
    int in_its_words; // whether it gives way at any cost
    const struct prompt *question;
    const struct begun *begun;       // NULL, or what may have been run already of what is read
    const struct prompt *sentences;  // of READ_SENTENCES: read instead of the blocks; of
    const struct excerpts *excerpts; // READ_CACHED_SENTENCES: their text, and where they are stored
    int quoted;                      // of them, the last ones, what an answer gives way to,
    int unsaid;                      // without so many first tokens,
    const char *asked, *news;        // if it has no words but these, or none of these (quote.h)
    int copied;                      // whether the last one alone is copied from
    int several;                     // whether several things are asked for
    struct shown_list *shown;        // its parts
    struct writing w;                // its stream and logits are the reading's
    int read_tokens;                 // out: document tokens in sight
    uint64_t art_read[2]; // out: far blocks that were read while writing, and that there were
    double first_token;   // out: clock_seconds() when the first token was known
};
int read_and_write(struct reading *r, struct err *e);

#endif
