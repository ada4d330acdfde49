// The cascading window (Cascading KV cache, section 3.2) while encoding.
#include "engine/encode/encode.h"

#include <stdlib.h>

#include "io/mem.h"

int cascade_bring(struct encoder *x, struct err *e)
{
    struct keep *c = x->cascade;
    const struct model_info *f = &x->m->info;
    int n = c->c->held;
    size_t row = (size_t)n * (size_t)(f->n_kv_heads * f->head_dim);
    float *kv = mem_new(2 * row, sizeof *kv, e);
    // Each head has tokens of its own; what all have in common is their order.
    int64_t *pos = mem_new((size_t)n, sizeof *pos, e);
    int rc = kv && pos ? 0 : ERR_NOMEM;
    for (int i = 0; !rc && i < n; i++)
        pos[i] = x->s->n_sinks + i;
    for (int l = 0; !rc && l < f->n_layers; l++) {
        keep_rows(c, l, kv, kv + row);
        if (!(rc = stream_put(x->s, STREAM_FAR, l, 0, n, n, kv, kv + row, e)))
            stream_set_far(x->s, l, n, pos);
    }
    free(kv);
    free(pos);
    return rc;
}

int cascade_score_up(struct encoder *x, struct err *e)
{
    size_t n = (size_t)x->cascade->c->held * (size_t)x->m->info.n_heads;
    float *mass = mem_new(n, sizeof *mass, e);
    int rc = mass ? 0 : ERR_NOMEM;
    for (int l = 0; !rc && l < x->m->info.n_layers; l++)
        if (!(rc = stream_take_far_mass(x->s, l, mass, e)))
            keep_attend(x->cascade, l, mass);
    free(mass);
    return rc;
}
