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
// A layer with a sliding window sees only what is nearer than that window by these positions. At
// original positions, which leave gaps between blocks, such a model can have neither far blocks nor
// sinks.
#ifndef LCTOOL_ENGINE_STREAM_STREAM_H
#define LCTOOL_ENGINE_STREAM_STREAM_H

#include <stdint.h>

#include "engine/model/model.h"
#include "io/err.h"

enum positions { POSITIONS_WINDOW, POSITIONS_ORIGINAL, POSITIONS_CONTIGUOUS };

// "window", "original", "contiguous" -> *P; NULL and "" give "window". ERR_USAGE names the choices.
int positions_parse(const char *name, enum positions *p, struct err *e);

struct stream_options {
    int sinks;    // capacity, tokens
    int window;   // local tokens kept before a chunk
    int chunk;    // most tokens of one forward call
    int far;      // capacity for far blocks, tokens
    int room;     // capacity of the local part, tokens; 0: twice the window and a chunk, so that it
                  // slides once per window and not once per chunk. Tokens in groups
                  // (forward.groups) need room only when they are to stay
    int layers;   // only so many first layers will be run, so stored blocks are put into no others;
                  // 0: all
    int distance; // of sinks and far blocks under POSITIONS_WINDOW, tokens; 0: window
    int64_t reach; // length of the context that RoPE is scaled for (rope.h); 0: all that is in
                   // sight at once
    enum positions positions;
    int mass;       // 1: add up the attention that each local token receives
    int far_mass;   // 1: and each far token
    float sharpen;  // factor on the scores of far tokens in layers with RoPE; 0: 1
    struct art art; // patience 0: none. Else far tokens must come by falling importance, and passes
                    // over one token may leave some of them unread
};

// A stored block that is in sight of a layer, from far token AT on; -1: in another part.
struct brought {
    uint64_t name; // kvz_kv_name
    int at, n;
};

// Keys and values of one layer: [n_kv_heads][cap][head_dim], device memory, parts of stream.slabs.
struct stream_layer {
    float *k, *v;           // local, cap = stream.cap
    struct kept_rows kept;  // room for 8-bit copies of all local tokens, or none
    int n_kept;             // tokens that have one, from the first local token on
    float *sink_k, *sink_v; // cap = options.sinks
    float *far_k, *far_v;   // cap = options.far
    float *mass;            // [n_heads][stream.cap], or NULL
    // [device_ops.alike][n_heads][stream.cap]: the attention that each token of a pass on trial
    // gave; or NULL.
    float *trial_mass;
    float *far_mass;         // [n_heads][options.far], or NULL without options.far_mass
    struct brought *brought; // [n_brought] stored blocks that were put here
    size_t n_brought, cap_brought;
    int n_far;         // far tokens in sight of this layer
    int64_t *far_pos;  // [options.far] host: index of each in the token stream
    int *far_place;    // [options.far] host: rank of each among them (contiguous positions)
    float *rope_far;   // rope rows of sinks and far tokens (original, contiguous only)
    int64_t rope_base; // the first local token's index when these rows were made,
    int rope_n;        // and how many rows; -1: none yet
};

struct stream {
    const struct model *m;
    struct device *d;
    struct stream_options o;
    int cap;          // of the local part, tokens
    int n_rope;       // positions that rope_local has, from the first local token on
    int off, n_local; // local tokens are rows off .. off + n_local - 1 of the slabs
    int n_chunk;      // of these, the last ones: tokens of the pass now running, or of the last one
    int on_trial;     // 1: the tokens of that pass are on trial (forward.on_trial)
    int n_sinks;
    uint64_t art_read[2]; // room for options.art.read
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

// Forgets the last N local tokens as if they had not been run; only the attention that they gave
// others stays counted.
void stream_rewind(struct stream *s, int n);

// Appends N local tokens of FROM, a stream of the same model, from local index FIRST on to those of
// S as if they had been run there. They may be tokens that stream_rewind has just forgotten.
int stream_append(struct stream *s, const struct stream *from, int first, int n, struct err *e);

// Gives S, whose options.room is less, room for ROOM local tokens. S has only such tokens, whose
// masses are not counted.
int stream_widen(struct stream *s, int room, struct err *e);

// Ends a pass on trial: the first N of its tokens stay and their attention is counted, the others
// are forgotten. Does nothing when no token is on trial.
int stream_settle(struct stream *s, int n, struct err *e);

// Host copies of the keys and values of N local tokens of LAYER from local index FROM on:
// [n_kv_heads][n][head_dim].
int stream_get(struct stream *s, int layer, int from, int n, float *k, float *v, struct err *e);
// The same for all layers, and the attention that each token received: K, V, MASS [n_layers] ->
// MASS [n_heads][n]. K and V, or MASS, may be NULL.
int stream_get_all(struct stream *s, int from, int n, float **k, float **v, float **mass,
                   struct err *e);
// On devices with plain memory only: K and V [n_layers] point to local keys and values in place,
// from local index FROM on, [n_kv_heads][stride][head_dim], valid until a token joins or leaves.
// Returns the stride.
int stream_rows(const struct stream *s, int from, float **k, float **v);
// As stream_get for all sinks: [n_kv_heads][n_sinks][head_dim].
int stream_get_sinks(struct stream *s, int layer, float *k, float *v, struct err *e);
// LAYER counts the attention that local tokens receive, starting at 0 now.
int stream_watch(struct stream *s, int layer, struct err *e);
// Attention received by N local tokens of LAYER from local index FROM on: MASS [n_heads][n].
int stream_get_mass(struct stream *s, int layer, int from, int n, float *mass, struct err *e);

// Attention received by LAYER's far tokens, MASS [n_heads][n_far]; counting starts again at 0.
int stream_take_far_mass(struct stream *s, int layer, float *mass, struct err *e);

// Puts host keys and values [n_kv_heads][stride][head_dim] of N tokens into LAYER, from token AT of
// PART on. For far tokens also set their count and positions with stream_set_far.
enum stream_part { STREAM_LOCAL, STREAM_SINKS, STREAM_FAR };
int stream_put(struct stream *s, enum stream_part part, int layer, int at, int n, int stride,
               const float *k, const float *v, struct err *e);
// A stored block of N_TOKENS tokens, and the token of a part where it goes.
struct stream_block {
    const struct kvz *k;
    uint64_t block;
    uint32_t n_tokens;
    int at;
};
// Puts N of them into PART of one layer, or of every layer (LAYER -1), decoded by the device or by
// device.threads threads.
int stream_put_blocks(struct stream *s, enum stream_part part, int layer,
                      const struct stream_block *v, int n, struct err *e);
// The device's cache of rows (device_ops.keep), keys under NAME and values under NAME + 1. RECALL
// copies the N tokens kept there to token AT of PART of LAYER; *FOUND is 0 when they are not there.
// KEEP offers the device N tokens to keep.
int stream_recall(struct stream *s, enum stream_part part, int layer, int at, int n, uint64_t name,
                  int *found, struct err *e);
int stream_keep(struct stream *s, enum stream_part part, int layer, int at, int n, uint64_t name,
                struct err *e);
// Tells a device that keeps blocks how much attention each block received since the last call
// (device_ops.worth): to be called once a question, and once a pass while a document is read.
int stream_worth(struct stream *s, struct err *e);
// Keeps only those far tokens, which must be the same in all layers, whose KEEP [n_far] is not 0.
void stream_narrow(struct stream *s, const unsigned char *keep);
// Tells S that its sinks, or its local part, are the N tokens that were put there, of SEEN in all.
void stream_set_seen(struct stream *s, enum stream_part part, int n, int64_t seen);
// Makes the first N far tokens of LAYER visible; POS [n] are their indexes in the token stream.
void stream_set_far(struct stream *s, int layer, int n, const int64_t *pos);
// After stream_set_far, for far tokens that do not lie in the order of the stream: PLACE [n] is
// each one's rank under contiguous positions. ERR_UNSUPPORTED when a layer has a sliding window.
int stream_set_places(struct stream *s, int layer, const int *place, struct err *e);
// Sets the attention received by N local tokens of LAYER from local index AT on: MASS [n_heads][n].
int stream_put_mass(struct stream *s, int layer, int at, int n, const float *mass, struct err *e);

// The N tokens of a pass from FROM on, all of one group that nothing is lent to (forward.lent).
struct lent {
    int from, n;
};

// One pass over N tokens (N <= options.chunk), which join the local part.
struct forward {
    const uint32_t *tokens;
    int n;
    int n_layers; // 0: all; else stop after this many (then there are no logits)
    // 1: the tokens are on trial until stream_settle says how many of them stay; until then the
    // attention that they give is not counted. At most device_ops.alike tokens, so that each gets
    // bit for bit what it would get in a pass of its own.
    int on_trial;

    // The results, host memory. Either logits, ...
    float *logits; // NULL, or [n_logits][n_vocab]: of the last n_logits tokens
    int n_logits;
    const int *rows; // NULL, or [n_logits], rising: the tokens to give logits of instead
    // ... or instead of them log_probs [n_logits]: the log probability that the token
    // targets[i] follows the i-th of these tokens, ...
    double *log_probs;
    const uint32_t *targets;
    // ... or, on devices with device_ops.best, the largest logit of the last token and, with DRAW
    // (device_ops.draw), the token drawn from its logits.
    struct best *best;
    const struct draw *draw;
    float *cost; // NULL, or with BEST: minus the log of that token's probability, nats
    const struct bonus *favour; // [n_favour] with BEST: added to the logits first
    int n_favour;

    // NULL, or [n_groups + 1]: tokens groups[g] .. groups[g + 1] - 1 form group g. They see their
    // own group, what was in sight before the pass, and the tokens before groups[0], and each group
    // is positioned right after the latter. The caller must drop such tokens after the pass
    // (stream_rewind). The first STAY tokens of the pass, which end with a group, can be given
    // to stream_append after that.
    const int *groups;
    int n_groups, stay;
    // NULL, or [n_groups]: group g begins with tokens that an earlier group has run, and its own
    // are positioned right after these.
    const struct lent *lent;
    // >0: attention works as if the tokens came in passes of PART tokens, a multiple of self_block,
    // and the i-th of these did not see the oldest gone[i] local tokens. POSITIONS_WINDOW only.
    int part;
    const int *gone;

    // What else is wanted of the pass, in host memory; [n_layers], and NULL for a layer: not of it.
    float **queries; // NULL, or [n_layers] -> [n][n_heads][head_dim] raw queries
    // NULL, or [n_layers] -> [n / self_block][self_block][self_block], the attention within each
    // group of self_block tokens, summed over heads. A last partial group is skipped.
    float **self;
    int self_block;
    // NULL, or instead of SELF, on devices with device_ops.divide: how each layer's attention maps
    // are divided into spans. SPANS [layers with a CUT][n / self_block] has the result.
    const struct span_cut *const *cut;
    struct spans *spans;

    // NULL, or called in each layer once its queries are known, to choose the far tokens that the
    // layer reads (stream_put STREAM_FAR, stream_set_far). Q: host [n][n_heads][head_dim] raw; with
    // MEAN [n_heads][head_dim], their mean over the tokens.
    int (*retrieve)(void *arg, struct stream *s, int layer, const float *q, struct err *e);
    void *arg;
    int mean;
};
// Runs the pass. ERR_USAGE: too many tokens for the chunk or the room; ERR_FORMAT: a token outside
// the vocabulary; an error of RETRIEVE is passed on.
int forward(struct stream *s, const struct forward *f, struct err *e);

#endif
