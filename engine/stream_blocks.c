// Stored blocks on their way into a stream, and what they were worth there.
#include "engine/stream_impl.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "io/mem.h"
#include "kernels/pool.h"

// A block on its way into layers, one task each.
struct bringing {
    struct stream *s;
    enum stream_part part;
    int first_layer, at;
    const struct kvz *k;
    uint64_t block;
    uint32_t n_tokens;
    pthread_mutex_t lock; // of what follows, and of the device
    int rc, failed;       // the first layer that failed, counted from first_layer
    struct err err;
    struct coded_layers *coded; // [tasks] that the device decodes, all at once when the others are there
    int n_coded;
};

struct coded_layers {
    struct coded_put put;
    struct rows r;
    uint64_t name;
    int layer;
};

// What one layer was given, for its worth; a block that every question reads is AT nowhere, -1.
static int remember(struct stream_layer *y, uint64_t name, int at, int n, struct err *e)
{
    void *p = y->brought;
    int rc = mem_grow(&p, &y->cap_brought, y->n_brought + 1, sizeof *y->brought, e);
    y->brought = p;
    if (!rc)
        y->brought[y->n_brought++] = (struct brought){name, at, n};
    return rc;
}

static void forget_far(struct stream_layer *y)
{
    size_t n = 0;
    for (size_t i = 0; i < y->n_brought; i++)
        if (y->brought[i].at < 0)
            y->brought[n++] = y->brought[i];
    y->n_brought = n;
}

// Whether the device has kept what layer LAYER of the block is; NAME is what it is called.
static int recall(const struct bringing *b, int layer, const struct slabs *to, const struct rows *r,
                  uint64_t *name, int *found, struct err *e)
{
    const struct device_ops *ops = b->s->d->ops;
    *found = 0;
    if (!ops->recall)
        return 0;
    struct stream_layer *y = &b->s->layers[layer];
    int rc = kvz_kv_name(b->k, b->block, (uint32_t)layer, name, e);
    if (!rc && b->part == STREAM_FAR && !b->at)
        forget_far(y);
    if (!rc)
        rc = remember(y, *name, b->part == STREAM_FAR ? b->at : -1, r->n, e);
    if (!rc)
        *found = ops->recall(b->s->d, *name, to->k, r) && ops->recall(b->s->d, *name + 1, to->v, r);
    return rc;
}

static void keep(const struct bringing *b, float *k, float *v, const struct rows *r, uint64_t name)
{
    struct device *d = b->s->d;
    if (d->ops->keep) {
        d->ops->keep(d, name, k, r);
        d->ops->keep(d, name + 1, v, r);
    }
}

// A layer's keys and values, made floats by the codec (KK) or to be made floats by the device (X).
static int put(struct bringing *b, int layer, const struct slabs *to, const struct rows *r, uint64_t name,
               const float *kk, const struct kvz_stored *x, struct err *e)
{
    struct device *d = b->s->d;
    int rc = 0;
    if (x->coded.data) {
        b->coded[b->n_coded++] = (struct coded_layers){{x->coded, to->k, to->v, r->stride}, *r, name, layer};
        return 0;
    }
    if (!kk) {
        d->ops->put_stored(d, to->k, r->stride, &x->k);
        d->ops->put_stored(d, to->v, r->stride, &x->v);
    } else {
        const float *vv = kk + (size_t)r->heads * (size_t)r->n * (size_t)r->width;
        rc = d->ops->put_rows(d, to->k, kk, r, e);
        rc = rc ? rc : d->ops->put_rows(d, to->v, vv, r, e);
    }
    if (!rc)
        keep(b, to->k, to->v, r, name);
    return rc;
}

static int by_layer(const void *a, const void *b)
{
    return ((const struct coded_layers *)a)->layer - ((const struct coded_layers *)b)->layer;
}

// The device decodes what was left to it, in whatever order threads came to it. Of the first damaged layer the
// processor says where it is.
static int put_coded(struct bringing *b, struct err *e)
{
    struct device *d = b->s->d;
    struct coded_put *x = mem_new((size_t)b->n_coded, sizeof *x, e);
    int bad = -1, rc = x ? 0 : ERR_NOMEM;
    qsort(b->coded, (size_t)b->n_coded, sizeof *b->coded, by_layer);
    for (int i = 0; !rc && i < b->n_coded; i++)
        x[i] = b->coded[i].put;
    if (!rc)
        rc = d->ops->put_coded(d, x, b->n_coded, &bad, e);
    for (int i = 0; !rc && i < b->n_coded; i++)
        keep(b, x[i].k, x[i].v, &b->coded[i].r, b->coded[i].name);
    if (rc == ERR_FORMAT && bad >= 0) {
        const struct coded_layers *y = &b->coded[bad];
        size_t n = (size_t)y->r.heads * (size_t)y->r.n * (size_t)y->r.width;
        float *kk = mem_new(2 * n, sizeof *kk, e);
        rc = kk ? kvz_read_kv(b->k, b->block, (uint32_t)y->layer, kk, kk + n, b->n_tokens, e) : ERR_NOMEM;
        if (!rc)
            rc = err_set(e, ERR_DEVICE, "%s: block %llu layer %d: %s finds damage where the processor finds none",
                         b->s->m->info.path, (unsigned long long)b->block, y->layer, d->label);
        free(kk);
    }
    free(x);
    return rc;
}

// Reads and decodes, which any thread may do at any time.
static int decode(const struct bringing *b, int layer, size_t n, float **kk, struct kvz_stored *x,
                  struct err *e)
{
    int rc = 1;
    if (b->s->d->ops->put_stored)
        rc = kvz_read_stored(b->k, b->block, (uint32_t)layer, x, e);
    if (rc != 1)
        return rc;
    if (!(*kk = mem_new(2 * n, sizeof **kk, e)))
        return ERR_NOMEM;
    return kvz_read_kv(b->k, b->block, (uint32_t)layer, *kk, *kk + n, b->n_tokens, e);
}

static void bring_task(void *ctx, int task, int thread)
{
    (void)thread;
    struct bringing *b = ctx;
    const struct model_info *f = &b->s->m->info;
    size_t n = (size_t)f->n_kv_heads * b->n_tokens * (size_t)f->head_dim;
    int layer = b->first_layer + task, tokens = (int)b->n_tokens, found = 0;
    struct rows r = {f->n_kv_heads, tokens, f->head_dim, 0, tokens};
    struct err e;
    float *kk = NULL;
    struct kvz_stored x = {0};
    struct slabs to;
    uint64_t name = 0;
    pthread_mutex_lock(&b->lock);
    int rc = slabs_at(b->s, b->part, layer, b->at, tokens, &to, &e);
    r.stride = to.cap;
    if (!rc)
        rc = recall(b, layer, &to, &r, &name, &found, &e);
    pthread_mutex_unlock(&b->lock);
    if (!rc && !found)
        rc = decode(b, layer, n, &kk, &x, &e);
    pthread_mutex_lock(&b->lock);
    if (!rc && !found)
        rc = put(b, layer, &to, &r, name, kk, &x, &e);
    if (rc && (!b->rc || task < b->failed)) {
        b->rc = rc;
        b->failed = task;
        b->err = e;
    }
    pthread_mutex_unlock(&b->lock);
    free(x.room);
    free(kk);
}

int stream_put_block(struct stream *s, enum stream_part part, int layer, int at,
                     const struct kvz *k, uint64_t block, uint32_t n_tokens, struct err *e)
{
    struct bringing b = {.s = s, .part = part, .first_layer = layer < 0 ? 0 : layer, .at = at, .k = k,
                         .block = block, .n_tokens = n_tokens, .lock = PTHREAD_MUTEX_INITIALIZER};
    const int n = layer < 0 ? s->m->info.n_layers : 1;
    int rc = s->pool ? 0 : pool_new(&s->pool, s->d->threads, e);
    if (!rc && !(b.coded = mem_new((size_t)n, sizeof *b.coded, e)))
        rc = ERR_NOMEM;
    if (rc)
        return rc;
    pool_run(s->pool, n, bring_task, &b);
    rc = b.rc;
    if (rc && e)
        *e = b.err;
    if (!rc && b.n_coded)
        rc = put_coded(&b, e);
    free(b.coded);
    return rc;
}

// What the blocks of layer LAYER received, behind what NAMES and MASS have: 2 for each, keys and values.
static int worth_of_layer(struct stream *s, int layer, float *host, uint64_t *names, float *mass,
                          struct err *e)
{
    const struct stream_layer *y = &s->layers[layer];
    const int heads = s->m->info.n_heads, n = y->n_far;
    float most = 0;
    const struct row_copy c = rows_of(y->far_mass, heads, s->o.far, 1, 0, n, host);
    int rc = s->d->ops->get_rows(s->d, &c, 1, e);
    for (size_t i = 0; !rc && i < y->n_brought; i++) {
        const struct brought *x = &y->brought[i];
        float sum = 0;
        for (int h = 0; h < heads && x->at >= 0; h++)
            for (int t = x->at; t < x->at + x->n && t < n; t++)
                sum += host[(size_t)h * (size_t)n + (size_t)t];
        most = sum > most ? sum : most;
        for (int is_v = 0; is_v < 2; is_v++) {
            names[2 * i + (size_t)is_v] = x->name + (uint64_t)is_v;
            mass[2 * i + (size_t)is_v] = sum;
        }
    }
    for (size_t i = 0; !rc && i < y->n_brought; i++) // what every question reads is worth most
        if (y->brought[i].at < 0)
            mass[2 * i] = mass[2 * i + 1] = most + 1;
    return rc;
}

int stream_worth(struct stream *s, struct err *e)
{
    size_t n = 0, at = 0;
    if (!s->d->ops->worth)
        return 0;
    for (int i = 0; i < s->m->info.n_layers; i++)
        n += 2 * s->layers[i].n_brought;
    uint64_t *names = mem_new(n, sizeof *names, e);
    float *mass = mem_new(n, sizeof *mass, e);
    float *host = mem_new((size_t)s->m->info.n_heads * (size_t)s->o.far, sizeof *host, e);
    int rc = names && mass && host ? 0 : ERR_NOMEM;
    for (int i = 0; !rc && i < s->m->info.n_layers; at += 2 * s->layers[i++].n_brought)
        rc = worth_of_layer(s, i, host, names + at, mass + at, e);
    if (!rc)
        s->d->ops->worth(s->d, names, mass, (int)n);
    free(names);
    free(mass);
    free(host);
    return rc;
}
