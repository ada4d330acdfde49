// Inside of ask(): one question's state, shared by ask.c (probe, choice, answer) and read.c (what
// of an index is brought into sight).
#ifndef LCTOOL_ENGINE_ASK_H
#define LCTOOL_ENGINE_ASK_H

#include "engine/engine.h"
#include "engine/prompt.h"
#include "engine/select.h"
#include "engine/stream.h"

// The end of an index that a window of N tokens shows: the first of its last blocks that fit, whole,
// sinks left out; n_blocks when none does.
int read_tail_first(const struct kvz *k, int n, uint64_t *first, struct err *e);

// Far blocks, given in document order: stored keys and values of every layer.
struct place {
    const struct kvz *k;
    uint64_t block;
};
int read_far(struct stream *s, const struct place *places, int n, struct err *e);

// Writes an answer: samples from LOGITS [n_vocab], runs the stream on, until the end of the turn, MAX
// tokens, STOP, or until it says the same thing three times over. The text goes to the callback and to *OUT (owned by the caller).
struct writing {
    struct stream *s;
    float *logits;
    int max_tokens;
    float temp, top_p;
    uint64_t seed;
    const volatile sig_atomic_t *stop;
    void (*text)(void *arg, const char *s, size_t n);
    void *arg;
    char *out;
    size_t out_bytes, out_cap;
    uint32_t *ids;                // [n_tokens] while it writes
    int n_tokens;
    const char *finish;
};
int write_answer(struct writing *w, struct err *e);

// Runs N tokens in chunks; LOGITS of the last one, host [n_vocab].
int run_tokens(struct stream *s, const uint32_t *ids, int n, float *logits, struct err *e);

// A stream with the sinks and the end of HOME (read_tail_first) in sight, and room for FAR tokens of
// blocks and ROOM tokens to come.
int read_open(struct stream **out, struct model *m, const struct kvz *home,
              enum positions positions, int window, int far, int room, struct err *e);

// The read pass: blocks into sight, the question after them, an answer out.
struct reading {
    struct model *m;
    const struct chat *chat;
    const struct kvz *home;       // whose sinks and end are in sight
    enum positions positions;
    int window;
    const struct place *far;      // blocks, in document order
    int n_far, far_tokens;
    enum read_mode mode;
    const struct prompt *question;
    struct writing w;             // its stream and logits are the reading's
    int read_tokens;              // out: document tokens in sight
    double first_token;           // out: clock_seconds() when the first token was known
};
int read_and_write(struct reading *r, struct err *e);

// The passage of one block, for an answer.
int evidence_of(struct evidence *v, const struct kvz *k, int index, uint64_t block, double score,
                struct err *e);

#endif
