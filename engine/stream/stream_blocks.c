// Bringing stored blocks into a stream, and telling the device what attention they received there.
#include "engine/stream/stream_impl.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "io/mem.h"
#include "kernels/pool.h"

enum { TOGETHER = 4 }; // blocks of a layer that a thread decodes side by side

// One layer of one block.
struct task {
    const struct stream_block *of;
    int layer, found; // found: the device has kept it
    struct slabs to;
    struct rows r;
    uint64_t name;
    float *kk;           // NULL, or keys and values made floats by the codec
    struct kvz_stored x; // or to be made floats by the device
};

// Blocks on their way into layers.
struct bringing {
    struct stream *s;
    enum stream_part part;
    struct task *tasks; // [n], layer by layer
    int n, n_blocks;
    pthread_mutex_t lock; // of what follows, and of the device
    int rc, failed;       // the first task that failed
    struct err err;
};

// Remembers a block that one layer was given, for stream_worth; AT -1: a block that every question
// reads.
static int remember(struct stream_layer *y, uint64_t name, int at, int n, struct err *e)
{
    int rc = MEM_GROW(y->brought, y->cap_brought, y->n_brought + 1, e);
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

// Finds where a layer of a block goes; if the device has kept it, puts it there at once.
static int place_task(const struct bringing *b, struct task *t, struct err *e)
{
    const struct model_info *f = &b->s->m->info;
    const struct device_ops *ops = b->s->d->ops;
    struct stream_layer *y = &b->s->layers[t->layer];
    const int n = (int)t->of->n_tokens, at = t->of->at;
    int rc = slabs_at(b->s, b->part, t->layer, at, n, &t->to, e);
    t->r = (struct rows){f->n_kv_heads, n, f->head_dim, t->to.cap, n};
    if (rc || !ops->recall)
        return rc;
    rc = kvz_kv_name(t->of->k, t->of->block, (uint32_t)t->layer, &t->name, e);
    if (!rc && b->part == STREAM_FAR && !at)
        forget_far(y);
    if (!rc)
        rc = remember(y, t->name, b->part == STREAM_FAR ? at : -1, n, e);
    if (!rc)
        t->found = ops->recall(b->s->d, t->name, t->to.k, &t->r) &&
                   ops->recall(b->s->d, t->name + 1, t->to.v, &t->r);
    return rc;
}

int stream_recall(struct stream *s, enum stream_part part, int layer, int at, int n, uint64_t name,
                  int *found, struct err *e)
{
    const struct device_ops *ops = s->d->ops;
    struct slabs to;
    *found = 0;
    int rc = ops->recall ? slabs_at(s, part, layer, at, n, &to, e) : 0;
    if (rc || !ops->recall)
        return rc;
    if (part == STREAM_FAR && !at)
        forget_far(&s->layers[layer]);
    if ((rc = remember(&s->layers[layer], name, part == STREAM_FAR ? at : -1, n, e)))
        return rc;
    const struct rows r = {s->m->info.n_kv_heads, n, s->m->info.head_dim, to.cap, n};
    *found = ops->recall(s->d, name, to.k, &r) && ops->recall(s->d, name + 1, to.v, &r);
    return 0;
}

int stream_keep(struct stream *s, enum stream_part part, int layer, int at, int n, uint64_t name,
                struct err *e)
{
    const struct device_ops *ops = s->d->ops;
    struct slabs at_there;
    int rc = ops->keep ? slabs_at(s, part, layer, at, n, &at_there, e) : 0;
    if (rc || !ops->keep)
        return rc;
    const struct rows r = {s->m->info.n_kv_heads, n, s->m->info.head_dim, at_there.cap, n};
    ops->keep(s->d, name, at_there.k, &r);
    ops->keep(s->d, name + 1, at_there.v, &r);
    return 0;
}

static int put_floats(const struct bringing *b, const struct task *t, struct err *e)
{
    const float *vv = t->kk + (size_t)t->r.heads * (size_t)t->r.n * (size_t)t->r.width;
    int rc = b->s->d->ops->put_rows(b->s->d, t->to.k, t->kk, &t->r, e);
    return rc ? rc : b->s->d->ops->put_rows(b->s->d, t->to.v, vv, &t->r, e);
}

// Reads the block as quantised symbols, if device and codec can do that; 1: it must be decoded
// here.
static int read_stored(const struct bringing *b, struct task *t, struct err *e)
{
    if (!b->s->d->ops->put_stored)
        return 1;
    return kvz_read_stored(t->of->k, t->of->block, (uint32_t)t->layer, &t->x, e);
}

// Where a task's floats go: to their place, or to memory of their own where the device is apart.
static int place_floats(const struct bringing *b, struct task *t, struct kvz_kv *to, struct err *e)
{
    const size_t n = (size_t)t->r.heads * (size_t)t->r.n * (size_t)t->r.width;
    *to = (struct kvz_kv){t->of->block, t->to.k, t->to.v, (uint32_t)t->r.stride};
    if (!b->s->d->is_apart)
        return 0;
    if (!(t->kk = mem_new(2 * n, sizeof *t->kk, e)))
        return ERR_NOMEM;
    *to = (struct kvz_kv){t->of->block, t->kk, t->kk + n, t->of->n_tokens};
    return 0;
}

// Reads and decodes tasks of one layer, which any thread may do at any time.
static int decode(const struct bringing *b, struct task *t, int n, struct err *e)
{
    struct kvz_kv to[TOGETHER];
    const struct kvz *k = NULL;
    int rc = 0, n_to = 0;
    for (int i = 0; i < n; i++) {
        rc = t[i].found ? 0 : read_stored(b, &t[i], e);
        if (rc < 0)
            return rc;
        if (!rc)
            continue;
        if (n_to && t[i].of->k != k) {
            if ((rc = kvz_read_kvs(k, (uint32_t)t->layer, to, (size_t)n_to, e)))
                return rc;
            n_to = 0;
        }
        k = t[i].of->k;
        if ((rc = place_floats(b, &t[i], &to[n_to++], e)))
            return rc;
    }
    return n_to ? kvz_read_kvs(k, (uint32_t)t->layer, to, (size_t)n_to, e) : 0;
}

// Tasks of the pool for each layer.
static int groups(const struct bringing *b)
{
    return (b->n_blocks + TOGETHER - 1) / TOGETHER;
}

// Decodes TOGETHER blocks of a layer, or what is left of them.
static void bring_task(void *ctx, int task, int thread)
{
    (void)thread;
    struct bringing *b = ctx;
    const int at = task % groups(b) * TOGETHER, from = task / groups(b) * b->n_blocks + at;
    const int n = b->n_blocks - at < TOGETHER ? b->n_blocks - at : TOGETHER;
    struct task *t = &b->tasks[from];
    struct err e;
    int rc = decode(b, t, n, &e);
    pthread_mutex_lock(&b->lock);
    for (int i = 0; i < n && !rc; i++)
        rc = t[i].kk ? put_floats(b, &t[i], &e) : 0;
    if (rc && (!b->rc || task < b->failed)) {
        b->rc = rc;
        b->failed = task;
        b->err = e;
    }
    pthread_mutex_unlock(&b->lock);
    for (int i = 0; i < n; i++)
        free(t[i].kk);
}

static int put_stored(struct bringing *b, struct err *e)
{
    struct stored_put *x = mem_new(2 * (size_t)b->n, sizeof *x, e);
    int n = 0;
    if (!x)
        return ERR_NOMEM;
    for (const struct task *t = b->tasks; t < b->tasks + b->n; t++)
        if (t->x.k.q) {
            x[n++] = (struct stored_put){t->x.k, t->to.k, t->r.stride};
            x[n++] = (struct stored_put){t->x.v, t->to.v, t->r.stride};
        }
    if (n)
        b->s->d->ops->put_stored(b->s->d, x, n);
    free(x);
    return 0;
}

// The error for a task whose symbols the device found damaged: decoding it here tells where.
static int damaged(const struct bringing *b, const struct task *t, struct err *e)
{
    const size_t n = (size_t)t->r.heads * (size_t)t->r.n * (size_t)t->r.width;
    float *kk = mem_new(2 * n, sizeof *kk, e);
    int rc =
        kk ? kvz_read_kv(t->of->k, t->of->block, (uint32_t)t->layer, kk, kk + n, t->of->n_tokens, e)
           : ERR_NOMEM;
    if (!rc)
        rc =
            err_set(e, ERR_DEVICE,
                    "%s: block %llu layer %d: %s finds damage where the processor finds none",
                    kvz_path(t->of->k), (unsigned long long)t->of->block, t->layer, b->s->d->label);
    free(kk);
    return rc;
}

// Has the device decode what was left to it, one index after the other.
static int put_coded(struct bringing *b, struct err *e)
{
    struct coded_put *x = mem_new((size_t)b->n, sizeof *x, e);
    const struct task **of = mem_new((size_t)b->n, sizeof *of, e);
    int bad = -1, rc = x && of ? 0 : ERR_NOMEM;
    for (int at = 0; !rc && at < b->n;) {
        int n = 0;
        for (; at < b->n; at++) {
            const struct task *t = &b->tasks[at];
            if (!t->x.coded.data)
                continue;
            if (n && t->x.coded.basis != x[0].x.basis)
                break;
            of[n] = t;
            x[n++] = (struct coded_put){t->x.coded, t->to.k, t->to.v, t->r.stride};
        }
        if (n)
            rc = b->s->d->ops->put_coded(b->s->d, x, n, &bad, e);
    }
    if (rc == ERR_FORMAT && bad >= 0)
        rc = damaged(b, of[bad], e);
    free(x);
    free(of);
    return rc;
}

// Offers the device the rows that it may keep, now that they are there.
static void keep(const struct bringing *b)
{
    struct device *d = b->s->d;
    for (const struct task *t = b->tasks; d->ops->keep && t < b->tasks + b->n; t++)
        if (!t->found) {
            d->ops->keep(d, t->name, t->to.k, &t->r);
            d->ops->keep(d, t->name + 1, t->to.v, &t->r);
        }
}

static int bring(struct bringing *b, struct err *e)
{
    int rc = 0;
    for (int i = 0; !rc && i < b->n; i++)
        rc = place_task(b, &b->tasks[i], e);
    if (rc)
        return rc;
    pool_run(b->s->pool, b->n / b->n_blocks * groups(b), bring_task, b);
    if (b->rc && e)
        *e = b->err;
    rc = b->rc;
    if (!rc && b->s->d->ops->put_stored && !(rc = put_stored(b, e)))
        rc = put_coded(b, e);
    if (!rc)
        keep(b);
    for (int i = 0; i < b->n; i++)
        free(b->tasks[i].x.room);
    return rc;
}

// How many blocks' symbols are in memory at a time: as many as fit, at least one.
static int count_together(const struct stream *s, const struct stream_block *v, int n, int n_layers)
{
    enum { MOST = 64 << 20 }; // elements
    const int64_t wide = 2 * (int64_t)n_layers * s->m->info.n_kv_heads * s->m->info.head_dim;
    int64_t all = 0;
    int count = 0;
    while (count < n && (!count || all + wide * v[count].n_tokens <= MOST))
        all += wide * v[count++].n_tokens;
    return count;
}

int stream_put_blocks(struct stream *s, enum stream_part part, int layer,
                      const struct stream_block *v, int n, struct err *e)
{
    const int n_layers = layer < 0 ? s->o.layers : 1;
    int rc = s->pool ? 0 : pool_new(&s->pool, s->d->threads, e);
    for (int some; !rc && n > 0; v += some, n -= some) {
        some = count_together(s, v, n, n_layers);
        struct bringing b = {.s = s,
                             .part = part,
                             .n = some * n_layers,
                             .n_blocks = some,
                             .lock = PTHREAD_MUTEX_INITIALIZER};
        if (!(b.tasks = mem_new((size_t)b.n, sizeof *b.tasks, e)))
            return ERR_NOMEM;
        for (int i = 0; i < b.n; i++) {
            b.tasks[i].of = &v[i % some];
            b.tasks[i].layer = layer < 0 ? i / some : layer;
        }
        rc = bring(&b, e);
        free(b.tasks);
    }
    return rc;
}

// Appends to NAMES and MASS the attention that the blocks of LAYER received: two entries a block,
// for keys and values.
static int worth_of_layer(struct stream *s, int layer, float *host, uint64_t *names, float *mass,
                          struct err *e)
{
    const struct stream_layer *y = &s->layers[layer];
    const int heads = s->m->info.n_heads, n = y->n_far;
    float most = 0;
    int rc = stream_take_far_mass(s, layer, host, e);
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
