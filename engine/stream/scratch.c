#include "engine/stream/scratch.h"

#include <stdlib.h>

#include "io/mem.h"

int forward_scratch_new(struct forward_scratch **out, const struct model *m, int chunk,
                        struct err *e)
{
    const struct model_info *f = &m->info;
    struct forward_scratch *x = mem_new(1, sizeof *x, e);
    if (!x)
        return ERR_NOMEM;
    *out = x;
    const struct {
        float **p;
        int width;
    } rows[] = {
        {&x->x, f->n_embd},
        {&x->h, f->n_embd},
        {&x->q, f->n_heads * f->head_dim},
        {&x->att, f->n_heads * f->head_dim},
        {&x->k, f->n_kv_heads * f->head_dim},
        {&x->v, f->n_kv_heads * f->head_dim},
        {&x->gate, f->n_ff}, // last: not every device writes to them
        {&x->up, f->n_ff},
    };
    enum { LINE = 64 / sizeof(float) };
    size_t at[sizeof rows / sizeof *rows], n = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        at[i] = n;
        n += ((size_t)chunk * (size_t)rows[i].width + LINE - 1) / LINE * LINE;
    }
    if (!(x->all = m->device->ops->alloc(m->device, n * sizeof *x->all, e)))
        return ERR_NOMEM;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        *rows[i].p = x->all + at[i];
    size_t wide = (size_t)(f->n_heads * f->head_dim);
    x->q_host = mem_new((size_t)chunk * wide, sizeof *x->q_host, e);
    return x->q_host ? 0 : ERR_NOMEM;
}

void forward_scratch_free(struct forward_scratch *x, struct device *d)
{
    if (!x)
        return;
    float *all[] = {x->all, x->group_k, x->group_v, x->logits, x->self};
    d->ops->free(d, x->spans);
    d->ops->free(d, x->chosen);
    d->ops->free(d, x->favour);
    d->ops->free(d, x->mean);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        d->ops->free(d, all[i]);
    free(x->q_host);
    free(x);
}
