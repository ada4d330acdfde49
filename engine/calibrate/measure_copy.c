// Which heads look at what the model copies (Wu et al., arXiv:2404.15574, section 2).
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/calibrate/measure.h"
#include "io/mem.h"

enum {
    TOKENS = 640, // of the text that needles are copied from, all in sight
    CHUNK = 512,
};

int measure_copies(const float *qk, int stride, int n_steps, const int *seen, const uint32_t *ids,
                   int needle_from, int needle_to, const uint32_t *copied)
{
    int count = 0;
    for (int i = 0; i < n_steps; i++) {
        const float *row = qk + (size_t)i * (size_t)stride;
        int top = 0;
        for (int j = 1; j < seen[i]; j++)
            top = row[j] > row[top] ? j : top;
        count += top >= needle_from && top < needle_to && ids[top] == copied[i];
    }
    return count;
}

// A needle that is being copied: the tokens in sight, and the steps at which the model copies.
struct copying {
    const struct model *m;
    struct stream *s;
    uint32_t *ids;        // [n] everything in sight: text, question, first words, answer
    int n, first;         // first: where the question begins among them
    int from, to;         // the needle's tokens, end exclusive
    int *position, *seen; // [n_steps] the token whose query is used; how many tokens it sees
    uint32_t *next;       // [n_steps] the next token
    int n_steps;
    float *k, *v, *qk; // keys of a layer, rotated [n_kv_heads][n][head_dim]; [n_steps][n]
};

static void copying_done(struct copying *c)
{
    free(c->ids);
    free(c->position);
    free(c->seen);
    free(c->next);
    free(c->k);
    free(c->v);
    free(c->qk);
}

static uint32_t best_token(const float *logits, int n)
{
    int best = 0;
    for (int i = 1; i < n; i++)
        best = logits[i] > logits[best] ? i : best;
    return (uint32_t)best;
}

// Counts how often each head of one layer copies; adds to COPIES [n_heads].
static int copy_layer(struct copying *c, int layer, const float *queries, int *copies,
                      struct err *e)
{
    const struct model_info *f = &c->m->info;
    size_t dim = (size_t)f->head_dim, n = (size_t)c->n;
    int rc = stream_get(c->s, layer, 0, c->n, c->k, c->v, e), group = f->n_heads / f->n_kv_heads;
    if (rc)
        return rc;
    for (int h = 0; h < f->n_kv_heads; h++)
        for (int t = 0; t < c->n; t++)
            model_rotate(c->m, layer, c->s->o.reach, t, c->k + ((size_t)h * n + (size_t)t) * dim);
    for (int h = 0; h < f->n_heads; h++) {
        const float *k = c->k + (size_t)(h / group) * n * dim;
        for (int i = 0; i < c->n_steps; i++) {
            float q[512]; // the largest head_dim that a model file may have
            size_t at = (size_t)(c->position[i] - c->first) * (size_t)f->n_heads + (size_t)h;
            memcpy(q, queries + at * dim, dim * sizeof *q);
            model_rotate(c->m, layer, c->s->o.reach, c->position[i], q);
            for (int t = 0; t < c->seen[i]; t++) {
                float sum = 0;
                for (size_t d = 0; d < dim; d++)
                    sum += q[d] * k[(size_t)t * dim + d];
                c->qk[(size_t)i * n + (size_t)t] = sum;
            }
        }
        copies[h] +=
            measure_copies(c->qk, c->n, c->n_steps, c->seen, c->ids, c->from, c->to, c->next);
    }
    return 0;
}

// Puts together what is in sight once the N_VALUE tokens of the needle's answer have been written
// after ASK.
static int copying_new(struct copying *c, const struct page *p, const struct prompt *ask,
                       const uint32_t *value, int n_value, struct err *e)
{
    const struct model_info *f = &c->m->info;
    size_t steps = (size_t)n_value;
    c->first = p->n;
    c->n = p->n + ask->n + n_value - 1;
    size_t n = (size_t)c->n, kv = n * (size_t)(f->n_kv_heads * f->head_dim);
    if (!(c->ids = mem_new(n, sizeof *c->ids, e)) ||
        !(c->position = mem_new(steps, sizeof *c->position, e)) ||
        !(c->seen = mem_new(steps, sizeof *c->seen, e)) ||
        !(c->next = mem_new(steps, sizeof *c->next, e)) ||
        !(c->k = mem_new(kv, sizeof(float), e)) || !(c->v = mem_new(kv, sizeof(float), e)) ||
        !(c->qk = mem_new(steps * n, sizeof(float), e)))
        return ERR_NOMEM;
    memcpy(c->ids, p->ids, (size_t)p->n * sizeof *c->ids);
    memcpy(c->ids + p->n, ask->ids, (size_t)ask->n * sizeof *c->ids);
    memcpy(c->ids + p->n + ask->n, value, (steps - 1) * sizeof *c->ids);
    return 0;
}

// Finds the steps at which the model itself would write the needle's next token; at others nothing
// is copied. LOGITS [n_value][n_vocab].
static void find_steps(struct copying *c, const float *logits, const uint32_t *value, int n_value)
{
    size_t vocab = (size_t)c->m->info.n_vocab;
    for (int i = 0; i < n_value; i++) {
        if (best_token(logits + (size_t)i * vocab, (int)vocab) != value[i])
            continue;
        c->position[c->n_steps] = c->n - n_value + i;
        c->seen[c->n_steps] = c->n - n_value + i + 1;
        c->next[c->n_steps++] = value[i];
    }
}

static int copy(struct measure *b, struct stream *s, const struct page *p, const struct needle *v,
                struct err *e)
{
    const struct model_info *f = &b->m->info;
    struct prompt ask = {0};
    struct copying c = {
        .m = b->m, .s = s, .from = page_token(p, v->from), .to = page_token(p, v->to)};
    float **queries = NULL, *logits = NULL;
    const uint32_t *value;
    int n_value = page_value(p, v, &value), rc;
    if (n_value < 1)
        return 0;
    if ((rc = measure_stopped(b, e)) ||
        (rc = prompt_question(&ask, b->m, b->m->chat, NULL, v->question, v->prefix, e)))
        return rc;
    int n = ask.n + n_value - 1;
    if (n > CHUNK)
        rc = err_set(e, ERR_UNSUPPORTED, "a question of %d tokens", n);
    else if (!(rc = copying_new(&c, p, &ask, value, n_value, e)) &&
             !(rc = measure_queries_new(b->m, n, &queries, e)) &&
             !(logits = mem_new((size_t)n_value * (size_t)f->n_vocab, sizeof *logits, e)))
        rc = ERR_NOMEM;
    if (!rc && !(rc = measure_run(b, s, c.ids + p->n, n, queries, logits, n_value, e))) {
        find_steps(&c, logits, value, n_value);
        for (int l = 0; !rc && c.n_steps && l < f->n_layers; l++)
            rc = copy_layer(&c, l, queries[l], b->copies + l * f->n_heads, e);
        stream_rewind(s, n);
        b->n_copied += c.n_steps;
        b->n_steps += n_value;
    }
    copying_done(&c);
    measure_queries_free(queries);
    free(logits);
    prompt_done(&ask);
    return rc;
}

int measure_copying(struct measure *b, int i, struct err *e)
{
    struct page p;
    struct stream *s = NULL;
    int rc = measure_page(b, &p, i, TOKENS, e);
    if (rc)
        return rc;
    rc = stream_new(&s, b->m,
                    &(struct stream_options){.window = (p.n + CHUNK) / 2 + 1, .chunk = CHUNK}, e);
    for (int done = 0; !rc && done < p.n;) {
        int n = p.n - done < CHUNK ? p.n - done : CHUNK;
        rc = measure_run(b, s, p.ids + done, n, NULL, NULL, 0, e);
        done += n;
    }
    for (int j = 0; !rc && j < p.h.n; j++)
        if (!(rc = copy(b, s, &p, &p.h.v[j], e)) && b->n_copied)
            rc = measure_reading(b, s, &p, j, e);
    stream_free(s);
    page_done(&p);
    return rc;
}
