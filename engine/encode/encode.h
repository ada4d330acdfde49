// Inside of encode_documents(): the encoder's state, shared by its files: encode.c (the run),
// known.c (documents that are there already), encode_chunk.c (passes), encode_write.c (blocks),
// encode_meta.c (options to parameters), encode_state.c (checkpoint, resume, append).
#ifndef LCTOOL_ENGINE_ENCODE_H
#define LCTOOL_ENGINE_ENCODE_H

#include "engine/encode/known.h"
#include "engine/encode/summary.h"
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
    struct represent_set *represent;
    struct retriever *retriever; // NULL: plain streaming
    struct keep *cascade;        // the far part of a cascading window; NULL: a plain one
    struct keep *summary;        // the summary state; NULL: the index that grows has none
    struct queue queue;
    struct waiting waiting;
    int block, chunk,
        rows;   // tokens; ROWS: of one pass at most, several chunks where the device likes that
    int shares; // a chunk may have several documents; what is chosen for a chunk is for one alone
    struct block_writer *writer;

    char *doc_name;
    // Documents of this input list before the one that the last chunk ended in.
    uint64_t doc_ordinal;
    uint64_t doc_tokens;  // tokens of that one that chunks have taken
    uint64_t head_tokens; // of the template, before the first document
    uint64_t text_bytes, run_tokens, resumed_tokens;

    // Of all text that chunks have taken, in order, and the names of its documents.
    struct hash *consumed;
    int resuming; // until the input has been read up to where the state was saved
    uint64_t skip_tokens, consumed_digest;

    double start, last_checkpoint;
    uint32_t *ids; // [rows]
    int *gone;     // [rows / chunk] as struct forward's
};

// The parameters of the index to be made, checked. With append they follow the index at o->out.
int encode_meta(const struct model *m, const struct encode_options *o, struct kvz_meta *meta,
                struct method *method, struct err *e);

// Everything a later run needs goes to the writer's checkpoint; and back. ERR_FORMAT when the
// state makes no sense.
int encoder_checkpoint(struct encoder *x, struct err *e);
int encoder_restore(struct encoder *x, const void *state, size_t bytes, struct err *e);

// A cascading window of W tokens: the last W / CASCADE_PARTS are local, what leaves them goes to as
// many sub-caches of that size as are left, which stand before them as far tokens.
enum { CASCADE_PARTS = 4 };
// Before a pass: brings what the sub-caches hold into sight. After it: the attention that it
// received.
int cascade_bring(struct encoder *x, struct err *e);
int cascade_score_up(struct encoder *x, struct err *e);

// Moves what is left of the waiting tokens and text to the front.
void waiting_compact(struct waiting *t);
// A document begins or ends behind the tokens that wait; valid until the next one. NULL when memory
// is out.
struct item *waiting_mark(struct waiting *t, enum item_kind kind, struct err *e);
// Runs the chunks that are whole; with FINAL also the last, shorter one. A chunk ends with the
// sinks, so that blocks always begin where chunks do, and has whole blocks behind them.
int encoder_run_chunks(struct encoder *x, int final, struct err *e);
// A document that goes on under another name would be cited by the one it began with.
void encoder_consume_name(struct encoder *x, const char *name);
// The documents that begin or end where the next chunk does go to the queue.
int encoder_pass_marks(struct encoder *x, struct err *e);
// Lets blocks go while a whole window stays behind them. With ALL, everything that is left is
// written, and stays in the window.
int encoder_drain(struct encoder *x, int all, struct err *e);
// ERR_INTERRUPTED, after a checkpoint, where the caller wants no more.
int encoder_stop_if_asked(struct encoder *x, struct err *e);

// The way of blocks to the file (encode_write.c), maybe in a thread. Until block_writer_wait says
// that all of them are there, nobody else touches the file, the summary or the representatives.
int block_writer_new(struct block_writer **out, struct encoder *x, struct err *e);
void block_writer_free(struct block_writer *w); // what waits is lost; accepts NULL
// The oldest block that was not added, whose first token is local token FROM. Takes what IT owns.
int block_writer_add(struct block_writer *w, struct item *it, int from, struct err *e);
int block_writer_wait(struct block_writer *w, struct err *e);

// Fills sinks and window from the finished index at o->out, to which documents are added.
int encoder_rejoin(struct encoder *x, struct err *e);

#endif
