// How blocks are best divided into spans, for each head that finds needles. Every text is read once
// more, its blocks are divided in several ways, and the head is asked for the needles by the
// vectors that stand for the spans.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/calibrate/measure.h"
#include "engine/method/probe.h"
#include "engine/method/score.h"
#include "engine/method/span.h"
#include "io/mem.h"

enum { TOP = 4 }; // tokens whose mean key stands for a block (ActQKV)

const double span_thetas[SPAN_THETAS] = {0.8, 0.85, 0.9, 0.95},
             span_phis[SPAN_PHIS] = {0.05, 0.1, 0.3};

int measure_spans_new(struct measure_spans **out, const struct measure *b,
                      const struct calibrate_head *heads, int n, struct err *e)
{
    struct measure_spans *s = mem_new(1, sizeof *s, e);
    *out = s;
    if (!s)
        return ERR_NOMEM;
    s->n = n;
    s->heads = heads;
    s->v = mem_new((size_t)n, sizeof *s->v, e);
    s->entropy = mem_new((size_t)b->m->info.n_layers, sizeof *s->entropy, e);
    return s->v && s->entropy ? 0 : ERR_NOMEM;
}

void measure_spans_free(struct measure_spans *s)
{
    if (!s)
        return;
    for (int i = 0; s->v && i < s->n; i++)
        for (int t = 0; t < SPAN_THETAS; t++)
            for (int p = 0; p < SPAN_PHIS; p++) {
                free(s->v[i].spans[t][p].length);
                free(s->v[i].spans[t][p].ratio);
            }
    free(s->v);
    free(s->entropy);
    free(s);
}

// A text that has been read.
struct text {
    const struct measure *b;
    const struct measure_keys *y;
    float **self;  // [n_layers] -> [n][MEASURE_BLOCK]
    int n_blocks;  // whole ones, and a partial one at the end
    uint32_t skip; // first tokens that do not count
};

// One way to divide the blocks, for one head: the vectors that stand for them.
struct divided {
    int8_t *vectors;
    float *scale;
    uint64_t *start;
    uint8_t *token;
};

static void divided_free(struct divided *d)
{
    free(d->vectors);
    free(d->scale);
    free(d->start);
    free(d->token);
}

static int note_spans(struct measured_span *v, int t, int p, const struct span_set *s,
                      struct err *e)
{
    size_t want = (size_t)(v->spans[t][p].n + s->n);
    int rc = MEM_GROW(v->spans[t][p].length, v->spans[t][p].cap, want, e);
    if (!rc)
        rc = MEM_GROW(v->spans[t][p].ratio, v->spans[t][p].cap_ratio, want, e);
    for (int i = 0; !rc && i < s->n; i++) {
        int at = v->spans[t][p].n++;
        v->spans[t][p].length[at] = s->v[i].to - s->v[i].from;
        v->spans[t][p].ratio[at] = s->v[i].ratio;
    }
    return rc;
}

static int divide(const struct text *x, struct measured_span *v, const struct calibrate_head *h,
                  int t, int p, struct divided *d, struct err *e)
{
    const struct model_info *f = &x->b->m->info;
    size_t dim = (size_t)f->head_dim, most = (size_t)x->n_blocks * SPAN_TOKENS_MAX;
    int run = h->layer * f->n_kv_heads + h->head / (f->n_heads / f->n_kv_heads), rc = 0;
    if (!(d->vectors = mem_new(most, dim, e)) || !(d->scale = mem_new(most, sizeof *d->scale, e)) ||
        !(d->start = mem_new((size_t)x->n_blocks + 1, sizeof *d->start, e)) ||
        !(d->token = mem_new(most, 1, e)))
        return ERR_NOMEM;
    for (int b = 0; !rc && b < x->n_blocks; b++) {
        struct span_set s;
        int first = b * MEASURE_BLOCK,
            n = x->y->n - first < MEASURE_BLOCK ? x->y->n - first : MEASURE_BLOCK;
        const float *a =
            n == MEASURE_BLOCK ? x->self[h->layer] + (size_t)first * MEASURE_BLOCK : NULL;
        uint64_t at = d->start[b];
        rc = span_divide(&s, a, n, MEASURE_BLOCK,
                         &(struct span_options){.theta = span_thetas[t], .iou = span_phis[p]}, e);
        if (!rc && a)
            rc = note_spans(v, t, p, &s, e);
        for (int i = 0; !rc && i < s.n_tokens; i++, at++) {
            size_t from = (size_t)(first + s.token[i]);
            memcpy(d->vectors + at * dim, x->y->vectors[run] + from * dim, dim);
            d->scale[at] = x->y->scale[run][from];
            d->token[at] = s.token[i];
        }
        d->start[b + 1] = at;
    }
    return rc;
}

// All questions about a text, because every way to divide it is asked all of them.
struct questions {
    float **queries[2 * HAYSTACK_NEEDLES]; // each [n_layers] -> [tokens][n_heads][head_dim]
    // the question's own tokens in each: the first, and their number
    int from[2 * HAYSTACK_NEEDLES], count[2 * HAYSTACK_NEEDLES];
    // the blocks with the answer, end exclusive
    int first[2 * HAYSTACK_NEEDLES], end[2 * HAYSTACK_NEEDLES];
    int n;
};

// The scores that a head gives for a question, and scratch for them.
struct opinion_of {
    float *q;    // its queries
    float *rows; // [queries][n_blocks] scores
    float *z;    // [n_blocks] scores of all queries together
};

// Adds to RANK the log of the rank that the vectors of D give to the answer of question J, asked
// with N_Q queries.
static int rank_by(const struct text *x, const struct divided *d, const struct questions *a, int j,
                   const struct opinion_of *o, int n_q, double *rank, struct err *e)
{
    const struct score_keys k = {d->vectors, d->scale, d->start, d->token, x->n_blocks, x->skip, 0};
    int rc = score_blocks(x->b->m, &k, 0, REDUCE_LSE, o->q, n_q, o->rows, x->n_blocks, e);
    if (!rc) {
        score_reduce(REDUCE_LSE, o->rows, n_q, x->n_blocks, o->z);
        *rank += log(measure_rank(o->z, x->n_blocks, a->first[j], a->end[j]));
    }
    return rc;
}

// Divides the blocks in every way for head I, and asks every question.
static int measure_head(const struct text *x, struct measure_spans *s, int i,
                        const struct questions *a, struct err *e)
{
    const struct model_info *f = &x->b->m->info;
    const struct calibrate_head *h = &s->heads[i];
    size_t dim = (size_t)f->head_dim, wide = (size_t)f->n_heads * dim;
    int most = 0, rc = 0;
    for (int j = 0; j < a->n; j++)
        most = a->count[j] > most ? a->count[j] : most;
    struct opinion_of o = {.q = mem_new(PROBE_ROOM(most, dim), sizeof *o.q, e),
                           .rows = mem_new((size_t)x->n_blocks * (size_t)most, sizeof *o.rows, e),
                           .z = mem_new((size_t)x->n_blocks, sizeof *o.z, e)};
    if (!o.q || !o.rows || !o.z)
        rc = ERR_NOMEM;
    for (int t = 0; !rc && t < SPAN_THETAS; t++)
        for (int p = 0; !rc && p < SPAN_PHIS; p++) {
            struct divided d = {0};
            rc = divide(x, &s->v[i], h, t, p, &d, e);
            for (int j = 0; !rc && j < a->n; j++) {
                const float *own = a->queries[j][h->layer] + (size_t)a->from[j] * wide;
                int n = probe_vectors(PROBE_TOKENS, own, a->count[j], f->n_heads, f->head_dim,
                                      h->head, o.q);
                for (int k = 0; k < n; k++)
                    model_rotate(x->b->m, h->layer, MEASURE_REACH, MEASURE_DISTANCE,
                                 o.q + (size_t)k * dim);
                rc = rank_by(x, &d, a, j, &o, n, &s->v[i].rank[t][p], e);
            }
            divided_free(&d);
        }
    free(o.q);
    free(o.rows);
    free(o.z);
    return rc;
}

// OUT: the mean key of the tokens of block B that received most attention within it.
static void mean_of_top(const struct text *x, int layer, int kv, int b, float *out)
{
    size_t dim = (size_t)x->b->m->info.head_dim;
    int first = b * MEASURE_BLOCK, run = layer * x->b->m->info.n_kv_heads + kv;
    const float *a = x->self[layer] + (size_t)first * MEASURE_BLOCK;
    double votes[MEASURE_BLOCK] = {0};
    for (int i = 0; i < MEASURE_BLOCK; i++)
        for (int j = 0; j <= i; j++)
            votes[j] += (double)a[i * MEASURE_BLOCK + j];
    memset(out, 0, dim * sizeof *out);
    for (int c = 0; c < TOP; c++) {
        int best = 0;
        for (int j = 1; j < MEASURE_BLOCK; j++)
            best = votes[j] > votes[best] ? j : best;
        votes[best] = -1;
        for (size_t i = 0; i < dim; i++)
            out[i] += x->y->scale[run][first + best] *
                      (float)x->y->vectors[run][(size_t)(first + best) * dim + i];
    }
}

static double cosine(const float *a, const float *b, size_t n)
{
    double ab = 0, aa = 0, bb = 0;
    for (size_t i = 0; i < n; i++) {
        ab += (double)(a[i] * b[i]);
        aa += (double)(a[i] * a[i]);
        bb += (double)(b[i] * b[i]);
    }
    return aa > 0 && bb > 0 ? ab / sqrt(aa * bb) : 0;
}

// Adds to *SUM how undecided LAYER is about a question, as ActQKV defines it: the entropy of the
// softmax over the cosines between the question's weighted query and each block, as a share of the
// logarithm of the number of blocks; mean over heads.
static int undecided(const struct text *x, int layer, const float *queries, int n_q, double *sum,
                     struct err *e)
{
    const struct model_info *f = &x->b->m->info;
    size_t dim = (size_t)f->head_dim;
    int n = x->y->n / MEASURE_BLOCK, group = f->n_heads / f->n_kv_heads;
    float *q = mem_new(PROBE_ROOM(n_q, dim), sizeof *q, e), *z = mem_new((size_t)n, sizeof *z, e);
    float *key = mem_new((size_t)n * dim, sizeof *key, e);
    if (!q || !z || !key) {
        free(q);
        free(z);
        free(key);
        return ERR_NOMEM;
    }
    for (int h = 0; h < f->n_heads; h++) {
        for (int b = 0; h % group == 0 && b < n; b++)
            mean_of_top(x, layer, h / group, b, key + (size_t)b * dim);
        probe_vectors(PROBE_BIAS, queries, n_q, f->n_heads, f->head_dim, h, q);
        model_rotate(x->b->m, layer, MEASURE_REACH, MEASURE_DISTANCE, q);
        for (int b = 0; b < n; b++)
            z[b] += (float)(cosine(q, key + (size_t)b * dim, dim) / f->n_heads);
    }
    *sum += n > 1 ? score_entropy(z, n) / log(n) : 1;
    free(q);
    free(z);
    free(key);
    return 0;
}

// Asks all questions about text P, which has been read.
static int ask_spans(struct measure *b, struct measure_spans *s, const struct text *x,
                     struct stream *stream, const struct page *p, struct err *e)
{
    struct questions a = {.n = 0};
    int rc = 0;
    size_t wide = (size_t)(b->m->info.n_heads * b->m->info.head_dim);
    for (int j = 0; !rc && j < 2 * p->h.n; j++, a.n++) {
        const struct needle *v = &p->h.v[j / 2];
        a.first[j] = page_token(p, v->from) / MEASURE_BLOCK;
        a.end[j] = page_token(p, v->to) / MEASURE_BLOCK + 1;
        if (!(rc = measure_stopped(b, e)))
            rc = measure_question(b, stream, v, j % 2, &a.queries[j], &a.from[j], &a.count[j], e);
        for (int l = 0; !rc && l < b->m->info.n_layers; l++)
            rc = undecided(x, l, a.queries[j][l] + (size_t)a.from[j] * wide, a.count[j],
                           &s->entropy[l], e);
    }
    for (int i = 0; !rc && i < s->n; i++)
        rc = measure_head(x, s, i, &a, e);
    s->n_q += a.n;
    for (int j = 0; j < 2 * HAYSTACK_NEEDLES; j++)
        measure_queries_free(a.queries[j]);
    return rc;
}

int measure_spans(struct measure *b, struct measure_spans *s, int i, struct err *e)
{
    const struct model_info *f = &b->m->info;
    struct page p;
    struct measure_keys y = {0};
    struct stream *stream = NULL;
    int rc = measure_page(b, &p, i, b->tokens, e);
    if (rc)
        return rc;
    struct text x = {.b = b,
                     .y = &y,
                     .n_blocks = (p.n + MEASURE_BLOCK - 1) / MEASURE_BLOCK,
                     .skip = (uint32_t)p.head + 1,
                     .self = mem_new((size_t)f->n_layers, sizeof *x.self, e)};
    rc = x.self ? 0 : ERR_NOMEM;
    for (int l = 0; !rc && l < f->n_layers; l++)
        if (!(x.self[l] = mem_new((size_t)p.n * MEASURE_BLOCK, sizeof **x.self, e)))
            rc = ERR_NOMEM;
    if (!rc && !(rc = measure_keys_init(&y, f, p.n, e)) &&
        !(rc = measure_stream_new(&stream, b->m, e)) &&
        !(rc = measure_read_page(b, &p, stream, &y, x.self, e)))
        rc = ask_spans(b, s, &x, stream, &p, e);
    s->n_blocks += p.n / MEASURE_BLOCK;
    for (int l = 0; x.self && l < f->n_layers; l++)
        free(x.self[l]);
    free(x.self);
    stream_free(stream);
    measure_keys_done(&y, f);
    page_done(&p);
    return rc;
}
