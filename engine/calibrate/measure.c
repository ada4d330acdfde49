#include "engine/calibrate/measure.h"

#include <stdlib.h>
#include <string.h>

#include "io/file.h"
#include "io/mem.h"

enum {
    DOCUMENTS = 3,
    TOKENS = 4096,     // of a document
    NEEDLES = 8,       // in a document
    FILLER_MIN = 4096, // bytes of a user's text
    FILLER_MAX = 64 << 20,
};

// Makes text number I, of about TOKENS tokens. Its needles depend only on I and the seed.
int measure_page(const struct measure *b, struct page *p, int i, int tokens, struct err *e)
{
    struct haystack_options o = {.seed = b->o->seed + (uint64_t)i,
                                 .bytes = (size_t)((double)tokens * b->bytes_per_token),
                                 .needles = NEEDLES};
    if (b->filler) {
        // Takes one piece after the other, and starts again at the front where the text ends.
        size_t spare = b->filler_bytes > o.bytes ? b->filler_bytes - o.bytes : 0;
        o.filler = b->filler + (spare ? (size_t)i * o.bytes % spare : 0);
        o.bytes = spare ? o.bytes : b->filler_bytes;
    }
    return page_make(p, b->m, &o, e);
}

int measure_stopped(const struct measure *b, struct err *e)
{
    if (!b->o->stop || !*b->o->stop)
        return 0;
    return err_set(e, ERR_INTERRUPTED, "stopped");
}

int measure_run(struct measure *b, struct stream *s, const uint32_t *ids, int n, float **queries,
                float *logits, int n_logits, struct err *e)
{
    b->n_tokens += (uint64_t)n;
    return forward(
        s,
        &(struct forward){
            .tokens = ids, .n = n, .queries = queries, .logits = logits, .n_logits = n_logits},
        e);
}

int measure_queries_new(const struct model *m, int n, float ***out, struct err *e)
{
    size_t layers = (size_t)m->info.n_layers, wide = (size_t)(m->info.n_heads * m->info.head_dim);
    float *all = mem_new(layers * (size_t)n * wide, sizeof *all, e);
    if (!all || !(*out = mem_new(layers, sizeof **out, e))) {
        free(all);
        return ERR_NOMEM;
    }
    for (size_t l = 0; l < layers; l++)
        (*out)[l] = all + l * (size_t)n * wide;
    return 0;
}

void measure_queries_free(float **q)
{
    if (q)
        free(q[0]);
    free(q);
}

// Measures how many bytes of the filler a token stands for, on its beginning.
static int density(struct measure *b, struct err *e)
{
    enum { SAMPLE = 4096 };
    struct page p;
    struct haystack_options o = {.seed = b->o->seed, .bytes = SAMPLE, .needles = 1};
    if (b->filler) {
        o.filler = b->filler;
        o.bytes = b->filler_bytes < SAMPLE ? b->filler_bytes : SAMPLE;
    }
    int rc = page_make(&p, b->m, &o, e);
    if (rc)
        return rc;
    b->bytes_per_token = (double)p.h.bytes / (double)(p.n - p.head);
    page_done(&p);
    return 0;
}

int measure_text(const char *path, char **text, size_t *bytes, struct err *e)
{
    int rc = file_slurp(path, FILLER_MAX, text, bytes, e);
    if (!rc && *bytes < FILLER_MIN) {
        rc = err_set(e, ERR_FORMAT, "%s: %zu byte%s too few to hide sentences in; %d are needed",
                     path, *bytes, *bytes == 1 ? " is" : "s are", FILLER_MIN);
        free(*text);
        *text = NULL;
    }
    return rc;
}

int measure_new(struct measure **out, struct model *m, const struct calibrate_options *o,
                struct err *e)
{
    *out = NULL;
    struct measure *b = mem_new(1, sizeof *b, e);
    if (!b)
        return ERR_NOMEM;
    b->m = m;
    b->o = o;
    b->n_heads = m->info.n_layers * m->info.n_heads;
    b->documents = o->documents ? o->documents : DOCUMENTS;
    b->tokens = o->tokens ? o->tokens : TOKENS;
    int rc = 0;
    if (!(b->copies = mem_new((size_t)b->n_heads, sizeof *b->copies, e)))
        rc = ERR_NOMEM;
    if (!rc && o->text)
        rc = measure_text(o->text, &b->filler, &b->filler_bytes, e);
    if (!rc)
        rc = density(b, e);
    if (rc) {
        measure_free(b);
        return rc;
    }
    *out = b;
    return 0;
}

void measure_free(struct measure *b)
{
    if (!b)
        return;
    for (int i = 0; i < b->n_q; i++)
        free(b->q[i].z);
    free(b->q);
    free(b->copies);
    free(b->filler);
    free(b);
}
