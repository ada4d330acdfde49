// The operations that a transformer with a streaming context needs, and the table that a backend
// fills in. The forward pass (engine/stream/forward.c) is written once against this table.
//
//     struct device *d;
//     if (device_open(&d, &(struct device_options){.name = "auto", .threads = 2}, note, sizeof note, &e)) ...
//     float *x = d->ops->alloc(d, n * dim * sizeof *x, &e);
//     d->ops->matmul(d, y, &w, x, NULL, NULL, n);
//     if (d->ops->sync(d, &e)) ...                       // errors of a device are sticky till here
//     device_close(d);
//
// Pointers named in an operation are device memory (plain memory on the processor) unless marked
// "host". Arithmetic on them is allowed, dereferencing is not, outside kernels/. All arrays are
// row-major float32, slowest index first, unless a type is given. One thread calls at a time; another
// than the one that opened the device may call put_rows, put_stored, keep and recall. Operations are asynchronous:
// upload, download and sync wait. Every result is independent of the number of threads, bit for
// bit, and each row of a matmul result depends only on its own row of x.
//
// kernels/cpu/ref.c has every operation in plain C: it is the judge of all others.
#ifndef LCTOOL_KERNELS_KERNELS_H
#define LCTOOL_KERNELS_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "io/err.h"
#include "kernels/quant.h"

struct device;
struct coded_put;

// A weight matrix [rows][cols], quantised as in the model file; y = x W^T.
struct mat {
    const void *data; // borrowed from the mapped model (CPU), or a device copy
    uint32_t type;    // enum quant_type
    int rows, cols;
    int only_rows;    // rows are looked up (embed), never multiplied: no other form of them is needed
    void *packed;     // backend's own form, made by mat_init, released by mat_done; may be NULL
};

enum rope_style { ROPE_NORM, ROPE_NEOX }; // pairs (2i, 2i+1), or (i, i + rope_dim/2)

// Keys or values of one layer of a block as an index stores them, host memory: a row of a head is
// m + s * q, in that order of rounding, and with ROTATE then multiplied by the Hadamard matrix of
// head_dim, a power of two (stages of neighbours first).
struct stored {
    const uint8_t *q;   // [n_heads][n][head_dim]; where M is NULL, float16 numbers that are meant as they are
    const float *m, *s; // [n_heads][head_dim], or with PER_TOKEN [n_heads][n]
    int per_token, rotate;
    int n_heads, n, head_dim;
};

// Where it goes: [n_heads][stride][head_dim], from DST on.
struct stored_put {
    struct stored x;
    float *dst;
    int stride;
};

enum act { ACT_SILU, ACT_GELU_TANH };

// Products of the same rows, which may be normed first: out = norm(x) W^T (+ bias) (+ add).
struct projection {
    float *out;            // [n][w->rows]; may be add
    const struct mat *w;
    const float *bias;     // [w->rows], or NULL
    const float *add;      // [n][w->rows], or NULL
};

enum { PROJECT_MOST = 3 };

struct project {
    const float *x;        // [n][cols]
    const float *norm;     // [cols] weights of its rmsnorm, or NULL: x as it is
    float eps;
    int n, n_to;
    struct projection to[PROJECT_MOST];
    float *h;              // [n][cols] working memory, where norm is given
};

// A gated feed-forward network: out = (act(g W_gate^T) * (g W_up^T)) W_down^T (+ add), g = norm(x).
struct ffn {
    const float *x;        // [n][cols]
    const float *norm;     // [cols]
    float eps;
    int n;
    const struct mat *gate, *up, *down;
    float *out;            // [n][down->rows]; may be x or add
    const float *add;      // likewise, or NULL
    float *h, *g, *u;      // [n][cols], [n][gate->rows], [n][up->rows] working memory
    enum act act;
};

// A run of keys and values that one chunk of queries attends to. All pieces of one call share ONE
// softmax. Keys are cached raw (before RoPE) and rotated at use.
//   rope rows: [rope_dim] floats = cos of each of the rope_dim/2 angles, then their sines.
struct attend_piece {
    const float *k, *v;   // [n_kv_heads][stride][head_dim]
    int n;                // keys
    int stride;           // tokens from one kv head's first key to the next one's; >= n
    const float *k_rope;  // [n][rope_dim], or NULL: keys are used as they are (angle 0)
    const float *q_rope;  // [n_q][rope_dim] when q_rope_step is 1, [1][rope_dim] when 0; NULL: angle 0
    int q_rope_step;
    int causal;           // 1: the last n_q keys are the queries' own; query i sees keys j <= n - n_q + i
    int max_distance;     // >0: query i sees keys at most max_distance - 1 positions before its own; 0: no limit
    int gap;              // with max_distance, not causal: positions between the last key and query 0's own
    // NULL, or [n_kv_heads][stride][head_dim] and host: memory in which the operation may keep the keys as k_rope turns
    // them, and how many it has, from the first on. Whoever calls sets it to 0 when these keys or k_rope change.
    float *turned;
    int *n_turned;
    int art;              // 1: its keys come in blocks by falling importance, and attend.art may end the reading
    float *mass;          // NULL, or [n_heads][stride]: += probability each key received, summed over
                          // the queries of this call
    size_t mass_step;     // floats from where a query adds to where the next one does; not 0 only where n_q is at
                          // most device_ops.alike
};

// Attention run-time termination (ART, section 3.2) of a token's attention: when the output hardly changes any
// more, the rest of a piece is not read. Each query head decides for itself, over what it has put together of all
// that it has read so far: the pieces without `art` first. p_t is the output after block t, of which up to 32
// elements at equal distances are looked at. A block is stable when | |p_t| - |p_t-1| | < scale |p_t-1| and
// 1 - cos(p_t, p_t-1) < direction; after `patience` stable blocks in a row the piece is left.
struct art {
    float scale, direction;
    int patience;
    int block;            // keys; the last one of a piece may be shorter
    uint64_t *read;       // host [2]: += blocks that were read and that there were, summed over query heads; a
                          // device may do so when it is waited for: till then READ has to be there
};
enum { ART_PROBE = 32 };

struct attend {
    const float *q;       // [n_q][n_heads][head_dim] raw
    float *out;           // [n_q][n_heads][head_dim]
    int n_q, n_heads, n_kv_heads, head_dim;
    int rope_dim;         // <= head_dim; the dimensions past it are not rotated
    enum rope_style rope_style;
    float scale;          // of the scores: usually 1/sqrt(head_dim)
    float softcap;        // 0: none; else scores become softcap * tanh(score / softcap)
    const struct attend_piece *pieces; // host array; a query that sees no key at all gives zeros
    int n_pieces;
    // NULL, or [n_q / self_block][self_block][self_block]: += attention probability summed over
    // heads, query row i to key column j, both inside the same self_block-aligned group of the
    // chunk's own n_q tokens (Ltri-LLM's span division reads it). A last partial group is skipped.
    float *self_mass;
    int self_block;
    const struct art *art; // NULL: everything is read. Only where n_q is 1, without masses; a backend may read
                           // everything all the same, and then leaves art->read alone
};

// Scores every key of one kv head against the queries of one query head, for choosing blocks.
struct scan {
    const float *q;          // host [n_q][head_dim], already rotated
    int n_q, head_dim;
    float scale;
    const int8_t *keys;      // host [n_keys][head_dim]; key = keys * key_scale
    const float *key_scale;  // host [n_keys]
    const uint64_t *start;   // host [n_blocks + 1]: keys start[b] .. start[b+1] belong to block b
    int64_t n_blocks;
    uint64_t name;           // 0, or what stands for these bytes of keys and scales, now and for ever: a
                             // device may keep them
    float *max;              // host [n_q][n_blocks], maximum score; -INFINITY for an empty block. May be NULL
    float *lse;              // host [n_q][n_blocks], log sum exp of the scores; likewise. May be NULL
    // Instead of both, where scans_mass says so: host [n_blocks], log of the softmax of each query over
    // all keys, summed over the keys of a block and the queries; a query that scores nothing gives nothing.
    float *mass;
};

// Which blocks most votes are for. A vote is what scan.mass says, brought to mean 0 and variance 1 over the blocks
// (what is not a number counts as the lowest that is); a block's score is the weighted mean of its votes. The blocks
// of several parts are numbered one part after the other, and share the softmax of a vote.
struct election {
    const struct scan *votes; // [n_votes][n_parts], with the same queries in all parts of a vote, and the same blocks
                              // in all votes; no results are asked of them
    const float *weight;      // [n_votes]
    int n_votes, n_parts, n_top; // n_top <= blocks of all parts, <= ELECT_MOST
    // NULL, or host [n_blocks]: a block's score grows by gain / gain_most of the largest one that is above 0.
    const double *gain;
    double gain_most;
    int64_t *top;             // host [n_top] best first, of equals the first block first
    double *score;            // host [n_top]
    float *z;                 // NULL, or host [n_votes][n_top]: what each vote says of these blocks
    int *rank;                // with z, likewise: 1, and one for each block of which it says more
};
enum { ELECT_MOST = 2048 };

// Which rows resemble a query most.
struct similar {
    const float *q;     // host [width]
    const float *rows;  // [n][stride] on the device
    int64_t n, stride;  // stride >= width
    int width, n_top;   // n_top <= n, <= ELECT_MOST
    int64_t *top;       // host [n_top]: of the largest products with Q, best first, of equals the first row first
};

// What a block of tokens is divided into, by its attention map (Ltri-LLM, sections 3.2 and 3.3);
// engine/method/span.h says more, and engine/method/span.c is what a device has to match, bit for bit.
enum { SPANS_MOST = 16, SPANS_TOKENS = 255 };
struct spans_one {
    int from, to;         // tokens, end exclusive; they tile the block in order
    double score, ratio;  // attention above the threshold; r_a
};

struct spans {
    int n;
    struct spans_one v[SPANS_MOST];
    uint8_t rank[SPANS_TOKENS + 1]; // of each token among all by the attention it received, of equals the first first
};

struct span_cut {
    double theta, iou;
    int spans;
};

struct divide {
    const float *a;       // [n_blocks][block][block], as self_mass
    int n_blocks, block;  // block <= SPANS_TOKENS
    struct span_cut cut;
    struct spans *out;    // [n_blocks] on the device
};

// Rows of WIDTH floats, N from the front of each of HEADS runs: [heads][stride][width] on the device,
// [heads][host_stride][width] in plain memory where there is any.
struct rows {
    int heads, n, width, stride, host_stride;
};

// The largest of some numbers.
struct best {
    float value;
    uint32_t id;
};

// What is added to the logit of a token.
struct bonus {
    uint32_t id;
    float by;
};

// How a token is drawn from logits: by the softmax of them / temp, of the likeliest that come to top_p together, of
// all where that is not between 0 and 1. It is the first one, likeliest first and of equals the first of them first, with
// which their sum is above UNIFORM, from 0 to 1, of all.
struct draw {
    float temp, top_p; // temp > 0
    double uniform;
};

// One of several downloads that are waited for together.
struct row_copy {
    float *host;
    const float *src;
    struct rows r;
};

struct device_ops {
    const char *name; // "cpu", "cuda"
    int keeps_turned; // attend makes use of attend_piece.turned
    int scans_mass;   // scan makes scan.mass
    // So many tokens or fewer, run together in a pass that asks for no self_mass, give each the very bits that it gives
    // alone. 0: not even two do.
    int alike;
    void (*close)(struct device *d);
    void *(*alloc)(struct device *d, size_t bytes, struct err *e); // 64-byte aligned, contents not defined
    void (*free)(struct device *d, void *p);                       // accepts NULL
    int (*upload)(struct device *d, void *dst, const void *host, size_t bytes, struct err *e);
    int (*download)(struct device *d, void *host, const void *src, size_t bytes, struct err *e);
    // Uploads and downloads many short rows at once; a run may begin anywhere in a slab. What is
    // uploaded may change behind the call; what is downloaded is there.
    int (*put_rows)(struct device *d, float *dst, const float *host, const struct rows *r, struct err *e);
    int (*get_rows)(struct device *d, const struct row_copy *c, int n, struct err *e);
    void (*clear_rows)(struct device *d, float *dst, const struct rows *r); // to 0
    // Rows that lie at SRC may be kept under NAME, which stands for what they hold now and for ever; RECALL
    // puts what is kept under it to DST, 0: it is not there. WORTH: the attention that each of NAMES [n]
    // received in a question, or in a pass over a document; what received least of late goes first. All NULL where
    // nothing is kept.
    void (*keep)(struct device *d, uint64_t name, const float *src, const struct rows *r);
    int (*recall)(struct device *d, uint64_t name, float *dst, const struct rows *r);
    void (*worth)(struct device *d, const uint64_t *names, const float *mass, int n);
    void (*copy)(struct device *d, void *dst, const void *src, size_t bytes); // may overlap
    int (*sync)(struct device *d, struct err *e); // waits; returns the first error since the last sync

    // Takes over a weight whose data is host memory that outlives the device.
    int (*mat_init)(struct device *d, struct mat *m, struct err *e);
    void (*mat_done)(struct device *d, struct mat *m);

    // out[i] = scale * row ids[i] of the table, dequantised. ids: host [n].
    void (*embed)(struct device *d, float *out, const struct mat *table, const uint32_t *ids, int n,
                  float scale);
    // out[n][rows] = x[n][cols] W^T (+ bias[rows]) (+ add[n][rows]); bias and add may be NULL; out may be add
    void (*matmul)(struct device *d, float *out, const struct mat *w, const float *x,
                   const float *bias, const float *add, int n);
    // May be NULL; return 0 where it is to be done by the single operations, with the same result to rounding
    // (device_project, device_ffn).
    int (*project)(struct device *d, const struct project *p);
    int (*ffn)(struct device *d, const struct ffn *f);
    // out[i] = log of the softmax of W x_i at ids[i] < w->rows; OUT and IDS [n] host, x [n][cols]. May be NULL
    // (device_log_probs).
    int (*log_probs)(struct device *d, double *out, const struct mat *w, const float *x, const uint32_t *ids, int n,
                     struct err *e);
    // out[n][dim] = x / rms(x) * w (+ add[n][dim]); rows of dim, w[dim]; add may be NULL; out may be x or add
    void (*rmsnorm)(struct device *d, float *out, const float *x, const float *w, const float *add,
                    int n, int dim, float eps);
    // gate[i] = act(gate[i]) * up[i], i < n
    void (*gate)(struct device *d, float *gate, const float *up, size_t n, enum act act);
    // Scatters rows [n][n_kv_heads][head_dim] into a head-major cache [n_kv_heads][stride][head_dim]
    // at token position AT.
    void (*cache_put)(struct device *d, float *cache, const float *rows, int n, int n_kv_heads,
                      int head_dim, int stride, int at);
    // Makes floats of N of them, together. What they point to may go away behind the call. NULL where a codec's own
    // floats are as good.
    void (*put_stored)(struct device *d, const struct stored_put *x, int n);
    void (*attend)(struct device *d, const struct attend *a);
    // N of them none of which needs another's result. May be NULL (device_attend_all).
    void (*attend_all)(struct device *d, const struct attend *a, int n);
    void (*scan)(struct device *d, const struct scan *s);
    // NULL where scanning and choosing apart costs nothing: on the processor.
    void (*elect)(struct device *d, const struct election *x);
    // NULL where the rows are as well looked at in plain memory.
    void (*similar)(struct device *d, const struct similar *x);
    // out[width] = the mean of rows x[n][width], summed in their order. There where similar is, and only there.
    void (*mean)(struct device *d, float *out, const float *x, int n, int width);
    // NULL where the maps are as well looked at in plain memory.
    void (*divide)(struct device *d, const struct divide *x);
    // Decodes N layers of blocks (kernels/coded.h), all of one basis, together; waits. ERR_FORMAT: the one number BAD has
    // damaged symbols; what it was to give is not defined. There where put_stored is, and only there.
    int (*put_coded)(struct device *d, const struct coded_put *x, int n, int *bad, struct err *e);
    // Around the operations of a pass over one token, 1 before and 0 behind them: they may be put off till then, and
    // sent off as one where the pass before asked for the same, whatever it gave them. May be NULL.
    void (*step)(struct device *d, int begins);
    // *OUT on the device = the largest of X [n], n > 0, of equals the first; where the first is no number, that one.
    // NULL where looking for it is as well done in plain memory.
    void (*best)(struct device *d, struct best *out, const float *x, int n);
    // X[b[i].id] += b[i].by for each of B [n] on the device, no two of the same id. There where best is, and only there.
    void (*favour)(struct device *d, float *x, const struct bonus *b, int n);
    // *OUT on the device = what the token of B, which best or draw left, costs among X [n]: minus the log of its share of
    // their softmax. There where best is, and on the processor.
    void (*cost)(struct device *d, float *out, const struct best *b, const float *x, int n);
    // OUT->id on the device = the token drawn from logits X [n], n > 0; OUT->value is the largest of them, or no number
    // where they are none. NULL likewise.
    void (*draw)(struct device *d, struct best *out, const float *x, int n, const struct draw *how);
};

struct device {
    const struct device_ops *ops;
    void *self;        // the backend's own state
    int threads;       // of the processor, for work that is not the device's
    int is_apart;      // 1: it works while the processor does something else
    int rows;          // as many make its products fastest; 0: no matter
    char label[96];    // for people: "cpu (avx512vnni, 2 threads)", "cuda:0 NVIDIA H200"
};

struct device_options {
    const char *name;  // NULL or "auto", "cpu", "cuda", "cuda:N"
    int threads;       // 0: one per physical core
    const char *isa;   // NULL: the best the processor has; else "ref", "avx2", "avx512", ... (tests)
    uint64_t vram;     // bytes of its memory that a GPU may be asked for; 0: all there is
    // 1: matmul takes x and weights as they are. 0: where that is faster it may first round, for many
    // rows of x, each 32 neighbours of x to 8 bits ("avx512vnni"), or x and weights to bfloat16 ("amx");
    // for up to 8 rows, x to 8 bits if the weights are Q4_0, Q4_1 or Q8_0 (both, and "avx2"; "amx" for up to 16). "ref"
    // rounds to 8 bits.
    int exact;
};

// What every backend's mat_init asks first. ERR_UNSUPPORTED for a type of weights that is not known, ERR_FORMAT for a
// shape that cannot have them.
int mat_check(const struct mat *m, struct err *e);

// ERR_USAGE for a name that does not exist, ERR_DEVICE for one this machine lacks, ERR_UNSUPPORTED for
// one this build lacks. With "auto" a GPU that cannot be used is passed over and NOTE (cap NOTE_CAP,
// may be NULL) says why where one could be expected: a driver's device node is there.
int device_open(struct device **out, const struct device_options *o, char *note, size_t note_cap,
                struct err *e);
void device_close(struct device *d);

// The operations of that name, or the single ones.
void device_project(struct device *d, const struct project *p);
void device_ffn(struct device *d, const struct ffn *f);
void device_attend_all(struct device *d, const struct attend *a, int n);
int device_log_probs(struct device *d, double *out, const struct mat *w, const float *x, const uint32_t *ids, int n,
                     struct err *e);

// i-th instruction set that this machine's processor can run, best first, "ref" last; NULL past it.
const char *device_cpu_isa(size_t i);

#endif
