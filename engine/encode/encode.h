// Inside of encode_documents(): the encoder's state, shared by its files: encode.c (the run),
// known.c (documents that are there already), encode_chunk.c (passes), encode_cascade.c (a
// cascading window), encode_sample.c (what the codec is fitted to), encode_write.c (blocks),
// summary.c (the summary state), encode_meta.c (options to parameters), encode_size.c (bytes a
// token), encode_state.c (checkpoint, resume, append).
#ifndef LCTOOL_ENGINE_ENCODE_ENCODE_H
#define LCTOOL_ENGINE_ENCODE_ENCODE_H

#include "engine/encode/known.h"
#include "engine/encode/summary_state.h"
#include "engine/engine.h"
#include "engine/method/method.h"
#include "engine/method/represent.h"
#include "engine/method/retrieve.h"
#include "engine/stream/queue.h"
#include "engine/stream/stream.h"
#include "io/doc/doc.h"
#include "io/hash.h"

// Tokens that no chunk has taken yet, the text they cover, and where documents begin and end among
// them.
struct waiting {
    struct tok_list tokens;
    struct bytes text;
    struct queue marks;
    size_t at, text_at; // what chunks have taken of tokens and text
};

struct encoder {
    struct model *m;
    const struct encode_options *o;
    const struct chat *chat; // NULL: raw
    struct doc_reader *docs;
    struct known *known;       // what the index that grows has already; NULL: none grows
    struct known_source input; // the current document
    uint64_t n_known;          // documents of the input list that were passed over for it
    struct stream *s;
    struct kvz_writer *w;
    int changes; // 1: the index is written: there are documents, or vectors, that it had not
    int grows;   // 1: it adds to an index that is there
    struct represent_set *represent;
    struct retriever *retriever; // NULL: plain streaming
    struct keep *cascade;        // the far part of a cascading window; NULL: a plain one
    struct keep *summary;        // the summary state; NULL: the index that grows has none
    struct queue queue;
    struct waiting waiting;
    int block, chunk; // tokens
    int rows;         // tokens of a pass at most: a chunk, or several where the device is faster so
    int shares; // 1: a chunk may have tokens of several documents. 0: not where something is done
                // for a chunk as a whole: retrieval, a cascading window, spans
    struct block_writer *writer;

    char *doc_name;
    uint64_t doc_ordinal; // inputs' documents before the one that the last chunk ended in
    uint64_t doc_tokens;  // tokens of that one that chunks have taken
    uint64_t head_tokens; // of the template, before the first document
    uint64_t text_bytes, run_tokens, resumed_tokens;

    // Digest of all text that chunks have taken, in order, and of the names of its documents.
    struct hash *consumed;
    int resuming; // 1: the input is being read up to where the state was saved,
    uint64_t skip_tokens, consumed_digest; // tokens still to be passed over; what CONSUMED must be
                                           // then

    double start, last_checkpoint; // clock_seconds()
    uint32_t *ids;                 // [rows]
    int *gone;                     // [rows / chunk] forward.gone
};

// The parameters of the index to be made, checked; with append those of the index at o->out.
// Returns ERR_USAGE for options that do not go together, ERR_MISMATCH for ones that OUT was not
// made with.
int encode_meta(const struct model *m, const struct encode_options *o, struct kvz_meta *meta,
                struct method *method, struct err *e);

// Saves everything that a later run needs in the writer's checkpoint; and restores it from there.
// ERR_FORMAT when the state makes no sense, ERR_MISMATCH when it is of a run with append and this
// is one without, or the other way round.
int encoder_checkpoint(struct encoder *x, struct err *e);
int encoder_restore(struct encoder *x, const void *state, size_t bytes, struct err *e);

// A cascading window of W tokens: its last W / CASCADE_PARTS tokens are local; what leaves them
// goes to CASCADE_PARTS - 1 sub-caches of the same size (cascade.h), whose tokens are far tokens.
enum { CASCADE_PARTS = 4 };
// Before a pass: brings the sub-caches' tokens into sight. After it: adds the attention that they
// received to their scores.
int cascade_bring(struct encoder *x, struct err *e);
int cascade_score_up(struct encoder *x, struct err *e);

// Moves the tokens and text that no chunk has taken to the front of their buffers.
void waiting_compact(struct waiting *t);
// Marks that a document begins or ends behind the last waiting token. Valid until the next mark;
// NULL when memory is out.
struct item *waiting_mark(struct waiting *t, enum item_kind kind, struct err *e);
// Runs the whole chunks among the waiting tokens; with FINAL also the last, shorter one. The first
// chunk ends where the sinks do and all others have whole blocks, so that blocks begin where chunks
// do.
int encoder_run_chunks(struct encoder *x, int final, struct err *e);
// Adds the name of a document to the digest of what was consumed: a run that is resumed with the
// document under another name would cite it by the first one.
void encoder_consume_name(struct encoder *x, const char *name);
// Moves the marks of documents that begin or end where the next chunk begins to the queue.
int encoder_pass_marks(struct encoder *x, struct err *e);
// Evicts and writes the oldest blocks as long as a whole window stays behind them. With ALL, writes
// all that are left but keeps them in the window.
int encoder_drain(struct encoder *x, int all, struct err *e);
// Gives the codec its sample, all that is in the window, before the first block is stored; some of
// it and prose, where it repeats a few tokens. IS_ALL: no other tokens will come.
int encoder_sample(struct encoder *x, int is_all, struct err *e);
// ERR_INTERRUPTED, after a checkpoint, when o->stop is set; else 0.
int encoder_stop_if_asked(struct encoder *x, struct err *e);

// Writes blocks to the file (encode_write.c), in a thread of its own where that pays. Between
// block_writer_add and block_writer_wait nobody else may touch the file, the summary state or the
// representatives.
int block_writer_new(struct block_writer **out, struct encoder *x, struct err *e);
void block_writer_free(struct block_writer *w); // blocks that still wait are lost; accepts NULL
// Adds the block IT, the oldest that was not added yet, whose first token is local token FROM.
// Takes over what IT owns.
int block_writer_add(struct block_writer *w, struct item *it, int from, struct err *e);
int block_writer_wait(struct block_writer *w, struct err *e);

// With append: fills sinks and window from the finished index at o->out.
int encoder_rejoin(struct encoder *x, struct err *e);

#endif
