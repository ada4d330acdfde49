#include "engine/calibrate/measure_store.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cache/basis.h"
#include "cache/codec.h"
#include "io/mem.h"

enum {
    TOKENS = 2048,         // of the text, all in sight
    SINKS = MEASURE_SINKS, // of these, tokens that stay exact
    BLOCK = MEASURE_BLOCK,
    CHUNK = 512,
    NEXT = 128, // last tokens of the text: not stored but predicted, and without a needle
    QUESTIONS = 4,
};

struct store {
    struct measure *b;
    struct stream *s;
    int n;          // tokens of the text
    float **k, **v; // [n_layers] -> [n_kv_heads][n][head_dim], exact
    float *own[2];  // keys and values of one layer, as they come out of an index
    uint8_t *chunk;
    struct prompt ask; // what follows in the text, then questions with their answers
    float *exact,
        *logits;    // [ask.n - 1][n_vocab] probabilities when all is exact; logits when it is not
    double certain; // sum of p log p over EXACT
    struct basis *coarse;
    struct bytes coarse_section;
    struct pool *pool;
    struct kvz_meta meta;
};

void store_free(struct store *t)
{
    if (!t)
        return;
    for (int l = 0; t->k && l < 2 * t->b->m->info.n_layers; l++)
        free(t->k[l]);
    free(t->k);
    free(t->own[0]);
    free(t->own[1]);
    free(t->chunk);
    prompt_done(&t->ask);
    free(t->exact);
    free(t->logits);
    basis_close(t->coarse);
    free(t->coarse_section.p);
    pool_free(t->pool);
    stream_free(t->s);
    free(t);
}

// ----------------------------------------------------------------------------------- reading on

static int what_follows(struct store *t, const struct page *p, struct err *e)
{
    int rc = prompt_ids(&t->ask, p->ids + t->n, p->n - t->n, e);
    for (int j = 0; !rc && j < QUESTIONS && j < p->h.n; j++) {
        const struct needle *v = &p->h.v[j];
        const uint32_t *value;
        int n = page_value(p, v, &value);
        rc = prompt_question(&t->ask, t->b->m, NULL, NULL, v->question, NULL, e);
        if (!rc && !(rc = prompt_text(&t->ask, t->b->m, "\n", TOK_PLAIN, e)) &&
            !(rc = prompt_text(&t->ask, t->b->m, v->prefix, TOK_PLAIN, e)) && n > 0)
            rc = prompt_ids(&t->ask, value, n, e);
    }
    return rc;
}

// OUT: the logits after each token of t->ask but the last.
static int read_on(struct store *t, float *out, struct err *e)
{
    const size_t vocab = (size_t)t->b->m->info.n_vocab;
    int rc = measure_stopped(t->b, e), at = 0;
    while (!rc && at < t->ask.n - 1) {
        int n = t->ask.n - 1 - at < CHUNK ? t->ask.n - 1 - at : CHUNK;
        rc = measure_run(t->b, t->s, t->ask.ids + at, n, NULL, out + (size_t)at * vocab, n, e);
        at += n;
    }
    if (!rc)
        stream_rewind(t->s, at);
    return rc;
}

// The logarithm of the sum of the exponentials of X.
static double log_sum(const float *x, size_t n)
{
    float top = -INFINITY;
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        top = fmaxf(top, x[i]);
    for (size_t i = 0; i < n; i++)
        sum += (double)expf(x[i] - top);
    return (double)top + log(sum);
}

// Predicts with exact keys and values.
static int predict(struct store *t, struct err *e)
{
    const size_t vocab = (size_t)t->b->m->info.n_vocab;
    int rc = read_on(t, t->exact, e);
    for (int i = 0; !rc && i < t->ask.n - 1; i++) {
        float *x = t->exact + (size_t)i * vocab;
        const double all = log_sum(x, vocab);
        for (size_t j = 0; j < vocab; j++) {
            const double y = (double)x[j] - all;
            x[j] = (float)exp(y);
            t->certain += (double)x[j] * y;
        }
    }
    return rc;
}

// LOSS: the sum of p (log p - log q) over the vocabulary, mean over the tokens predicted.
static int divergence(struct store *t, double *loss, struct err *e)
{
    const size_t vocab = (size_t)t->b->m->info.n_vocab;
    int rc = read_on(t, t->logits, e);
    double sum = t->certain;
    for (int i = 0; !rc && i < t->ask.n - 1; i++) {
        const float *p = t->exact + (size_t)i * vocab, *x = t->logits + (size_t)i * vocab;
        const double all = log_sum(x, vocab);
        for (size_t j = 0; j < vocab; j++)
            sum -= (double)p[j] * ((double)x[j] - all);
    }
    *loss = sum / (t->ask.n - 1);
    return rc;
}

// ------------------------------------------------------------------------------------- the text

static size_t row(const struct store *t)
{
    return (size_t)t->b->m->info.head_dim;
}

// Puts the keys and values of a layer, except for those of sinks, into the stream.
static int put(struct store *t, int layer, const float *k, const float *v, struct err *e)
{
    const size_t skip = SINKS * row(t);
    return stream_put(t->s, STREAM_LOCAL, layer, SINKS, t->n - SINKS, t->n, k + skip, v + skip, e);
}

static int put_exact(struct store *t, int layer, struct err *e)
{
    return put(t, layer, t->k[layer], t->v[layer], e);
}

static int make_basis(struct store *t, uint32_t k_bits, uint32_t v_bits, const struct kvz_fit *fit,
                      struct bytes *section, struct basis **out, struct err *e)
{
    t->meta.recipe = (struct kvz_recipe){
        .codec = CODEC_CODED_WIDE, .k_bits = k_bits, .v_bits = v_bits, .level = 1};
    const struct basis_sample sample = {.k = (const float *const *)t->k,
                                        .v = (const float *const *)t->v,
                                        .n = (uint32_t)t->n,
                                        .stride = (uint32_t)t->n,
                                        .skip = SINKS,
                                        .mix = 1,
                                        .fit = fit};
    int rc = basis_make(section, &t->meta, &sample, NULL, t->pool, e);
    return rc ? rc : basis_open(out, section->p, section->n, &t->meta, t->pool, e);
}

// Encodes and decodes the keys and values of a layer, into t->own.
static int code_layer(struct store *t, const struct basis *basis, int layer, struct err *e)
{
    const struct codec *c = codec_find(CODEC_CODED_WIDE);
    struct codec_shape shape = {.n_kv_heads = t->meta.n_kv_heads,
                                .head_dim = t->meta.head_dim,
                                .layer = (uint32_t)layer,
                                .basis = basis};
    for (int at = SINKS; at < t->n; at += BLOCK) {
        const size_t off = (size_t)at * row(t);
        uint64_t bytes;
        shape.n_tokens = (uint32_t)(t->n - at < BLOCK ? t->n - at : BLOCK);
        int rc = c->encode(&shape, NULL, t->k[layer] + off, t->v[layer] + off, (uint32_t)t->n,
                           t->chunk, &bytes, e);
        if (!rc)
            rc = c->decode(&shape, t->chunk, bytes, t->own[0] + off, t->own[1] + off,
                           (uint32_t)t->n, e);
        if (rc)
            return rc;
    }
    return 0;
}

// Makes all keys, or values, of a layer exact again, except for those of HEAD.
static const float *only_head(struct store *t, int layer, int is_v, int head)
{
    const size_t each = (size_t)t->n * row(t), at = (size_t)head * each;
    float *out = t->own[!is_v];
    memcpy(out, is_v ? t->v[layer] : t->k[layer], t->meta.n_kv_heads * each * sizeof *out);
    memcpy(out + at, t->own[is_v] + at, each * sizeof *out);
    return out;
}

int store_part(struct store *t, int layer, int is_v, int head, double *loss, struct err *e)
{
    int rc = 0;
    if (!t->coarse)
        rc = make_basis(t, STORE_COARSE, STORE_COARSE, NULL, &t->coarse_section, &t->coarse, e);
    if (rc || (rc = code_layer(t, t->coarse, layer, e)))
        return rc;
    const float *x = only_head(t, layer, is_v, head);
    if ((rc = put(t, layer, is_v ? t->k[layer] : x, is_v ? x : t->v[layer], e)) ||
        (rc = divergence(t, loss, e)))
        return rc;
    return put_exact(t, layer, e);
}

// OUT: as IN, but for all tokens behind the sinks HEAD has their mean.
static void flatten(const struct store *t, const float *in, int head, float *out)
{
    const size_t dim = row(t), n = (size_t)t->n, from = (size_t)head * n * dim;
    memcpy(out, in, (size_t)t->meta.n_kv_heads * n * dim * sizeof *out);
    for (size_t d = 0; d < dim; d++) {
        double sum = 0;
        for (size_t i = SINKS; i < n; i++)
            sum += (double)in[from + i * dim + d];
        for (size_t i = SINKS; i < n; i++)
            out[from + i * dim + d] = (float)(sum / (double)(n - SINKS));
    }
}

int store_head(struct store *t, int layer, int head, double *loss, struct err *e)
{
    flatten(t, t->k[layer], head, t->own[0]);
    flatten(t, t->v[layer], head, t->own[1]);
    int rc = put(t, layer, t->own[0], t->own[1], e);
    if (rc || (rc = divergence(t, loss, e)))
        return rc;
    return put_exact(t, layer, e);
}

int store_all(struct store *t, uint32_t k_bits, uint32_t v_bits, const struct kvz_fit *fit,
              double *loss, struct err *e)
{
    struct bytes section = {0};
    struct basis *basis = NULL;
    int rc = make_basis(t, k_bits, v_bits, fit, &section, &basis, e), n = t->b->m->info.n_layers;
    for (int l = 0; !rc && l < n; l++)
        if (!(rc = code_layer(t, basis, l, e)))
            rc = put(t, l, t->own[0], t->own[1], e);
    if (!rc)
        rc = divergence(t, loss, e);
    for (int l = 0; !rc && l < n; l++)
        rc = put_exact(t, l, e);
    basis_close(basis);
    free(section.p);
    return rc;
}

// ----------------------------------------------------------------------------------------- new

static int new_room(struct store *t, struct err *e)
{
    const struct model_info *f = &t->b->m->info;
    const size_t layers = (size_t)f->n_layers,
                 each = (size_t)(f->n_kv_heads * f->head_dim) * (size_t)t->n;
    const size_t logits = (size_t)t->ask.n * (size_t)f->n_vocab;
    const struct codec_shape shape = {
        .n_tokens = BLOCK, .n_kv_heads = t->meta.n_kv_heads, .head_dim = t->meta.head_dim};
    if (!(t->k = mem_new(2 * layers, sizeof *t->k, e)))
        return ERR_NOMEM;
    t->v = t->k + layers;
    for (size_t l = 0; l < 2 * layers; l++)
        if (!(t->k[l] = mem_new(each, sizeof **t->k, e)))
            return ERR_NOMEM;
    for (int i = 0; i < 2; i++)
        if (!(t->own[i] = mem_new(each, sizeof *t->own[i], e)))
            return ERR_NOMEM;
    t->chunk = mem_new(codec_find(CODEC_CODED_WIDE)->bound(&shape), 1, e);
    t->exact = mem_new(logits, sizeof *t->exact, e);
    t->logits = mem_new(logits, sizeof *t->logits, e);
    return t->chunk && t->exact && t->logits ? 0 : ERR_NOMEM;
}

static int read_text(struct store *t, const struct page *p, struct err *e)
{
    int rc = stream_new(
        &t->s, t->b->o->exact ? t->b->o->exact : t->b->m,
        &(struct stream_options){.window = (t->n + t->ask.n) / 2 + 1, .chunk = CHUNK}, e);
    for (int at = 0; !rc && at < t->n; at += CHUNK)
        rc = measure_run(t->b, t->s, p->ids + at, t->n - at < CHUNK ? t->n - at : CHUNK, NULL, NULL,
                         0, e);
    return rc ? rc : stream_get_all(t->s, 0, t->n, t->k, t->v, NULL, e);
}

// A text may have its bytes and yet few tokens: long runs of one character are one.
static int long_enough(const struct measure *b, const struct page *p, struct err *e)
{
    const int least = SINKS + BLOCK + NEXT;
    if (p->n >= least)
        return 0;
    return err_set(e, ERR_FORMAT,
                   "%s: too little text: %d tokens with the sentences hidden in it; %d are needed",
                   b->o->text ? b->o->text : "calibration", p->n, least);
}

int store_new(struct store **out, struct measure *b, int i, struct err *e)
{
    const struct model_info *f = &b->m->info;
    struct page p;
    *out = NULL;
    int rc = measure_page(b, &p, i, b->tokens < TOKENS ? b->tokens : TOKENS, e);
    if (rc)
        return rc;
    rc = long_enough(b, &p, e);
    struct store *t = rc ? NULL : mem_new(1, sizeof *t, e);
    if (t) {
        t->b = b;
        t->n = p.n - NEXT;
        t->meta = (struct kvz_meta){.n_layers = (uint32_t)f->n_layers,
                                    .n_heads = (uint32_t)f->n_heads,
                                    .n_kv_heads = (uint32_t)f->n_kv_heads,
                                    .head_dim = (uint32_t)f->head_dim};
    }
    if (!rc)
        rc = t ? pool_new(&t->pool, b->m->device->threads, e) : ERR_NOMEM;
    if (!rc && !(rc = what_follows(t, &p, e)) && !(rc = new_room(t, e)) &&
        !(rc = read_text(t, &p, e)))
        rc = predict(t, e);
    page_done(&p);
    if (rc)
        store_free(t);
    else
        *out = t;
    return rc;
}
