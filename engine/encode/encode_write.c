// Writing blocks to the file. What a block is made of is copied to plain memory at once, unless it
// is there. On a device that computes beside the processor (device.is_apart) a thread does the
// rest, in the order of the blocks, while the next chunk is computed; else it is done on the spot.
#include "engine/encode/encode.h"

#include <pthread.h>
#include <stdlib.h>

#include "io/mem.h"

// What a block is made of: [n_layers] -> K and V [n_kv_heads][stride][head_dim], masses
// [n_heads][n], and their sums over the heads [n].
struct room {
    struct item item;
    float **k, **v, **head_mass, **mass;
    float *rows, *masses; // what they point to; ROWS is NULL where K and V are the stream's own
    int stride;
};

struct block_writer {
    struct encoder *x;
    struct room *rooms; // [cap], blocks first, first + 1, ... of them wait, in a ring
    int cap, first, n;
    int runs, stops; // the thread
    int rc;          // the first error, as ERR says
    struct err err;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
};

static const size_t MOST_BYTES = (size_t)1 << 30; // that may wait

static void room_done(struct room *r)
{
    free(r->k);
    free(r->rows);
    free(r->masses);
    queue_item_done(&r->item);
}

static int room_new(const struct encoder *x, struct room *r, struct err *e)
{
    const struct model_info *f = &x->m->info;
    const size_t n = (size_t)f->n_layers, b = (size_t)x->block, heads = (size_t)f->n_heads;
    const size_t kv = b * (size_t)f->n_kv_heads * (size_t)f->head_dim;
    if (!(r->k = mem_new(4 * n, sizeof *r->k, e)) ||
        !(r->masses = mem_new(n * b, (heads + 1) * sizeof(float), e)) ||
        (!x->m->device->ops->plain && !(r->rows = mem_new(2 * n, kv * sizeof(float), e))))
        return ERR_NOMEM;
    r->v = r->k + n;
    r->head_mass = r->v + n;
    r->mass = r->head_mass + n;
    for (size_t l = 0; l < n; l++) {
        r->head_mass[l] = r->masses + l * b * (heads + 1);
        r->mass[l] = r->head_mass[l] + b * heads;
        for (size_t i = 0; r->rows && i < 2; i++)
            r->k[i * n + l] = r->rows + (2 * l + i) * kv;
    }
    return 0;
}

// Copies N tokens from local token FROM on.
static int room_take(const struct encoder *x, struct room *r, int from, int n, struct err *e)
{
    r->stride = r->rows ? n : stream_rows(x->s, from, r->k, r->v);
    return stream_get_all(x->s, from, n, r->rows ? r->k : NULL, r->v, r->head_mass, e);
}

// MASS [n]: the sums of HEAD_MASS [heads][n] over the heads.
static void sum_heads(const float *head_mass, uint32_t heads, uint32_t n, float *mass)
{
    for (uint32_t t = 0; t < n; t++) {
        float sum = 0;
        for (uint32_t h = 0; h < heads; h++)
            sum += head_mass[h * n + t];
        mass[t] = sum;
    }
}

// Makes the vectors that stand for a block, adds it to the summary state, and writes it.
static int put(struct encoder *x, const struct room *r, struct err *e)
{
    const struct item *it = &r->item;
    const float *const *k = (const float *const *)r->k, *const *v = (const float *const *)r->v;
    const float *const *head_mass = (const float *const *)r->head_mass;
    uint32_t n = it->n_tokens;
    for (int l = 0; l < x->m->info.n_layers; l++)
        sum_heads(head_mass[l], (uint32_t)x->m->info.n_heads, n, r->mass[l]);
    int rc = represent_block(x->represent, k, (uint32_t)r->stride, head_mass, n, it->picks,
                             it->picks_bytes, e);
    if (rc)
        return rc;
    if (x->retriever && !(it->flags & KVZ_SINK) &&
        (rc = retriever_add(x->retriever, x->represent, kvz_writer_n_blocks(x->w),
                            (int64_t)kvz_writer_n_tokens(x->w), n, e)))
        return rc;
    struct keep *kept[] = {x->cascade, x->summary};
    for (int i = 0; i < 2; i++)
        if (kept[i] && !(it->flags & KVZ_SINK) &&
            (rc = keep_add(kept[i], (int)n, kvz_writer_n_tokens(x->w), r->k, r->v, r->stride,
                           r->head_mass, kvz_writer_pool(x->w), e)))
            return rc;
    return kvz_add_block(x->w,
                         &(struct kvz_block_in){
                             .n_tokens = n,
                             .flags = it->flags,
                             .tokens = it->tokens,
                             .token_bytes = it->token_bytes,
                             .text = it->text,
                             .k = k,
                             .v = v,
                             .kv_stride = (uint32_t)r->stride,
                             .mass = (const float *const *)r->mass,
                             .vectors = x->represent->vectors,
                             .n_vectors = x->represent->n_vectors,
                             .vector_token = x->represent->vector_token,
                         },
                         e);
}

static void *work(void *arg)
{
    struct block_writer *w = arg;
    pthread_mutex_lock(&w->lock);
    for (;;) {
        while (!w->n && !w->stops)
            pthread_cond_wait(&w->changed, &w->lock);
        if (!w->n)
            break;
        struct room *r = &w->rooms[w->first];
        int rc = w->rc;
        struct err e = {0};
        pthread_mutex_unlock(&w->lock);
        rc = rc ? rc : put(w->x, r, &e);
        queue_item_done(&r->item);
        pthread_mutex_lock(&w->lock);
        if (rc && !w->rc) {
            w->rc = rc;
            w->err = e;
        }
        w->first = (w->first + 1) % w->cap;
        w->n--;
        pthread_cond_broadcast(&w->changed);
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

void block_writer_free(struct block_writer *w)
{
    if (!w)
        return;
    if (w->runs) {
        pthread_mutex_lock(&w->lock);
        w->rc = w->rc ? w->rc : ERR_INTERRUPTED; // what still waits is not wanted
        w->stops = 1;
        pthread_cond_broadcast(&w->changed);
        pthread_mutex_unlock(&w->lock);
        pthread_join(w->thread, NULL);
    }
    for (int i = 0; w->rooms && i < w->cap; i++)
        room_done(&w->rooms[i]);
    pthread_cond_destroy(&w->changed);
    pthread_mutex_destroy(&w->lock);
    free(w->rooms);
    free(w);
}

int block_writer_new(struct block_writer **out, struct encoder *x, struct err *e)
{
    const struct model_info *f = &x->m->info;
    size_t bytes =
        2 * sizeof(float) * (size_t)f->n_layers * (size_t)(x->block * f->n_kv_heads * f->head_dim);
    size_t most = MOST_BYTES / bytes, cap = (size_t)(x->rows / x->block) + 2;
    // What was retrieved or forgotten changes what the next chunk sees.
    int beside = x->m->device->is_apart && !x->retriever && !x->cascade;
    struct block_writer *w = mem_new(1, sizeof *w, e);
    if (!w)
        return ERR_NOMEM;
    w->x = x;
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->changed, NULL);
    w->cap = !beside ? 1 : (int)(cap < most ? cap : most < 2 ? 2 : most);
    int rc = (w->rooms = mem_new((size_t)w->cap, sizeof *w->rooms, e)) ? 0 : ERR_NOMEM;
    for (int i = 0; !rc && i < w->cap; i++)
        rc = room_new(x, &w->rooms[i], e);
    if (!rc && beside) {
        w->runs = !pthread_create(&w->thread, NULL, work, w);
        rc = w->runs ? 0 : err_set(e, ERR_NOMEM, "no thread to write the index with");
    }
    if (rc) {
        block_writer_free(w);
        return rc;
    }
    *out = w;
    return 0;
}

// Waits until at most N blocks are waiting; returns the first error of those written before.
static int wait_for(struct block_writer *w, int n, struct err *e)
{
    pthread_mutex_lock(&w->lock);
    while (w->n > n && w->runs)
        pthread_cond_wait(&w->changed, &w->lock);
    int rc = w->rc;
    if (rc && e)
        *e = w->err;
    pthread_mutex_unlock(&w->lock);
    return rc;
}

int block_writer_wait(struct block_writer *w, struct err *e)
{
    return w ? wait_for(w, 0, e) : 0;
}

int block_writer_add(struct block_writer *w, struct item *it, int from, struct err *e)
{
    int rc = wait_for(w, w->cap - 1, e);
    if (rc)
        return rc;
    struct room *r = &w->rooms[(w->first + w->n) % w->cap]; // the thread takes, and gives none
    if ((rc = room_take(w->x, r, from, (int)it->n_tokens, e)))
        return rc;
    r->item = *it;
    *it = (struct item){.kind = it->kind, .n_tokens = it->n_tokens, .flags = it->flags};
    if (!w->runs) {
        rc = put(w->x, r, e);
        queue_item_done(&r->item);
        return rc;
    }
    pthread_mutex_lock(&w->lock);
    w->n++;
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->lock);
    return 0;
}
