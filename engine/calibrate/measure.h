// What each head of a model does with needles, the measuring half of calibrate(): how it ranks the
// blocks when asked for one, and whether it looks at one that the model copies.
//
//     struct measure *b;
//     if (measure_new(&b, m, &(struct calibrate_options){0}, &e)) ...
//     for (int i = 0; i < 3; i++) if (measure_asking(b, i, &e) || measure_copying(b, i, &e)) ...
//     b->q[0 .. b->n_q), b->copies[h], b->n_copied
//     measure_free(b);
#ifndef LCTOOL_ENGINE_CALIBRATE_MEASURE_H
#define LCTOOL_ENGINE_CALIBRATE_MEASURE_H

#include "engine/calibrate/haystack_page.h"
#include "engine/model/prompt.h"
#include "engine/stream/stream.h"

// The scores of all heads for one question, in the order layer * heads + head.
struct opinions {
    int n_heads, n_blocks;
    float *z;     // [n_heads][n_blocks] a block's score for the head, greater is better
    int from, to; // the blocks that hold the answer, end exclusive
    int document, needle, paraphrased;
};

// The keys of a text as an index would keep them.
struct measure_keys {
    int n, cap;       // tokens
    int8_t **vectors; // [n_layers * n_kv_heads] -> [cap][head_dim]
    float **scale;    // [n_layers * n_kv_heads] -> [cap]
    uint64_t *start;  // [blocks + 1]
    uint8_t *token;   // [cap]
    float *k, *v;     // [n_kv_heads][chunk][head_dim]
};

// The frame in which the heads will be asked, in tokens: that of an index and its probe pass.
enum {
    MEASURE_SINKS = 128,
    MEASURE_BLOCK = 64,
    MEASURE_REACH = 1536,    // window and chunk
    MEASURE_DISTANCE = 1024, // at which the heads are asked, as the profile says
};

// How much the scores of stored keys are sharpened (stream.h): 1, 1.25, 1.5, 2.
enum { SHARPENS = 4 };
extern const float measure_sharpens[SHARPENS];

struct measure {
    struct model *m;
    const struct calibrate_options *o;
    int n_heads; // of the whole model
    int documents, tokens;
    double bytes_per_token;
    char *filler; // the user's text, or NULL
    size_t filler_bytes;
    int n_documents; // measured so far
    struct opinions *q;
    int n_q, cap_q;
    int *copies;  // [n_heads] steps at which the head looked at the token that was copied
    int n_copied; // steps at which the model copied
    int n_steps;  // steps at which it could have
    // Needles answered in full, by what was read and how much the scores of what is stored were
    // sharpened.
    int right[SHARPENS][N_READ_MODES];
    int n_read;        // needles asked so
    uint64_t n_tokens; // computed so far
};

// *TEXT [*BYTES], to be freed: the file PATH, in which sentences may be hidden. ERR_FORMAT: it is
// too short or too long for that.
int measure_text(const char *path, char **text, size_t *bytes, struct err *e);
int measure_new(struct measure **out, struct model *m, const struct calibrate_options *o,
                struct err *e);
void measure_free(struct measure *b);

// Hides needles in text number I and has every head score the blocks for each needle's question, in
// the text's words and in others: adds to b->q.
int measure_asking(struct measure *b, int i, struct err *e);
// Has the model copy each needle of text number I: adds to b->copies, n_copied and n_steps. The
// last measurement of a text.
int measure_copying(struct measure *b, int i, struct err *e);

// The rank, from 1, of the best of the blocks FROM .. TO among the N that Z scores.
int measure_rank(const float *z, int n, int from, int to);

// How often a head copies: the number of steps at which its largest attention falls on the very
// token that comes next, within the needle (Wu et al., arXiv:2404.15574, section 2). QK
// [n_steps][stride]: its scores before the softmax; SEEN [n_steps]: how many tokens of IDS it sees;
// NEEDLE_FROM .. NEEDLE_TO: the needle's tokens, end exclusive; COPIED [n_steps]: the next tokens.
int measure_copies(const float *qk, int stride, int n_steps, const int *seen, const uint32_t *ids,
                   int needle_from, int needle_to, const uint32_t *copied);

// For the heads that calibration has chosen: how well they find needles by each way to divide
// blocks into spans, and how undecided the layers are. Sums over the texts measured so far.
enum { SPAN_THETAS = 4, SPAN_PHIS = 3 };
extern const double span_thetas[SPAN_THETAS], span_phis[SPAN_PHIS];
struct measure_spans {
    int n;                              // heads
    const struct calibrate_head *heads; // [n]
    struct measured_span {
        double rank[SPAN_THETAS][SPAN_PHIS]; // sum of log ranks of the right block, by the vectors
                                             // that stand for spans
        struct measured_lengths {
            int n;          // spans
            double *length; // [n]
            double *ratio;  // [n] r_a
            size_t cap, cap_ratio;
        } spans[SPAN_THETAS][SPAN_PHIS];
    } * v;           // [n]
    int n_blocks;    // blocks divided
    int n_q;         // questions asked
    double *entropy; // [n_layers] sums of entropies as shares of log(number of blocks)
};
int measure_spans_new(struct measure_spans **out, const struct measure *b,
                      const struct calibrate_head *heads, int n, struct err *e);
void measure_spans_free(struct measure_spans *s);
// Measures text number I once more, for this.
int measure_spans(struct measure *b, struct measure_spans *s, int i, struct err *e);

// Inside of measure_asking, measure_copying and measure_spans.
int measure_page(const struct measure *b, struct page *p, int i, int tokens, struct err *e);
int measure_stopped(const struct measure *b, struct err *e);
// Runs N tokens. QUERIES [n_layers] or NULL; LOGITS of the last N_LOGITS tokens or NULL.
int measure_run(struct measure *b, struct stream *s, const uint32_t *ids, int n, float **queries,
                float *logits, int n_logits, struct err *e);
// Opens a stream like an index's, and reads page P in it: Y gets the keys, and SELF [n_layers] ->
// [n][MEASURE_BLOCK], which may be NULL, the attention within blocks.
int measure_stream_new(struct stream **s, const struct model *m, struct err *e);
int measure_keys_init(struct measure_keys *y, const struct model_info *f, int cap, struct err *e);
void measure_keys_done(struct measure_keys *y, const struct model_info *f);
int measure_read_page(struct measure *b, const struct page *p, struct stream *s,
                      struct measure_keys *y, float *const *self, struct err *e);
// Asks for needle V, in the text's words or PARAPHRASED: *QUERIES as measure_queries_new makes
// them, of which those of *N tokens from *FROM on are the question's own.
int measure_question(struct measure *b, struct stream *s, const struct needle *v, int paraphrased,
                     float ***queries, int *from, int *n, struct err *e);
// Room for the queries of N tokens: *OUT [n_layers] -> [n][n_heads][head_dim].
int measure_queries_new(const struct model *m, int n, float ***out, struct err *e);
void measure_queries_free(float **q);
// Asks the model for a needle of page P, which S has read, in every read mode: adds to b->right.
int measure_reading(struct measure *b, struct stream *s, const struct page *p, int needle,
                    struct err *e);

#endif
