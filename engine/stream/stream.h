// The streaming context: what a chunk of tokens attends to, in one softmax.
//
//     [ sinks | far blocks | local: window + chunk ]
//
// The local part is contiguous in the token stream and rotated at its true relative positions.
// Tokens leave it block by block (stream_evict); the first ones become the sinks, the others are
// gone unless the caller keeps them. Far blocks are put there by the caller: when encoding, what
// was retrieved; when asking, what the question chose. Keys are raw everywhere and rotated at use.
//
//     struct stream *s;
//     if (stream_new(&s, m, &(struct stream_options){.window = 1024, .chunk = 512, .sinks = 128}, &e)) ...
//     if (forward(s, &(struct forward){.tokens = t, .n = 512}, &e)) ...
//     if (stream_evict(s, 64, 1, &e)) ...                 // the oldest 64 tokens become sinks
//
// Positions of what is not local (methods: InfLLM section 3; StreamingLLM):
//   window      everything sits at one fixed distance: raw keys, queries rotated by `distance`
//   original    true positions
//   contiguous  sinks first, then far blocks, then the local part, without gaps
//
// A layer with a sliding window sees what is nearer than that by these positions, and nothing else;
// at original positions, where blocks are strewn, such a model can have no blocks and no sinks.
#ifndef LCTOOL_ENGINE_STREAM_H
#define LCTOOL_ENGINE_STREAM_H

#include <stdint.h>

#include "engine/model/model.h"
#include "io/err.h"

enum positions { POSITIONS_WINDOW, POSITIONS_ORIGINAL, POSITIONS_CONTIGUOUS };

// "window", "original", "contiguous" -> *P; NULL or "" is "window". ERR_USAGE names the choices.
int positions_parse(const char *name, enum positions *p, struct err *e);

struct stream_options {
    int sinks;    // capacity, tokens
    int window;   // local tokens kept before a chunk
    int chunk;    // most tokens of one forward call
    int far;      // capacity for far blocks, tokens
    int room;     // capacity of the local part, tokens; 0: twice the window and a chunk, so that
                  // it slides once per window and not once per chunk. Tokens in groups need none
                  // but those that are to stay
    int layers;   // so many of the first ones are run: stored blocks are brought into no others; 0:
                  // all
    int distance; // of sinks and far blocks under POSITIONS_WINDOW; 0: window
    int64_t reach; // length of the context that RoPE is meant for (rope.h); 0: all that is in sight
                   // at once
    enum positions positions;
    int mass;       // accumulate the attention each local token receives
    int far_mass;   // and each far token
    float sharpen;  // what the scores of far tokens are multiplied by, where a layer has RoPE; 0: 1
    struct art art; // patience 0: none; else far tokens come by falling importance, and single
                    // tokens may leave some of them unread
};

// A stored block in a layer: AT far token AT, or -1: in another part.
struct brought {
    uint64_t name; // kvz_kv_name
    int at, n;
};

// Keys and values of one layer: [n_kv_heads][cap][head_dim], device memory, parts of stream.slabs.
struct stream_layer {
    float *k, *v;           // local, cap = stream.cap
    struct kept_rows kept;  // room for them of all local tokens, or none
    int n_kept;             // so many are there from the first local token on
    float *sink_k, *sink_v; // cap = options.sinks
    float *far_k, *far_v;   // cap = options.far
    float *mass;            // [n_heads][stream.cap], or NULL
    // [device_ops.alike] of them: what each token of a pass on trial gave; or NULL.
    float *trial_mass;
    float *far_mass;         // [n_heads][options.far], or NULL where nobody asks
    struct brought *brought; // [n_brought] stored blocks that were put here
    size_t n_brought, cap_brought;
    int n_far;         // far tokens in sight of this layer
    int64_t *far_pos;  // [options.far] host: index of each in the token stream
    int *far_place;    // [options.far] host: where each stands among them, contiguous positions
    float *rope_far;   // rope rows of sinks and far tokens (original, contiguous only)
    int64_t rope_base; // the state these rows were made for: first local token,
    int rope_n;        // and how many rows; -1: none yet
};

struct stream {
    const struct model *m;
    struct device *d;
    struct stream_options o;
    int cap;          // of the local part, tokens
    int n_rope;       // positions from the first local token on that rope_local has
    int off, n_local; // local tokens are off .. off + n_local of the slabs
    int n_chunk;      // of them, tokens of the forward pass now running, or of the last one
    int on_trial;     // they are
    int n_sinks;
    uint64_t art_read[2]; // what options.art.read may point to
    int64_t n_seen;       // tokens so far; the first local one has index n_seen - n_local
    struct stream_layer *layers;
    float *slabs;      // of all layers, device memory
    struct pool *pool; // decodes blocks; made when first needed

    // By each RoPE of the model:
    float *rope_local[2]; // device [n_rope][dim]: positions 0, 1, ... from the first local token
    float *rope_fixed[2]; // device [2][dim]: the fixed distance, as sinks and as far blocks have it
    float *rope_host;     // [sinks + far][dim] scratch
    struct forward_scratch *scratch; // buffers of the forward pass
};

// ERR_UNSUPPORTED: the model cannot run exactly with these positions.
int stream_new(struct stream **out, const struct model *m, const struct stream_options *o,
               struct err *e);
void stream_free(struct stream *s);

// Makes room for N more local tokens (slides the slabs when the end is reached); their masses are
// 0.
int stream_reserve(struct stream *s, int n, struct err *e);

// Drops the oldest N local tokens; with SINKS they join the sinks, else they are forgotten.
int stream_evict(struct stream *s, int n, int sinks, struct err *e);

// Forgets the last N local tokens, as if they had not been run; only the masses of others keep what
// they gave.
void stream_rewind(struct stream *s, int n);

// N local tokens of FROM, a stream of the same model, from local index FIRST on become the last
// ones of S, as if they had been run there; they may be among those that stream_rewind has just
// forgotten.
int stream_append(struct stream *s, const struct stream *from, int first, int n, struct err *e);

// Of the tokens that the last pass ran on trial the first N stay; the others are forgotten, as if
// they had not been run. Nothing where none was on trial.
int stream_settle(struct stream *s, int n, struct err *e);

// Host copies of K and V of N local tokens from local index FROM: [n_kv_heads][n][head_dim].
int stream_get(struct stream *s, int layer, int from, int n, float *k, float *v, struct err *e);
// The same of every layer, with MASS the attention that they received too: [n_layers] pointers
// each; without K and V, or without MASS, where these are NULL.
int stream_get_all(struct stream *s, int from, int n, float **k, float **v, float **mass,
                   struct err *e);
// Where the device's memory is plain: K and V [n_layers] are where local keys and values from FROM
// on lie, [n_kv_heads] [stride][head_dim], valid until a token joins or leaves. Returns that
// stride.
int stream_rows(const struct stream *s, int from, float **k, float **v);
// The same of all sinks.
int stream_get_sinks(struct stream *s, int layer, float *k, float *v, struct err *e);
// From now on LAYER counts the attention that local tokens receive, from 0, whether it did before
// or not.
int stream_watch(struct stream *s, int layer, struct err *e);
// Attention received by local tokens, [n_heads][n].
int stream_get_mass(struct stream *s, int layer, int from, int n, float *mass, struct err *e);

// Attention received by the far tokens, [n_heads][n_far], which is 0 again then.
int stream_take_far_mass(struct stream *s, int layer, float *mass, struct err *e);

// Puts host keys and values [n_kv_heads][stride][head_dim] of N tokens into one layer. For far
// tokens also set their count and positions with stream_set_far.
enum stream_part { STREAM_LOCAL, STREAM_SINKS, STREAM_FAR };
int stream_put(struct stream *s, enum stream_part part, int layer, int at, int n, int stride,
               const float *k, const float *v, struct err *e);
// A stored block of N_TOKENS tokens that goes to token AT of a part.
struct stream_block {
    const struct kvz *k;
    uint64_t block;
    uint32_t n_tokens;
    int at;
};
// N of them into PART of one layer or, LAYER -1, of every one, decoded by as many threads as the
// device has, or by the device, many of them together.
int stream_put_blocks(struct stream *s, enum stream_part part, int layer,
                      const struct stream_block *v, int n, struct err *e);
// N tokens of LAYER that a device may have kept under NAME and NAME + 1 (device_ops.keep), to token
// AT of PART: whether it had; and: it is to keep them.
int stream_recall(struct stream *s, enum stream_part part, int layer, int at, int n, uint64_t name,
                  int *found, struct err *e);
int stream_keep(struct stream *s, enum stream_part part, int layer, int at, int n, uint64_t name,
                struct err *e);
// Tells a device that keeps blocks what attention each received, since it was last told, from
// tokens that were run together: once a question, and while a document is read once a pass.
int stream_worth(struct stream *s, struct err *e);
// Of the far tokens, which are the same ones in all layers, those of KEEP [n_far] that are not 0
// stay, in their order.
void stream_narrow(struct stream *s, const unsigned char *keep);
// The first N far tokens of LAYER are in sight; POS [n] are their indexes in the token stream.
void stream_set_far(struct stream *s, int layer, int n, const int64_t *pos);
// They do not lie in the order of the stream: PLACE [n] is where each stands under contiguous
// positions. After stream_set_far, whose order is the stream's. ERR_UNSUPPORTED where a layer has a
// sliding window.
int stream_set_places(struct stream *s, int layer, const int *place, struct err *e);
int stream_put_mass(struct stream *s, int layer, int at, int n, const float *mass, struct err *e);

// The pieces that a chunk of N queries of LAYER attends to (the chunk's keys are at the end of the
// local part). Returns their count, at most STREAM_PIECES.
enum { STREAM_PIECES = 3 };
int stream_pieces(struct stream *s, int layer, int n, struct attend_piece *p);

// Brings the rotations of sinks and far tokens of LAYER up to date with the current state.
int stream_positions(struct stream *s, int layer, struct err *e);

// One pass over N tokens (N <= options.chunk), which join the local part.
struct forward {
    const uint32_t *tokens;
    int n;
    int n_layers; // 0: all; else stop after this many (no logits then)
    // 1: stream_settle will say how many of the tokens stay; till then the attention that they give
    // is not counted. For at most device_ops.alike tokens: what each gets, it gets alone as well,
    // bit for bit.
    int on_trial;
    float *logits; // NULL, or host [n_logits][n_vocab]: of the last n_logits tokens
    int n_logits;
    const int *rows; // NULL, or [n_logits], rising: the tokens whose logits they are instead
    // Instead of LOGITS: host [n_logits], the log probability of the token TARGETS [n_logits] after
    // each of them.
    double *log_probs;
    const uint32_t *targets;
    // NULL, or [n_groups + 1]: tokens groups[g] .. groups[g + 1] - 1 see their own group, what was
    // in sight before the pass and the tokens before groups[0], right after which they stand. Such
    // tokens are of no use to what follows: the caller drops them, n_local and n_seen. The first
    // STAY tokens of the pass, up to the end of a group, can be appended elsewhere after that.
    const int *groups;
    int n_groups, stay;
    // >0: attention goes as if the tokens came in passes of PART, a multiple of self_block; the
    // I-th of them does not see the oldest GONE[I] local tokens. With positions `window` only.
    int part;
    const int *gone;
    // NULL, or, instead of LOGITS where the device has device_ops.best: the largest of the last
    // token's, host; with DRAW, where it has device_ops.draw, what is drawn from them.
    struct best *best;
    const struct draw *draw;
    float *cost; // NULL, or with BEST, host: nats, minus the log of that token's probability
    const struct bonus *favour; // with BEST, host [n_favour]: added to the logits first
    int n_favour;
    float **queries; // NULL, or host [n_layers]: NULL or [n][n_heads][head_dim] raw queries
    // NULL, or host [n_layers]: NULL or [n / self_block][self_block][self_block], the attention
    // within each group of self_block tokens, summed over heads. A last partial group is skipped.
    float **self;
    int self_block;
    // NULL, or, where the device has divide, host [n_layers] instead of SELF: NULL or how that
    // attention is divided into spans; to SPANS, host [layers that are not NULL][n / self_block].
    const struct span_cut *const *cut;
    struct spans *spans;
    // NULL, or called in each layer once its queries are known: chooses what the layer reads
    // (stream_put STREAM_FAR, stream_set_far). Q: host [n][n_heads][head_dim] raw, with MEAN the
    // mean over the tokens.
    int (*retrieve)(void *arg, struct stream *s, int layer, const float *q, struct err *e);
    void *arg;
    int mean;
};
int forward(struct stream *s, const struct forward *f, struct err *e);

#endif
