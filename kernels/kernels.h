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
// row-major float32, slowest index first, unless a type is given. One thread calls at a time; a
// thread other than the one that opened the device may call put_rows, put_stored, keep and recall.
// Operations are asynchronous: upload, download and sync wait. Every result is independent of the
// number of threads, bit for bit, and each row of a matmul result depends only on its own row of x.
//
// kernels/cpu/ref.c has the operations of processors in plain C, which all others are tested
// against. Those that only devices with memory of their own have are tested against the callers'
// own code, which does their work elsewhere; an operation that may be NULL says so.
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
    int only_rows; // 1: rows are only looked up (embed), never multiplied, so mat_init need not
                   // prepare them for products
    void *packed;  // backend's own form, made by mat_init, released by mat_done; may be NULL
};

enum rope_style { ROPE_NORM, ROPE_NEOX }; // pairs (2i, 2i+1), or (i, i + rope_dim/2)

// Keys or values of one layer of a block as an index stores them, in host memory: an element is
// m + s * q, the product rounded before the sum; with ROTATE each row of head_dim elements, a power
// of two, is then multiplied by the Hadamard matrix (stages of neighbouring elements first).
struct stored {
    const uint8_t *q;   // [n_heads][n][head_dim] bytes; with M NULL, float16 elements as they are
    const float *m, *s; // minimum and step, [n_heads][head_dim], or with PER_TOKEN [n_heads][n]
    int per_token, rotate;    // flags
    int n_heads, n, head_dim; // n: tokens
};

// A stored part and where its floats go: dst [n_heads][stride][head_dim].
struct stored_put {
    struct stored x;
    float *dst;
    int stride;
};

enum act { ACT_SILU, ACT_GELU_TANH };

// Where keys or values of some tokens go: the first SPLIT tokens to cache[0], the others to
// cache[1].
struct heads_to {
    float *
        cache[2]; // [n_kv_heads][stride][head_dim], at the place of the first token that goes there
    int stride[2];
    int split;
    int head_dim;
};

// One of several products of the same rows, normed first or not: out = norm(x) W^T (+ bias)
// (+ add).
struct projection {
    float *out; // [n][w->rows]; may be add
    const struct mat *w;
    const float *bias; // [w->rows], or NULL
    const float *add;  // [n][w->rows], or NULL
    // NULL, or the caches that the product is scattered to; out is then working memory, add NULL.
    const struct heads_to *heads;
};

enum { PROJECT_MOST = 3 };

struct project {
    const float *x;    // [n][cols]
    const float *norm; // [cols] weights of the rmsnorm of x, or NULL: x is taken as it is
    float eps;
    int n, n_to;
    struct projection to[PROJECT_MOST];
    float *h; // [n][cols] working memory; needed only with norm
};

// A gated feed-forward network: out = (act(g W_gate^T) * (g W_up^T)) W_down^T (+ add), g = norm(x).
struct ffn {
    const float *x;    // [n][cols]
    const float *norm; // [cols]
    float eps;
    int n;
    const struct mat *gate, *up, *down;
    float *out;       // [n][down->rows]; may be x or add
    const float *add; // likewise, or NULL
    float *h, *g, *u; // [n][cols], [n][gate->rows], [n][up->rows] working memory
    enum act act;
};

// Host memory in which attention of few queries may keep 8-bit copies of a run's keys, rotated by
// k_rope, and values, and from then on read a quarter of the bytes. A row is rounded once, to
// kept_width(head_dim) bytes, zeros past head_dim, with one scale for each KEPT_BLOCK of them:
// x = k * scale, -127 <= k <= 127. KEPT_PANEL neighbouring keys are interleaved.
enum { KEPT_BLOCK = 32, KEPT_PANEL = 16 };
struct kept_rows {
    int8_t *k;      // [n_kv_heads][cap / KEPT_PANEL][kept_width][KEPT_PANEL]; NULL: none are kept
    int8_t *v;      // [n_kv_heads][cap][kept_width]
    float *k_scale; // [n_kv_heads][cap / KEPT_PANEL][kept_width / KEPT_BLOCK][KEPT_PANEL]
    float *v_scale; // [n_kv_heads][cap][kept_width / KEPT_BLOCK]
    int cap;        // rows, a multiple of KEPT_PANEL, at least attend_piece.n
    int *n; // first rows that are kept so far; attend raises it. When keys, values or k_rope
            // change, the caller lowers it to the number of first rows that are still valid.
};

static inline size_t kept_width(int head_dim)
{
    return ((size_t)head_dim + KEPT_BLOCK - 1) / KEPT_BLOCK * KEPT_BLOCK;
}

// A run of keys and values that one chunk of queries attends to. All pieces of one call share ONE
// softmax. Keys are cached raw (before RoPE) and rotated at use.
//   rope rows: [rope_dim] floats = cos of each of the rope_dim/2 angles, then their sines.
struct attend_piece {
    const float *k, *v;  // [n_kv_heads][stride][head_dim]
    int n;               // keys
    int stride;          // tokens from one kv head's first key to the next one's; >= n
    const float *k_rope; // [n][rope_dim], or NULL: keys are used as they are (angle 0)
    // [n_q][rope_dim] when q_rope_step is 1, [1][rope_dim] when 0; NULL: angle 0.
    const float *q_rope;
    int q_rope_step;
    int causal; // 1: the last n_q keys are the queries' own; query i sees keys j <= n - n_q + i
    int max_distance; // >0: query i sees keys at most max_distance - 1 positions before its own; 0:
                      // no limit
    int gap; // with max_distance, not causal: positions between the last key and query 0's own
    struct kept_rows kept; // k NULL with art
    int art; // 1: its keys are blocks by falling importance, and attend.art may end their reading
    float *mass; // NULL, or [n_heads][stride]: += probability each key received, summed over
                 // the queries of this call
    // Floats between the places where successive queries add their mass; 0: all add to the same
    // place. Other than 0 only where n_q is at most device_ops.alike.
    size_t mass_step;
};

// Attention run-time termination (ART, section 3.2) for a single query: once the output hardly
// changes any more, the rest of a piece with `art` is not read. Pieces without `art` are read first
// and in full. Each query head decides for itself: p_t is its output over all that it has read up
// to block t, of which up to ART_PROBE elements at equal distances are compared. A block is stable
// when | |p_t| - |p_t-1| | < scale |p_t-1| and 1 - cos(p_t, p_t-1) < direction; after `patience`
// stable blocks in a row the rest of the piece is skipped.
struct art {
    float scale, direction;
    int patience;
    int block; // keys in a block; the last block of a piece may be shorter
    // Host [2]: += blocks read and blocks there were, summed over query heads. A device may add
    // them as late as in sync; until then READ must stay valid.
    uint64_t *read;
};
enum { ART_PROBE = 32 };

struct attend {
    const float *q; // [n_q][n_heads][head_dim] raw
    float *out;     // [n_q][n_heads][head_dim]
    int n_q, n_heads, n_kv_heads, head_dim;
    int rope_dim; // <= head_dim; the dimensions past it are not rotated
    enum rope_style rope_style;
    float scale;   // of the scores: usually 1/sqrt(head_dim)
    float softcap; // 0: none; else scores become softcap * tanh(score / softcap)
    const struct attend_piece *pieces; // host array; a query that sees no key at all gives zeros
    int n_pieces;
    // NULL, or [n_q / self_block][self_block][self_block]: += attention probability summed over
    // heads, query row i to key column j, both inside the same self_block-aligned group of the
    // chunk's own n_q tokens (Ltri-LLM's span division reads it). A last partial group is skipped.
    float *self_mass;
    int self_block;
    // NULL: everything is read. Only with n_q 1 and without masses. A backend may ignore it, read
    // everything and leave art->read unchanged.
    const struct art *art;
};

// Scores every key of one kv head against the queries of one query head, for choosing blocks.
struct scan {
    const float *q; // host [n_q][head_dim], already rotated
    int n_q, head_dim;
    float scale;
    const int8_t *keys;     // host [n_keys][head_dim]; key = keys * key_scale
    const float *key_scale; // host [n_keys]
    const uint64_t *start;  // host [n_blocks + 1]: keys start[b] .. start[b+1] belong to block b
    int64_t n_blocks;
    uint64_t name; // 0, or a name unique to these keys and scales, under which a device may keep a
                   // copy of them
    float *max;    // host [n_q][n_blocks], maximum score; -INFINITY for an empty block. May be NULL
    float *lse;    // host [n_q][n_blocks], log sum exp of the scores; likewise. May be NULL
    // Instead of both, on devices with scans_mass: host [n_blocks], the logarithm of the softmax of
    // each query over all keys, summed over a block's keys and over the queries. A query without
    // finite scores adds nothing.
    float *mass;
};

// The n_top blocks that get most of the votes. A vote is scan.mass standardised to mean 0 and
// variance 1 over the blocks (an infinite or undefined mass counts as the lowest finite one); a
// block's score is the weighted mean of its votes. The parts are the indexes of a question: their
// blocks are numbered one part after the other, and share the softmax of a vote.
struct election {
    // [n_votes][n_parts]: all parts of a vote have the same queries, and all votes the same blocks.
    // Their results (max, lse, mass) are NULL.
    const struct scan *votes;
    const float *weight;         // [n_votes]
    int n_votes, n_parts, n_top; // n_top <= blocks of all parts, <= ELECT_MOST
    // NULL, or host [n_blocks]: gain / gain_most of the largest positive score is added to a
    // block's.
    const double *gain;
    double gain_most;
    int64_t *top;  // host [n_top] block numbers, best first, equal scores in the order of blocks
    double *score; // host [n_top]
    float *z;  // NULL, or host [n_votes][n_top]: each vote's standardised value for these blocks
    int *rank; // with z, host [n_votes][n_top]: the block's rank in the vote, 1 is the highest
};
enum { ELECT_MOST = 2048 };

// The rows with the largest dot products with a query.
struct similar {
    const float *q;    // host [width]
    const float *rows; // [n][stride] on the device
    int64_t n, stride; // stride >= width
    int width, n_top;  // n_top <= n, <= ELECT_MOST
    int64_t *top;      // host [n_top]: row numbers, best first, equal products in the order of rows
};

// The spans that a block of tokens is divided into by its attention map (Ltri-LLM, sections 3.2 and
// 3.3). engine/method/span.h explains them; a device must match engine/method/span.c bit for bit.
enum { SPANS_MOST = 16, SPANS_TOKENS = 255 };
struct spans_one {
    int from, to;        // tokens, end exclusive; they tile the block in order
    double score, ratio; // as in struct span (span.h)
};

struct spans {
    int n;
    struct spans_one v[SPANS_MOST];
    uint8_t rank[SPANS_TOKENS + 1]; // of each token by the attention it received, 0 for the most;
                                    // equal ones in their order
};

struct span_cut { // as in struct span_options (span.h), no defaults
    double theta, iou;
    int spans;
};

struct divide {
    const float *a;      // [n_blocks][block][block], as self_mass
    int n_blocks, block; // block <= SPANS_TOKENS
    struct span_cut cut;
    struct spans *out; // [n_blocks] on the device
};

// The first N rows, of WIDTH floats, of each of HEADS runs: [heads][stride][width] on the device,
// and [heads][host_stride][width] in plain memory for operations that copy between the two.
struct rows {
    int heads, n, width, stride, host_stride;
};

// The largest of some numbers, and its index.
struct best {
    float value;
    uint32_t id;
};

// What is added to the logit of a token.
struct bonus {
    uint32_t id;
    float by;
};

// How a token is drawn from logits: from the softmax of logits / temp, restricted to the likeliest
// tokens that together have probability top_p (all tokens where top_p is not between 0 and 1).
// Tokens are summed up likeliest first, equal ones in their order; the one drawn is the first at
// which the sum exceeds UNIFORM, from 0 to 1, times the sum of all.
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
    int plain;        // alloc gives plain memory, which the caller may read between two operations
    int keeps_rows;   // attend makes use of attend_piece.kept
    int scans_mass;   // scan can fill in scan.mass
    // The most tokens of one pass, without self_mass, that each get bit for bit the results of a
    // pass of their own. 0: not even two tokens do.
    int alike;
    void (*close)(struct device *d);
    // 64-byte aligned, contents not defined. FREE accepts NULL.
    void *(*alloc)(struct device *d, size_t bytes, struct err *e);
    void (*free)(struct device *d, void *p);
    int (*upload)(struct device *d, void *dst, const void *host, size_t bytes, struct err *e);
    int (*download)(struct device *d, void *host, const void *src, size_t bytes, struct err *e);
    // Uploads and downloads many short rows at once; a run may begin anywhere in an allocation.
    // When put_rows returns, HOST may change; when get_rows returns, the rows have arrived.
    int (*put_rows)(struct device *d, float *dst, const float *host, const struct rows *r,
                    struct err *e);
    int (*get_rows)(struct device *d, const struct row_copy *c, int n, struct err *e);
    void (*clear_rows)(struct device *d, float *dst, const struct rows *r); // to 0
    // A cache of rows on the device; all three are NULL on devices without one. KEEP may keep a
    // copy of the rows at SRC under NAME, which is unique to their contents. RECALL copies what is
    // kept under NAME to DST and returns 1, or 0 when it is not there. WORTH tells how much
    // attention each of NAMES [n] received in a question or a pass over a document: rows that have
    // lately received least are dropped first.
    void (*keep)(struct device *d, uint64_t name, const float *src, const struct rows *r);
    int (*recall)(struct device *d, uint64_t name, float *dst, const struct rows *r);
    void (*worth)(struct device *d, const uint64_t *names, const float *mass, int n);
    void (*copy)(struct device *d, void *dst, const void *src, size_t bytes); // may overlap
    // Waits; returns the first error since the last sync.
    int (*sync)(struct device *d, struct err *e);

    // Prepares a weight for use, making m->packed; m->data is host memory that outlives the device.
    int (*mat_init)(struct device *d, struct mat *m, struct err *e);
    void (*mat_done)(struct device *d, struct mat *m);
    // Both may be NULL. READY: all weights of a model have been through mat_init; KEY tells them
    // from other models' weights. Where the device brings them to a form of its own, it does so
    // now, or takes them from device_options.kept. KEEP, before the first mat_done, keeps them
    // there.
    void (*weights_ready)(struct device *d, uint64_t key);
    void (*weights_keep)(struct device *d);

    // out[i] = scale * row ids[i] of the table, dequantised. ids: host [n].
    void (*embed)(struct device *d, float *out, const struct mat *table, const uint32_t *ids, int n,
                  float scale);
    // out[n][rows] = x[n][cols] W^T (+ bias[rows]) (+ add[n][rows]); bias and add may be NULL, and
    // out may be add.
    void (*matmul)(struct device *d, float *out, const struct mat *w, const float *x,
                   const float *bias, const float *add, int n);
    // Several operations as one, with the same result up to rounding; call them through
    // device_project and device_ffn. May be NULL, and return 0 when they did nothing and the single
    // operations must be used. PROJECT returns 1 when the products are in out, 2 when they are also
    // where projection.heads sends them.
    int (*project)(struct device *d, const struct project *p);
    int (*ffn)(struct device *d, const struct ffn *f);
    // out[i] = log of the softmax of W x_i at ids[i] < w->rows; OUT and IDS [n] host, x [n][cols].
    // May be NULL (device_log_probs).
    int (*log_probs)(struct device *d, double *out, const struct mat *w, const float *x,
                     const uint32_t *ids, int n, struct err *e);
    // out[n][dim] = x / rms(x) * w (+ add[n][dim]) for each row; w[dim]; add may be NULL, and out
    // may be x or add.
    void (*rmsnorm)(struct device *d, float *out, const float *x, const float *w, const float *add,
                    int n, int dim, float eps);
    // gate[i] = act(gate[i]) * up[i], i < n
    void (*gate)(struct device *d, float *gate, const float *up, size_t n, enum act act);
    // Scatters rows [n][n_kv_heads][head_dim] into a head-major cache
    // [n_kv_heads][stride][head_dim] at token position AT.
    void (*cache_put)(struct device *d, float *cache, const float *rows, int n, int n_kv_heads,
                      int head_dim, int stride, int at);
    // Decodes N stored parts to floats; what they point to may be freed when it returns. NULL where
    // the codec decodes to floats itself.
    void (*put_stored)(struct device *d, const struct stored_put *x, int n);
    void (*attend)(struct device *d, const struct attend *a);
    // N calls of attend that do not depend on each other. May be NULL (see device_attend_all).
    void (*attend_all)(struct device *d, const struct attend *a, int n);
    // Runs fn(ctx, one, task, thread) for every task 0 .. n_tasks-1 and waits. ONE is this device
    // with a single thread, several of them at a time, or, where there are too few tasks for that,
    // this device itself. A task may use of it embed, products, rmsnorm, gate, cache_put, attention
    // and sync, which tells of the task's own errors; thread < device.threads names a scratch area.
    // NULL where memory is not plain.
    void (*each)(struct device *d, int n_tasks,
                 void (*fn)(void *ctx, struct device *one, int task, int thread), void *ctx);
    void (*scan)(struct device *d, const struct scan *s);
    // The next four are NULL on devices with plain memory: the caller does their work there.
    void (*elect)(struct device *d, const struct election *x);
    void (*similar)(struct device *d, const struct similar *x);
    // out[width] = the mean of rows x[n][width], summed in their order.
    void (*mean)(struct device *d, float *out, const float *x, int n, int width);
    void (*divide)(struct device *d, const struct divide *x);
    // Decodes N layers of blocks (kernels/coded.h), all of one basis; waits. ERR_FORMAT: layer *BAD
    // of the N has damaged symbols, and its floats are not defined. NULL where put_stored is.
    int (*put_coded)(struct device *d, const struct coded_put *x, int n, int *bad, struct err *e);
    // Called with BEGINS 1 before and 0 after the operations of a pass over one token: a device may
    // record them and, when the pass before had the same operations (arguments may differ), launch
    // them as one. May be NULL.
    void (*step)(struct device *d, int begins);
    // *OUT on the device = the largest of X [n], n > 0, the first of equals; x[0] when that is NaN.
    // NULL on devices with plain memory, as are favour and draw.
    void (*best)(struct device *d, struct best *out, const float *x, int n);
    // X[b[i].id] += b[i].by for each of B [n] on the device, no two of the same id.
    void (*favour)(struct device *d, float *x, const struct bonus *b, int n);
    // *OUT on the device = minus the log of the softmax of X [n] at B->id, as best or draw left B.
    // Every device has it.
    void (*cost)(struct device *d, float *out, const struct best *b, const float *x, int n);
    // OUT->id on the device = the token drawn from logits X [n], n > 0; OUT->value is the largest
    // of the logits, or NaN when they are not numbers.
    void (*draw)(struct device *d, struct best *out, const float *x, int n, const struct draw *how);
};

struct device {
    const struct device_ops *ops;
    void *self;   // the backend's own state
    int threads;  // of the processor, for work that is not the device's
    int is_apart; // 1: it works while the processor does something else
    int rows;     // rows of x at which its products are fastest; 0: it does not matter
    // Rows of x from which on a row of a product gets the same bits however many others there are;
    // 0: it does not say.
    int many;
    char label[96]; // for people: "cpu (avx512vnni, 2 threads)", "cuda:0 NVIDIA H200"
};

struct device_options {
    const char *name; // NULL or "auto", "cpu", "cuda", "cuda:N"
    int threads;      // 0: one per physical core
    const char *isa;  // NULL: the best the processor has; else "ref", "avx2", "avx512", ... (tests)
    uint64_t vram;    // bytes of its memory that a GPU may use; 0: all there is
    // 1: products and attention take their operands as they are. 0: where that is faster they may
    // first round them.
    //   products of many rows
    //       x to 8 bits, 32 neighbours with one scale: "avx512vnni", "avxvnni", "neondot",
    //           "neoni8mm", and with weights of Q4_0, Q4_1 or Q4_K "avx2" and "avx512"
    //       x to 16 bits, 32 or 16 neighbours with one scale: "avx2", weights of all other types but
    //           F32, F16 and BF16
    //       x and weights to bfloat16: "amx"
    //       weights of Q4_0, Q4_1 and Q4_K to 8 bits, 128 neighbours with one scale: "avx512vnni",
    //           "avxvnni"
    //   products of few rows (up to 8; "amx" 16, "avx512vnni" 24, "avx512" 32)
    //       x to 8 bits: with weights of Q4_0 or Q4_1 all but "neon", of Q8_0 all but "neon" and
    //           "avx512"
    //   attention of many queries
    //       to bfloat16: "amx"
    //       to whole numbers of 11 to 15 bits: the others of x86-64
    //   attention of a few queries
    //       keys and values in attend_piece.kept to 8 bits: all but "ref"
    //   scans
    //       q to 16 bits where head_dim is a multiple of 4: those that have products of bytes,
    //           "avx512vnni", "avxvnni", "amx", "neondot", "neoni8mm"
    // "ref" rounds x to 8 bits.
    int exact;
    // A directory, made when it is needed, where weights in the device's own form are kept for the
    // next time; NULL: nowhere.
    const char *kept;
};

// The check that every backend's mat_init begins with. ERR_UNSUPPORTED: unknown type of weights;
// ERR_FORMAT: a shape that such weights cannot have.
int mat_check(const struct mat *m, struct err *e);

// Opens the device o->name. ERR_USAGE: no such name; ERR_DEVICE: this machine has no such device;
// ERR_UNSUPPORTED: this build has no such backend. With "auto" a GPU that cannot be used is passed
// over; if the driver's device node is there, so that one could be expected, NOTE [note_cap], which
// may be NULL, says why.
int device_open(struct device **out, const struct device_options *o, char *note, size_t note_cap,
                struct err *e);
void device_close(struct device *d);

// Each does the operation of its name: with the device's own where it has one, else with the single
// operations that it stands for.
void device_project(struct device *d, const struct project *p);
// Scatters ROWS [n][width] to the caches of TO.
void device_put_heads(struct device *d, const struct heads_to *to, const float *rows, int n,
                      int width);
void device_ffn(struct device *d, const struct ffn *f);
void device_attend_all(struct device *d, const struct attend *a, int n);
int device_log_probs(struct device *d, double *out, const struct mat *w, const float *x,
                     const uint32_t *ids, int n, struct err *e);

// The i-th of the instruction sets that this machine's processor can run, best first, "ref" last;
// NULL past the last.
const char *device_cpu_isa(size_t i);

#endif
