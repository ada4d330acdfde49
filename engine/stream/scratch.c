#include "engine/stream/scratch.h"

#include <stdlib.h>

#include "io/mem.h"

enum { LINE = 64 / sizeof(float) };

// Puts what X has for a pass of N tokens one behind the other, so that a short pass touches little
// memory. Returns how many floats that is. X->all NULL: counts only.
static size_t lay(struct forward_scratch *x, const struct model_info *f, int n)
{
    const int wide = f->n_heads * f->head_dim, kv = f->n_kv_heads * f->head_dim;
    const struct {
        float **p;
        int width;
    } rows[] = {
        {&x->x, f->n_embd},
        {&x->h, f->n_embd},
        {&x->q, wide},
        {&x->att, wide},
        {&x->gate, f->n_ff},
        // Not every device writes to these, and not every pass needs them.
        {&x->k, kv},
        {&x->v, kv},
        {&x->group_k, kv},
        {&x->group_v, kv},
        {&x->up, f->n_ff},
    };
    size_t at = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        *rows[i].p = x->all ? x->all + at : NULL;
        at += ((size_t)n * (size_t)rows[i].width + LINE - 1) / LINE * LINE;
    }
    return at;
}

int forward_scratch_new(struct forward_scratch **out, const struct model *m, int chunk,
                        struct err *e)
{
    struct forward_scratch *x = mem_new(1, sizeof *x, e);
    if (!x)
        return ERR_NOMEM;
    *out = x;
    x->all = m->device->ops->alloc(m->device, lay(x, &m->info, chunk) * sizeof *x->all, e);
    return x->all ? 0 : ERR_NOMEM;
}

void forward_scratch_for(struct forward_scratch *x, const struct model *m, int n)
{
    lay(x, &m->info, n);
    x->n = n;
}

void forward_scratch_free(struct forward_scratch *x, struct device *d)
{
    if (!x)
        return;
    float *all[] = {x->all, x->logits, x->self};
    d->ops->free(d, x->spans);
    d->ops->free(d, x->chosen);
    d->ops->free(d, x->favour);
    d->ops->free(d, x->mean);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        d->ops->free(d, all[i]);
    free(x->q_host);
    free(x);
}
