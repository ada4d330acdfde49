// Which blocks each head would choose: the needles are far from the question, as in an index.
#include <stdlib.h>

#include "engine/calibrate/measure.h"
#include "engine/method/probe.h"
#include "engine/method/score.h"
#include "io/mem.h"

enum {
    SINKS = MEASURE_SINKS,
    WINDOW = 1024,
    TAIL = 128,
    BLOCK = MEASURE_BLOCK,
    CHUNK = MEASURE_REACH - WINDOW
};

// ------------------------------------------------------------- keys as the index would keep them

void measure_keys_done(struct measure_keys *y, const struct model_info *f)
{
    for (int i = 0; i < f->n_layers * f->n_kv_heads; i++) {
        free(y->vectors ? y->vectors[i] : NULL);
        free(y->scale ? y->scale[i] : NULL);
    }
    free(y->vectors);
    free(y->scale);
    free(y->start);
    free(y->token);
    free(y->k);
    free(y->v);
}

int measure_keys_init(struct measure_keys *y, const struct model_info *f, int cap, struct err *e)
{
    size_t runs = (size_t)(f->n_layers * f->n_kv_heads), n = (size_t)cap, dim = (size_t)f->head_dim;
    size_t kv = (size_t)f->n_kv_heads * CHUNK * dim;
    *y = (struct measure_keys){.cap = cap};
    if (!(y->vectors = mem_new(runs, sizeof *y->vectors, e)) ||
        !(y->scale = mem_new(runs, sizeof *y->scale, e)) ||
        !(y->start = mem_new(n / BLOCK + 2, sizeof *y->start, e)) ||
        !(y->token = mem_new(n, 1, e)) || !(y->k = mem_new(kv, sizeof(float), e)) ||
        !(y->v = mem_new(kv, sizeof(float), e)))
        return ERR_NOMEM;
    for (size_t i = 0; i < runs; i++)
        if (!(y->vectors[i] = mem_new(n * dim, 1, e)) ||
            !(y->scale[i] = mem_new(n, sizeof(float), e)))
            return ERR_NOMEM;
    for (size_t i = 0; i < n; i++)
        y->token[i] = (uint8_t)(i % BLOCK);
    for (size_t i = 0; i <= n / BLOCK + 1; i++)
        y->start[i] = i * BLOCK < n ? i * BLOCK : n;
    return 0;
}

// Appends the keys of the last N tokens of the stream.
static int keys_take(struct measure_keys *y, struct stream *s, int n, struct err *e)
{
    const struct model_info *f = &s->m->info;
    size_t dim = (size_t)f->head_dim;
    for (int l = 0; l < f->n_layers; l++) {
        int rc = stream_get(s, l, s->n_local - n, n, y->k, y->v, e);
        if (rc)
            return rc;
        for (int h = 0; h < f->n_kv_heads; h++)
            for (int t = 0; t < n; t++) {
                int run = l * f->n_kv_heads + h, at = y->n + t;
                score_bytes(y->k + ((size_t)h * (size_t)n + (size_t)t) * dim, dim,
                            y->vectors[run] + (size_t)at * dim, y->scale[run] + at);
            }
    }
    y->n += n;
    return 0;
}

// -------------------------------------------------------------------- asking every head for blocks

int measure_rank(const float *z, int n, int from, int to)
{
    float best = z[from];
    int rank = 1;
    for (int i = from; i < to; i++)
        best = z[i] > best ? z[i] : best;
    for (int i = 0; i < n; i++)
        rank += z[i] > best;
    return rank;
}

int measure_read_page(struct measure *b, const struct page *p, struct stream *s,
                      struct measure_keys *y, float *const *self, struct err *e)
{
    int n_layers = b->m->info.n_layers, rc = 0;
    float **at = mem_new((size_t)n_layers, sizeof *at, e);
    if (!at)
        return ERR_NOMEM;
    for (int done = 0; !rc && done < p->n;) {
        int n = p->n - done < CHUNK ? p->n - done : CHUNK;
        for (int l = 0; self && l < n_layers; l++)
            at[l] = self[l] + (size_t)done * BLOCK;
        if ((rc = measure_stopped(b, e)) ||
            (rc = forward(s,
                          &(struct forward){.tokens = p->ids + done,
                                            .n = n,
                                            .self = self ? at : NULL,
                                            .self_block = BLOCK},
                          e)))
            break;
        b->n_tokens += (uint64_t)n;
        done += n;
        rc = keys_take(y, s, n, e);
        int keep = done < p->n ? WINDOW : TAIL;
        while (!rc && s->n_local - BLOCK >= keep)
            rc = stream_evict(s, BLOCK, s->n_sinks < SINKS, e);
    }
    free(at);
    return rc;
}

int measure_stream_new(struct stream **s, const struct model *m, struct err *e)
{
    return stream_new(
        s, m, &(struct stream_options){.sinks = SINKS, .window = WINDOW, .chunk = CHUNK}, e);
}

// The score that each head gives to each block: as in SELECT_VOTE, the log of the block's softmax
// mass.
static int opinion(const struct measure *b, const struct measure_keys *y, uint32_t skip,
                   float *const *queries, int from, int n_q, struct opinions *o, struct err *e)
{
    const struct model *m = b->m;
    const struct model_info *f = &m->info;
    int group = f->n_heads / f->n_kv_heads, rc = 0;
    size_t wide = (size_t)(f->n_heads * f->head_dim), dim = (size_t)f->head_dim;
    float *q = mem_new(PROBE_ROOM(n_q, dim), sizeof *q, e);
    float *rows = mem_new((size_t)o->n_blocks * (size_t)n_q, sizeof *rows, e);
    if (!q || !rows)
        rc = ERR_NOMEM;
    for (int i = 0; !rc && i < b->n_heads; i++) {
        int layer = i / f->n_heads, head = i % f->n_heads,
            kv = layer * f->n_kv_heads + head / group;
        struct score_keys k = {y->vectors[kv], y->scale[kv], y->start, y->token,
                               o->n_blocks,    skip,         0};
        int n = probe_vectors(PROBE_TOKENS, queries[layer] + (size_t)from * wide, n_q, f->n_heads,
                              f->head_dim, head, q);
        for (int t = 0; t < n; t++)
            model_rotate(m, layer, MEASURE_REACH, MEASURE_DISTANCE, q + (size_t)t * dim);
        rc = score_blocks(m, &k, 0, REDUCE_LSE, q, n, rows, o->n_blocks, e);
        float *z = o->z + (size_t)i * (size_t)o->n_blocks;
        if (!rc) {
            score_reduce(REDUCE_LSE, rows, n, o->n_blocks, z);
            score_standardize(z, o->n_blocks);
        }
    }
    free(q);
    free(rows);
    return rc;
}

int measure_question(struct measure *b, struct stream *s, const struct needle *v, int paraphrased,
                     float ***queries, int *from, int *n, struct err *e)
{
    struct prompt ask = {0};
    const char *question = paraphrased ? v->paraphrase : v->question;
    int rc = prompt_question(&ask, b->m, b->m->chat, NULL, question, NULL, e);
    *queries = NULL;
    if (!rc && !(rc = measure_queries_new(b->m, ask.question_to, queries, e)) &&
        !(rc = measure_run(b, s, ask.ids, ask.question_to, *queries, NULL, 0, e)))
        stream_rewind(s, ask.question_to);
    *from = ask.question_from;
    *n = ask.question_to - ask.question_from;
    prompt_done(&ask);
    return rc;
}

static int ask_all(struct measure *b, struct stream *s, const struct measure_keys *y,
                   const struct page *p, int needle, int paraphrased, struct err *e)
{
    const struct needle *v = &p->h.v[needle];
    float **queries = NULL;
    int from, n;
    size_t cap = (size_t)b->cap_q;
    int rc = MEM_GROW(b->q, cap, (size_t)b->n_q + 1, e);
    b->cap_q = (int)cap;
    if (rc || (rc = measure_stopped(b, e)))
        return rc;
    struct opinions *o = &b->q[b->n_q++];
    *o = (struct opinions){.n_heads = b->n_heads,
                           .n_blocks = (y->n + BLOCK - 1) / BLOCK,
                           .from = page_token(p, v->from) / BLOCK,
                           .to = page_token(p, v->to) / BLOCK + 1,
                           .document = b->n_documents,
                           .needle = needle,
                           .paraphrased = paraphrased};
    if (!(o->z = mem_new((size_t)o->n_heads * (size_t)o->n_blocks, sizeof *o->z, e)))
        return ERR_NOMEM;
    if (!(rc = measure_question(b, s, v, paraphrased, &queries, &from, &n, e)))
        rc = opinion(b, y, (uint32_t)p->head + 1, queries, from, n, o, e);
    measure_queries_free(queries);
    return rc;
}

int measure_asking(struct measure *b, int i, struct err *e)
{
    struct page p;
    struct measure_keys y = {0};
    struct stream *s = NULL;
    int rc = measure_page(b, &p, i, b->tokens, e);
    if (rc)
        return rc;
    if (!(rc = measure_keys_init(&y, &b->m->info, p.n, e)) &&
        !(rc = measure_stream_new(&s, b->m, e)))
        rc = measure_read_page(b, &p, s, &y, NULL, e);
    for (int j = 0; !rc && j < p.h.n; j++)
        for (int paraphrased = 0; !rc && paraphrased < 2; paraphrased++)
            rc = ask_all(b, s, &y, &p, j, paraphrased, e);
    stream_free(s);
    measure_keys_done(&y, &b->m->info);
    page_done(&p);
    return rc;
}
