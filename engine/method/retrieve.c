#include "engine/method/retrieve.h"

#include <stdlib.h>
#include <string.h>

#include "io/hash.h"
#include "io/mem.h"

struct entry {
    uint64_t block;
    int64_t token;
    uint32_t n_tokens;
};

struct retriever {
    const struct model *m;
    struct kvz_writer *w;
    int topk, block;            // blocks a layer reads, tokens of a block
    size_t n, cap, vectors_cap; // blocks in the index; capacity of entries, of vectors
    size_t width;               // floats of one block: n_layers * n_heads * head_dim
    struct entry *entries;      // [n]
    float *vectors;             // [n][n_layers][n_heads][head_dim]
    float *mean;                // [n_heads][head_dim]
    // VECTORS on a device that looks at them, [there_cap][n_layers][n_heads][head_dim], as many as
    // it has.
    float *there;
    size_t n_there, there_cap;
    int has_no_room; // for them
    float *score;    // [n]
    size_t score_cap;
    int64_t *best; // [topk]
    int64_t *pos;  // [topk * block]
    float *k, *v;  // [n_kv_heads][block][head_dim]
    uint64_t name; // that no other one of this process has
};

int retriever_new(struct retriever **out, const struct model *m, struct kvz_writer *w,
                  const struct kvz_meta *meta, struct err *e)
{
    const struct model_info *f = &m->info;
    struct retriever *r = mem_new(1, sizeof *r, e);
    if (!r)
        return ERR_NOMEM;
    r->m = m;
    r->w = w;
    // A device keeps blocks for longer than there is a retriever, and the next one may be made at
    // the same address, or by another thread.
    static _Atomic uint64_t n_made;
    r->name = ++n_made;
    r->topk = (int)meta->topk;
    r->block = (int)meta->block;
    size_t head = (size_t)f->head_dim, kv = (size_t)(f->n_kv_heads * r->block) * head;
    r->width = (size_t)(f->n_layers * f->n_heads) * head;
    r->mean = mem_new((size_t)f->n_heads * head, sizeof *r->mean, e);
    r->best = mem_new((size_t)r->topk, sizeof *r->best, e);
    r->pos = mem_new((size_t)(r->topk * r->block), sizeof *r->pos, e);
    r->k = mem_new(kv, sizeof *r->k, e);
    r->v = mem_new(kv, sizeof *r->v, e);
    if (!r->mean || !r->best || !r->pos || !r->k || !r->v) {
        retriever_free(r);
        return ERR_NOMEM;
    }
    *out = r;
    return 0;
}

void retriever_free(struct retriever *r)
{
    if (!r)
        return;
    r->m->device->ops->free(r->m->device, r->there);
    free(r->entries);
    free(r->vectors);
    free(r->mean);
    free(r->score);
    free(r->best);
    free(r->pos);
    free(r->k);
    free(r->v);
    free(r);
}

// Room for one more block at the end; returns its vectors.
static float *grow(struct retriever *r, struct entry entry, struct err *e)
{
    if (MEM_GROW(r->entries, r->cap, r->n + 1, e) ||
        MEM_GROW(r->vectors, r->vectors_cap, (r->n + 1) * r->width, e) ||
        MEM_GROW(r->score, r->score_cap, r->n + 1, e))
        return NULL;
    r->entries[r->n] = entry;
    return r->vectors + r->n++ * r->width;
}

int retriever_add(struct retriever *r, const struct represent_set *set, uint64_t block,
                  int64_t token, uint32_t n_tokens, struct err *e)
{
    float *v = grow(r, (struct entry){block, token, n_tokens}, e);
    if (!v)
        return ERR_NOMEM;
    for (uint32_t c = 0; c < set->n_channels; c++)
        memcpy(v + (size_t)c * set->channels[c].dim, set->vectors[c],
               set->channels[c].dim * sizeof *v);
    return 0;
}

// The queries Q, a mean over the chunk, rotated by the one fixed distance.
static void probe(struct retriever *r, const struct stream *s, int layer, const float *q)
{
    const struct model_info *f = &r->m->info;
    memcpy(r->mean, q, (size_t)(f->n_heads * f->head_dim) * sizeof *r->mean);
    for (int h = 0; h < f->n_heads; h++)
        model_rotate(r->m, layer, s->o.reach, s->o.distance, r->mean + (size_t)(h * f->head_dim));
}

// Uploads the vectors that the device does not have yet. 0: it has all of them; 1: there is no
// room.
static int bring_vectors(struct retriever *r, struct err *e)
{
    struct device *d = r->m->device;
    const size_t row = r->width * sizeof *r->there;
    if (r->there_cap < r->n) {
        const size_t cap = 2 * r->n;
        struct err none;
        float *p = d->ops->alloc(d, cap * row, &none);
        if (p && r->n_there)
            d->ops->copy(d, p, r->there, r->n_there * row);
        d->ops->free(d, r->there);
        r->there = p;
        r->there_cap = cap;
        r->has_no_room = !p;
        if (!p)
            return 1;
    }
    if (r->n_there == r->n)
        return 0;
    int rc = d->ops->upload(d, r->there + r->n_there * r->width, r->vectors + r->n_there * r->width,
                            (r->n - r->n_there) * row, e);
    r->n_there = rc ? r->n_there : r->n;
    return rc;
}

// Has the device choose the topk blocks of largest score, best first: *COUNT, -1 when it cannot.
static int choose_there(struct retriever *r, int layer, int *count, struct err *e)
{
    struct device *d = r->m->device;
    const size_t wide = r->width / (size_t)r->m->info.n_layers;
    const int n = r->n < (size_t)r->topk ? (int)r->n : r->topk;
    *count = -1;
    if (!d->ops->similar || n > ELECT_MOST || r->has_no_room)
        return 0;
    int rc = bring_vectors(r, e);
    if (rc)
        return rc > 0 ? 0 : rc;
    d->ops->similar(d, &(struct similar){.q = r->mean,
                                         .rows = r->there + (size_t)layer * wide,
                                         .n = (int64_t)r->n,
                                         .stride = (int64_t)r->width,
                                         .width = (int)wide,
                                         .n_top = n,
                                         .top = r->best});
    if ((rc = d->ops->sync(d, e)))
        return rc;
    *count = n;
    return 0;
}

// The same on the processor; returns their number.
static int choose_here(struct retriever *r, int layer)
{
    size_t wide = r->width / (size_t)r->m->info.n_layers;
    int count = 0;
    for (size_t b = 0; b < r->n; b++) {
        const float *v = r->vectors + b * r->width + (size_t)layer * wide;
        float sum = 0;
        for (size_t j = 0; j < wide; j++)
            sum += r->mean[j] * v[j];
        r->score[b] = sum;
    }
    for (size_t b = 0; b < r->n; b++) { // insertion by score, best first
        int at = count;
        while (at > 0 && r->score[r->best[at - 1]] < r->score[b])
            at--;
        if (at == r->topk)
            continue;
        int moved = (count < r->topk ? count : r->topk - 1) - at;
        memmove(r->best + at + 1, r->best + at, (size_t)moved * sizeof *r->best);
        r->best[at] = (int64_t)b;
        count += count < r->topk;
    }
    return count;
}

static int in_order(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

// Puts one chosen block at far token AT: from the device's cache, else from the file.
static int put_block(struct retriever *r, struct stream *s, int layer, const struct entry *b,
                     int at, struct err *e)
{
    const uint64_t of[] = {r->name, b->block, (uint64_t)layer}, name = hash64(of, sizeof of);
    int found, rc = stream_recall(s, STREAM_FAR, layer, at, (int)b->n_tokens, name, &found, e);
    if (rc || found)
        return rc;
    rc = kvz_writer_read_kv(r->w, b->block, (uint32_t)layer, r->k, r->v, (uint32_t)r->block, e);
    if (!rc)
        rc = stream_put(s, STREAM_FAR, layer, at, (int)b->n_tokens, r->block, r->k, r->v, e);
    return rc ? rc : stream_keep(s, STREAM_FAR, layer, at, (int)b->n_tokens, name, e);
}

int retriever_choose(void *arg, struct stream *s, int layer, const float *q, struct err *e)
{
    struct retriever *r = arg;
    int count, n = 0;
    probe(r, s, layer, q);
    int rc = r->n ? choose_there(r, layer, &count, e) : 0;
    if (rc)
        return rc;
    count = !r->n ? 0 : count < 0 ? choose_here(r, layer) : count;
    qsort(r->best, (size_t)count, sizeof *r->best, in_order);
    for (int i = 0; i < count; i++) {
        const struct entry *b = &r->entries[r->best[i]];
        if ((rc = put_block(r, s, layer, b, n, e)))
            return rc;
        for (uint32_t t = 0; t < b->n_tokens; t++)
            r->pos[n++] = b->token + t;
    }
    stream_set_far(s, layer, n, r->pos);
    return 0;
}

int retriever_save(const struct retriever *r, struct bytes *b, struct err *e)
{
    int rc = bytes_put_u64(b, r->n, e);
    for (size_t i = 0; !rc && i < r->n; i++)
        if (!(rc = bytes_put_u64(b, r->entries[i].block, e)) &&
            !(rc = bytes_put_u64(b, (uint64_t)r->entries[i].token, e)))
            rc = bytes_put_u64(b, r->entries[i].n_tokens, e);
    return rc ? rc : bytes_put(b, r->vectors, r->n * r->width * sizeof *r->vectors, e);
}

int retriever_load(struct retriever *r, struct cursor *c, struct err *e)
{
    uint64_t n = cursor_u64(c);
    if (n > c->left / 24)
        return err_set(e, ERR_FORMAT, "the saved state is damaged");
    for (uint64_t i = 0; i < n; i++) {
        struct entry x = {cursor_u64(c), (int64_t)cursor_u64(c), (uint32_t)cursor_u64(c)};
        if (x.n_tokens > (uint32_t)r->block)
            c->bad = 1;
        if (!grow(r, x, e))
            return ERR_NOMEM;
    }
    const uint8_t *p = cursor_bytes(c, n * r->width * sizeof *r->vectors);
    if (!p)
        return err_set(e, ERR_FORMAT, "the saved state is damaged");
    memcpy(r->vectors, p, n * r->width * sizeof *r->vectors);
    return 0;
}
