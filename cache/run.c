// Reads index channels (R21 of kvz.5).
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cache/format.h"
#include "cache/kvz.h"
#include "cache/narrow.h"
#include "cache/reader.h"
#include "io/hash.h"
#include "io/mem.h"

void runs_stop(struct kvz *k)
{
    atomic_store(&k->is_closing, 1);
    if (k->is_being_checked)
        pthread_join(k->checker, NULL);
    k->is_being_checked = 0;
}

void runs_close(struct kvz *k)
{
    for (uint32_t i = 0; i < k->n_runs; i++) {
        free(k->runs[i].vectors);
        free(k->runs[i].scale);
        free(k->runs[i].token);
        pthread_mutex_destroy(&k->runs[i].lock);
    }
    free(k->runs);
}

int reader_run_arrays(const struct kvz *k, uint32_t channel, struct run_arrays *a, struct err *e)
{
    const struct disk_channel *c = &k->channels[channel];
    const uint8_t *p = k->map.data + c->off;
    a->narrow = (c->kind & DISK_NARROW) != 0;
    if (disk_run_layout(&a->at, k->head.n_blocks, c->n, c->dim, a->narrow))
        return err_set(e, ERR_FORMAT, "%s: index channel %u is too large", k->path, channel);
    a->start = (const uint64_t *)(const void *)(p + a->at.start);
    a->scale = (const float *)(const void *)(p + a->at.scale);
    a->token = p + a->at.token;
    a->vectors = p + a->at.vector;
    return 0;
}

// The checksum of N bytes at P, in pieces: what is being closed is not read to the end.
static int hash_pieces(const struct kvz *k, const uint8_t *p, size_t n, uint64_t *value,
                       struct err *e)
{
    enum { PIECE = 4 << 20 };
    struct hash *h;
    int rc = hash_new(&h, e);
    if (rc)
        return rc;
    for (size_t at = 0, bytes; at < n && !atomic_load(&k->is_closing); at += bytes) {
        bytes = n - at < PIECE ? n - at : PIECE;
        hash_update(h, p + at, bytes);
    }
    *value = hash_value(h);
    hash_free(h);
    return 0;
}

// *WHOLE: whether its checksums are right.
static int find_whole(const struct kvz *k, const struct disk_channel *c, const struct run_arrays *a,
                      int *whole, struct err *e)
{
    uint64_t value = 0;
    int rc = hash_pieces(k, a->vectors, a->at.vector_bytes, &value, e);
    *whole = c->start_check == hash64(a->start, a->at.start_bytes) &&
             c->scale_check == hash64(a->scale, a->at.scale_bytes) &&
             c->token_check == hash64(a->token, a->at.token_bytes) && c->vector_check == value;
    return rc;
}

static int are_right(const struct kvz *k, const struct disk_channel *c, const struct run_arrays *a)
{
    const uint64_t n_blocks = k->head.n_blocks, n_scales = a->narrow ? n_blocks : c->n;
    int ok = a->start[0] == 0 && a->start[n_blocks] == c->n;
    for (uint64_t b = 0; b < n_blocks; b++)
        ok &= a->start[b] <= a->start[b + 1];
    for (uint64_t i = 0; i < n_scales; i++)
        ok &= a->scale[i] >= 0 && a->scale[i] < INFINITY;
    for (uint64_t b = 0; a->narrow && b < n_blocks; b++)
        ok &= a->start[b + 1] - a->start[b] <= (k->meta.block < 256 ? k->meta.block : 256) &&
              narrow_ok(a->token + b * 2 * c->dim, c->dim);
    for (uint64_t i = 0; !a->narrow && i < c->n; i++)
        ok &= a->token[i] < k->meta.block;
    return ok;
}

// Unpacks the vectors of a narrow run into bytes.
static int widen(const struct kvz *k, const struct disk_channel *c, const struct run_arrays *a,
                 struct opened_run *o, struct err *e)
{
    if (!(o->vectors = mem_scratch(c->n * c->dim, e)) ||
        !(o->scale = mem_scratch(c->n * sizeof *o->scale, e)) ||
        !(o->token = mem_scratch(c->n, e))) {
        free(o->vectors);
        free(o->scale);
        o->vectors = NULL;
        o->scale = NULL;
        return ERR_NOMEM;
    }
    for (uint64_t b = 0; b < k->head.n_blocks; b++) {
        const uint64_t first = a->start[b], n = a->start[b + 1] - first;
        narrow_expand(a->token + b * 2 * c->dim, a->vectors + first * (c->dim / 2), n, c->dim,
                      o->vectors + first * c->dim);
        for (uint64_t i = 0; i < n; i++) {
            o->scale[first + i] = a->scale[b];
            o->token[first + i] = (uint8_t)i;
        }
    }
    return 0;
}

static int open_run(const struct kvz *k, uint32_t channel, const struct run_arrays *a,
                    struct err *e)
{
    const struct disk_channel *c = &k->channels[channel];
    int whole, rc = find_whole(k, c, a, &whole, e);
    if (rc)
        return rc;
    if (!whole)
        return err_set(e, ERR_FORMAT, "%s: index channel %u (layer %u head %u) is damaged", k->path,
                       channel, c->layer, c->head);
    if (!are_right(k, c, a))
        return err_set(e, ERR_FORMAT, "%s: index channel %u (layer %u head %u) is wrong", k->path,
                       channel, c->layer, c->head);
    rc = a->narrow ? widen(k, c, a, &k->runs[channel], e) : 0;
    if (!rc)
        atomic_store(&k->runs[channel].ok, 1);
    return rc;
}

int reader_run(const struct kvz *k, uint32_t channel, struct kvz_run *r, struct err *e)
{
    const struct disk_channel *c = &k->channels[channel];
    struct opened_run *o = &k->runs[channel];
    struct run_arrays a;
    int rc = reader_run_arrays(k, channel, &a, e);
    if (!rc && !atomic_load(&o->ok)) {
        pthread_mutex_lock(&o->lock);
        rc = atomic_load(&o->ok) ? 0 : open_run(k, channel, &a, e);
        pthread_mutex_unlock(&o->lock);
    }
    if (rc)
        return rc;
    *r = (struct kvz_run){.channel = reader_channel(k, channel),
                          .vectors = a.narrow ? o->vectors : (const int8_t *)a.vectors,
                          .scale = a.narrow ? o->scale : a.scale,
                          .start = a.start,
                          .token = a.narrow ? o->token : a.token,
                          .n = c->n,
                          .bytes = c->bytes,
                          .name = hash64(&c->scale_check, 3 * sizeof c->scale_check)};
    return 0;
}

// An error is not kept: whoever asks for the channel looks again and gets it.
static void *check_runs(void *arg)
{
    const struct kvz *k = arg;
    struct kvz_run r;
    struct err why;
    for (uint32_t i = 0; i < k->n_runs && !atomic_load(&k->is_closing); i++)
        reader_run(k, i, &r, &why);
    return NULL;
}

void kvz_check_beside(struct kvz *k)
{
    enum { MOST = 8 }; // of more a question may need only some
    if (!k->is_being_checked && k->n_runs <= MOST)
        k->is_being_checked = !pthread_create(&k->checker, NULL, check_runs, k);
}
