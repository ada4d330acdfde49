// Division of a block of tokens into spans of tokens that attend to each other, and the tokens that
// stand for each span in the index (Ltri-LLM, sections 3.2 and 3.3, Appendix E).
//
//     struct span_set s;
//     if (span_divide(&s, attention, 64, 64, &(struct span_options){0}, &e)) ...
//     s.v[0 .. s.n), s.token[0 .. s.n_tokens)
#ifndef LCTOOL_ENGINE_METHOD_SPAN_H
#define LCTOOL_ENGINE_METHOD_SPAN_H

#include <stdint.h>

#include "io/err.h"
#include "kernels/kernels.h"

enum { SPAN_MAX = SPANS_MOST, SPAN_TOKENS_MAX = 64, SPAN_VECTORS = 12 };

struct span_options {
    double theta;  // quantile of the attention that a span must exceed on average; 0: 0.9
    double iou;    // two spans overlap at most this much; 0: 0.1
    double lambda; // how fast confidence in the votes lowers the number of vectors; 0: 3
    int spans;     // of a block at most, <= SPAN_MAX; 0: 4
    int vectors;   // of a block at most, <= SPAN_TOKENS_MAX, at least the spans; 0: SPAN_VECTORS
};

struct span {
    int from, to; // tokens, end exclusive
    double score; // sum of attention above the threshold (Eq. 5); 0 for a gap between spans
    double ratio; // r_a: its attention, over its own and that of its rows to earlier columns
    int n_vectors;
};

// Spans tile the block in order. The tokens that stand for a span are ascending, the spans that own
// them descending: where the next token is smaller, another span begins.
struct span_set {
    int n, n_tokens;
    struct span v[SPAN_MAX];
    uint8_t token[SPAN_TOKENS_MAX];
};

// A: attention summed over heads, [n][stride], row i of the query, column j <= i of the key; what
// is above the diagonal is not read. 1 <= n <= 255. A NULL (attention unknown): the block is one
// span, represented by tokens at equal distances.
int span_divide(struct span_set *s, const float *a, int n, int stride, const struct span_options *o,
                struct err *e);

// The first half of that, which a device may do as well (device_ops.divide): the spans and what
// their tokens received. CUT is complete, as span_cut_of makes it; 1 <= n <= SPANS_TOKENS.
int span_find(struct spans *out, const float *a, int n, int stride, const struct span_cut *cut,
              struct err *e);
// The second half: the tokens that stand for the spans of X, a block of N tokens.
int span_elect(struct span_set *s, const struct spans *x, int n, const struct span_options *o,
               struct err *e);
// O with what it leaves out filled in.
struct span_cut span_cut_of(const struct span_options *o);

#endif
