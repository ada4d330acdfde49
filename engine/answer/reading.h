// The read pass: what was chosen of an index is brought into the model's sight, the question
// follows it, and an answer is written. Nothing here chooses.
#ifndef LCTOOL_ENGINE_ANSWER_READING_H
#define LCTOOL_ENGINE_ANSWER_READING_H

#include "engine/answer/attention.h"
#include "engine/answer/prefix.h"
#include "engine/answer/writing.h"
#include "engine/method/method.h"
#include "engine/model/prompt.h"

// Stored blocks that are read, in document order.
struct place {
    const struct kvz *k;
    uint64_t block;
    int rank; // by importance among those that are read, 0 is the most important
};
struct places {
    struct place *v; // [n]
    int n, tokens;   // blocks, and tokens of all of them
};
// Tokens FROM .. TO - 1 of a stored block.
struct excerpt {
    const struct kvz *k;
    uint64_t block;
    uint32_t from, to;
};
struct excerpts {
    struct excerpt *v; // [n]
    size_t n, cap;
    int tokens; // of their whole blocks: room needed while they are brought into sight
};
// Puts the blocks of P into LAYER, or into every layer (-1), as far tokens in the order TRAVERSE.
int read_far(struct stream *s, int layer, const struct places *p, enum traverse traverse,
             struct err *e);
// The same for each kv head of LAYER by itself: P [n_kv_heads], in document order; all get as many
// tokens as the head with the fewest.
int read_far_heads(struct stream *s, int layer, const struct places *p, struct err *e);

// *FIRST: the first of the last blocks of K that fit a window of N tokens, whole blocks only and no
// sinks; the number of blocks when none fits.
int read_tail_first(const struct kvz *k, int n, uint64_t *first, struct err *e);

// Opens a stream that has the sinks and the last blocks of HOME (read_tail_first) in sight.
struct sight {
    enum positions positions;
    int window;    // tokens of the last blocks
    int far, room; // room for tokens of far blocks, and for tokens that will be run
    int layers;    // number of first layers that will be run; 0: all
    float sharpen; // see stream_options
};
int read_open(struct stream **out, struct model *m, const struct kvz *home, const struct sight *x,
              struct err *e);

// One read pass. All is borrowed, but for the answer's text, W.out, which is the caller's to free.
struct reading {
    struct model *m;
    const struct chat *chat;
    const struct prompt *question;
    const struct prefix *prefix; // NULL, or a prompt that may begin as what is read does

    // What is read.
    const struct kvz *home;      // whose sinks and end are in sight
    struct places far;           // what every layer reads, and whose text is read again
    const struct places *layers; // NULL, or [n_layers][lanes] what each layer reads instead
    int lanes;                   // 1, or the number of kv heads, each of which reads its own
    int state;                   // 1: the summary state of HOME is read instead of blocks
    const char *text;            // NULL, or with READ_FRESH the text that is read instead of blocks
    const struct prompt *sentences;  // READ_SENTENCES: the text that is read instead of blocks
    const struct excerpts *excerpts; // READ_CACHED_SENTENCES: where that is stored

    // How.
    enum read_mode mode;
    enum positions positions;
    int window;
    enum traverse traverse;
    struct art art; // patience 0: none
    float sharpen;  // see stream_options; 0: 1

    // What becomes of the answer (quote.h, copy.h).
    float copy;               // favour of what was read
    int copied;               // 1: only of the last sentence that was read
    float doubt;              // quote.doubt: nats a token; 0: nothing is quoted
    int in_its_words;         // quote.always: the answer is the document's sentence
    int quoted;               // number of the last sentences that an answer gives way to
    int apart;                // 1: which do not stand together
    int unsaid;               // number of first tokens that are no part of what is quoted
    const char *asked, *news; // quote.asked, quote.news
    int several;              // 1: several things are asked for
    struct attention *shown;  // what is read, for attention_count
    struct writing w;         // its stream and logits are the reading's

    // Results.
    int read_tokens;      // document tokens in sight
    uint64_t art_read[2]; // as art.read
    double first_token;   // clock_seconds() when the first token was known
};
// Runs it; the answer is in r->w.
int read_and_write(struct reading *r, struct err *e);

#endif
