// Where the retrieval heads look while the answer is written.
#include <stdlib.h>

#include "engine/answer/attention.h"
#include "io/mem.h"

int attention_add(struct attention *l, int64_t global, int from, int n, struct err *e)
{
    int rc = MEM_GROW(l->v, l->cap, l->n + 1, e);
    if (!rc)
        l->v[l->n++] = (struct attended){.global = global, .from = from, .n = n};
    return rc;
}

int attention_watch(struct stream *s, struct err *e)
{
    const struct heads *h = s->m->heads;
    int rc = 0;
    for (int i = 0; !rc && h && i < h->n; i++)
        rc = stream_watch(s, h->v[i].layer, e);
    return rc;
}

int attention_count(struct attention *l, struct stream *s, int from, struct err *e)
{
    const struct heads *h = s->m->heads;
    const size_t n = (size_t)(s->n_local - from);
    float *mass = mem_new(n * (size_t)s->m->info.n_heads, sizeof *mass, e);
    int rc = mass ? 0 : ERR_NOMEM;
    for (int i = 0; !rc && h && i < h->n; i++) {
        const float *own = mass + (size_t)h->v[i].head * n;
        rc = stream_get_mass(s, h->v[i].layer, from, (int)n, mass, e);
        for (size_t j = 0; !rc && j < l->n; j++)
            for (int t = l->v[j].from; t < l->v[j].from + l->v[j].n; t++)
                l->v[j].mass += (double)(h->v[i].weight * own[t]);
    }
    free(mass);
    return rc;
}

void attention_as_chosen(struct attention *l)
{
    for (size_t i = 0; i < l->n; i++)
        l->v[i].mass = (double)(1 + i);
}
