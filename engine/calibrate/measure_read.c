// How a model answers best from the blocks it reads: from their stored keys and values, from their
// text, from both, or only from their sentences. It reads the block of a needle and those of three
// others.
#include <stdlib.h>
#include <string.h>

#include "engine/calibrate/measure.h"
#include "io/mem.h"

const float measure_sharpens[SHARPENS] = {1, 1.25f, 1.5f, 2};

enum { SINKS = MEASURE_SINKS, BLOCK = MEASURE_BLOCK, OTHERS = 3 };

// The tokens that are read, in order of the page: whole blocks of some size.
struct passage {
    int *at, n;
    int first; // at[first ..] are outside the sinks
};

static int passage_new(struct passage *a, const struct page *p, int needle, int block,
                       struct err *e)
{
    *a = (struct passage){0};
    char *in = mem_new((size_t)p->n, 1, e);
    a->at = mem_new((size_t)p->n, sizeof *a->at, e);
    if (!in || !a->at) {
        free(in);
        return ERR_NOMEM;
    }
    for (int i = 0; i <= OTHERS && i < p->h.n; i++) {
        const struct needle *v = &p->h.v[(needle + i) % p->h.n];
        int from = page_token(p, v->from) / block * block;
        int to = (page_token(p, v->to) / block + 1) * block;
        to = to < p->n ? to : p->n;
        memset(in + from, 1, (size_t)(to - from));
    }
    for (int t = p->head; t < p->n; t++)
        if (in[t])
            a->at[a->n++] = t;
    while (a->first < a->n && a->at[a->first] < SINKS)
        a->first++;
    free(in);
    return 0;
}

// Copies sinks and passage from the stream FROM, which has read the page, into S.
static int bring(struct stream *s, struct stream *from, const struct page *p,
                 const struct passage *a, struct err *e)
{
    const struct model_info *f = &s->m->info;
    size_t dim = (size_t)f->head_dim, kv = (size_t)f->n_kv_heads * (size_t)p->n * dim;
    int n = a->n - a->first, rc = 0;
    float *k = mem_new(2 * kv, sizeof *k, e), *v = k ? k + kv : NULL;
    int64_t *pos = mem_new((size_t)n, sizeof *pos, e);
    if (!k || !pos)
        rc = ERR_NOMEM;
    for (int i = 0; !rc && i < n; i++)
        pos[i] = a->at[a->first + i];
    for (int l = 0; !rc && l < f->n_layers; l++) {
        if ((rc = stream_get(from, l, 0, p->n, k, v, e)) ||
            (rc = stream_put(s, STREAM_SINKS, l, 0, SINKS, p->n, k, v, e)))
            break;
        for (int i = 0, run; !rc && i < n; i += run) {
            for (run = 1; i + run < n && pos[i + run] == pos[i] + run;)
                run++;
            size_t off = (size_t)pos[i] * dim;
            rc = stream_put(s, STREAM_FAR, l, i, run, p->n, k + off, v + off, e);
        }
        stream_set_far(s, l, n, pos);
    }
    stream_set_seen(s, STREAM_SINKS, SINKS, p->n);
    free(k);
    free(pos);
    return rc;
}

// What the model reads in this mode, up to the question and the answer's first words.
static int prompt_of(struct prompt *q, const struct page *p, const struct passage *a,
                     const struct needle *v, enum read_mode mode, const struct model *m,
                     struct err *e)
{
    int rc = read_text_only(mode) ? prompt_ids(q, p->ids, p->head, e) : 0,
        again = read_text_only(mode) || mode == READ_BOTH;
    for (int i = 0; !rc && again && i < a->n; i++)
        rc = prompt_ids(q, &p->ids[a->at[i]], 1, e);
    return rc ? rc : prompt_question(q, m, m->chat, NULL, v->question, v->prefix, e);
}

// Whether each of the N tokens of VALUE is the likeliest after those before it, so that the model
// would write exactly these. LOGITS [n][vocab].
static int says(const float *logits, size_t vocab, const uint32_t *value, int n)
{
    for (int i = 0; i < n; i++, logits += vocab)
        for (size_t t = 0; t < vocab; t++)
            if (logits[t] > logits[value[i]])
                return 0;
    return 1;
}

static int read_in(struct measure *b, struct stream *from, const struct page *p,
                   const struct passage *a, const struct needle *v, enum read_mode mode,
                   int sharpen, struct err *e)
{
    struct prompt q = {0};
    struct stream *s = NULL;
    float *logits = NULL;
    size_t vocab = (size_t)b->m->info.n_vocab;
    const uint32_t *value;
    int n = page_value(p, v, &value), cached = !read_text_only(mode);
    int rc = prompt_of(&q, p, a, v, mode, b->m, e);
    if (!rc && !(rc = prompt_ids(&q, value, n - 1, e)))
        rc = stream_new(&s, b->m,
                        &(struct stream_options){.sinks = cached ? SINKS : 0,
                                                 .window = (q.n + 1) / 2,
                                                 .chunk = q.n,
                                                 .far = cached ? a->n : 0,
                                                 .sharpen = measure_sharpens[sharpen],
                                                 .distance = MEASURE_DISTANCE},
                        e);
    if (!rc && cached)
        rc = bring(s, from, p, a, e);
    if (!rc && !(logits = mem_new((size_t)n * vocab, sizeof *logits, e)))
        rc = ERR_NOMEM;
    if (!rc && !(rc = measure_stopped(b, e)))
        rc = measure_run(b, s, q.ids, q.n, NULL, logits, n, e);
    if (!rc)
        b->right[sharpen][mode] += says(logits, vocab, value, n);
    free(logits);
    stream_free(s);
    prompt_done(&q);
    return rc;
}

int measure_reading(struct measure *b, struct stream *s, const struct page *p, int needle,
                    struct err *e)
{
    struct passage a;
    const struct needle *v = &p->h.v[needle];
    const uint32_t *value;
    if (page_value(p, v, &value) < 1 || p->n <= SINKS)
        return 0;
    int rc = 0;
    for (int i = READ_CACHED; !rc && i < N_READ_MODES; i++) {
        const enum read_mode mode = (enum read_mode)i;
        rc = passage_new(&a, p, needle, read_sentences_only(mode) ? 1 : BLOCK, e);
        for (int j = 0; !rc && j < (read_text_only(mode) ? 1 : SHARPENS); j++)
            rc = read_in(b, s, p, &a, v, mode, j, e);
        free(a.at);
    }
    b->n_read++;
    return rc;
}
