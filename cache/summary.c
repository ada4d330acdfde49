// Section SUMM: what a cascading cache held when the documents ended.
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cache/codec.h"
#include "cache/format.h"
#include "cache/reader.h"
#include "cache/writer.h"
#include "io/mem.h"

enum { SUMMARY_BITS = 4 }; // of its keys and values, codec 2

// Where the parts of the section lie, counted from its start.
struct layout {
    uint64_t tokens, scores, lengths, chunks;
    uint32_t groups; // chunks of a layer
};

static struct layout layout(const struct kvz_meta *m, const struct kvz_summary *s)
{
    uint64_t lanes = (uint64_t)m->n_layers * m->n_kv_heads;
    struct layout y = {.tokens = sizeof(struct disk_summary),
                       .groups = (s->n + s->slots - 1) / s->slots};
    y.scores = y.tokens + lanes * s->n * 4;
    y.lengths = y.scores + lanes * s->n * 4;
    y.chunks = y.lengths + (uint64_t)m->n_layers * y.groups * 4;
    return y;
}

// Tokens of group G.
static uint32_t group_tokens(const struct kvz_summary *s, uint32_t g)
{
    uint32_t left = s->n - g * s->slots;
    return left < s->slots ? left : s->slots;
}

// R25, what can be known without reading more than the head.
static int shape_ok(const struct kvz_meta *m, const struct kvz_summary *s, uint64_t n_tokens)
{
    uint64_t row = (uint64_t)m->n_kv_heads * m->head_dim;
    return s->n_caches >= 1 && s->n_caches <= DISK_CACHES_MAX && s->slots >= 1 &&
           s->slots <= DISK_SLOTS_MAX && s->n >= 1 && s->n <= s->n_caches * s->slots &&
           s->n <= s->seen && s->seen <= n_tokens && s->n * row <= 1 << 29;
}

// R26: of each lane.
static int tokens_ok(const uint32_t *token, const float *score, uint32_t n, uint64_t n_tokens)
{
    for (uint32_t i = 0; i < n; i++)
        if (token[i] >= n_tokens || (i && token[i] <= token[i - 1]) || !(score[i] >= 0) ||
            !(score[i] < INFINITY))
            return 0;
    return 1;
}

int kvz_put_summary(struct kvz_writer *w, const struct kvz_summary *s, const uint32_t *token,
                    const float *score, struct err *e)
{
    const struct kvz_meta *m = &w->meta;
    const size_t lanes = (size_t)m->n_layers * m->n_kv_heads;
    int ok = shape_ok(m, s, w->at.n_tokens);
    for (size_t i = 0; ok && i < lanes; i++)
        ok = tokens_ok(token + i * s->n, score + i * s->n, s->n, w->at.n_tokens);
    if (!ok)
        return err_set(e, ERR_USAGE, "%s: a summary state that makes no sense", w->path);
    struct layout y = layout(m, s);
    struct disk_summary d = {
        .n_caches = s->n_caches, .slots = s->slots, .seen = s->seen, .n = s->n};
    w->summary.n = 0;
    w->summary_layers = 0;
    w->summary_is = *s;
    if (!bytes_add(&w->summary, y.chunks, e))
        return ERR_NOMEM;
    memcpy(w->summary.p, &d, sizeof d);
    memcpy(w->summary.p + y.tokens, token, lanes * s->n * 4);
    memcpy(w->summary.p + y.scores, score, lanes * s->n * 4);
    return 0;
}

int kvz_put_summary_kv(struct kvz_writer *w, const float *k, const float *v, struct err *e)
{
    const struct kvz_meta *m = &w->meta;
    const struct kvz_summary *s = &w->summary_is;
    const struct codec *codec = codec_find(CODEC_ROTATED);
    if (!w->summary.n || w->summary_layers == m->n_layers)
        return err_set(e, ERR_USAGE, "%s: a layer too many of a summary state", w->path);
    struct layout y = layout(m, s);
    for (uint32_t g = 0; g < y.groups; g++) {
        struct codec_shape shape = {group_tokens(s, g), m->n_kv_heads, m->head_dim,
                                    SUMMARY_BITS,       SUMMARY_BITS,  .layer = w->summary_layers};
        const size_t at = w->summary.n, from = (size_t)g * s->slots * m->head_dim;
        uint8_t *to = bytes_add(&w->summary, codec->bound(&shape), e);
        uint64_t bytes;
        struct err why;
        if (!to)
            return ERR_NOMEM;
        int rc = codec->encode(&shape, w->packer, k + from, v + from, s->n, to, &bytes, &why);
        if (rc)
            return err_set(e, rc, "%s: summary state, layer %u: %s", w->path, w->summary_layers,
                           why.msg);
        w->summary.n = at + bytes;
        const uint32_t length = (uint32_t)bytes;
        memcpy(w->summary.p + y.lengths + ((uint64_t)w->summary_layers * y.groups + g) * 4, &length,
               4);
    }
    w->summary_layers++;
    return 0;
}

int reader_summary(const struct kvz *k, struct kvz_summary *s, struct err *e)
{
    const struct disk_section *t = &k->of[S_SUMMARY];
    const struct kvz_meta *m = &k->meta;
    *s = (struct kvz_summary){0};
    if (!t->tag)
        return 0;
    int rc = atomic_load(k->summary_ok) ? 0 : reader_section(k, t, e);
    if (rc)
        return rc;
    const uint8_t *p = k->map.data + t->off;
    struct disk_summary d = {0};
    if (t->bytes >= sizeof d)
        memcpy(&d, p, sizeof d);
    *s = (struct kvz_summary){.n_caches = d.n_caches, .slots = d.slots, .n = d.n, .seen = d.seen};
    if (atomic_load(k->summary_ok))
        return 0;
    int ok = shape_ok(m, s, k->head.n_tokens) && !d.zero;
    struct layout y = ok ? layout(m, s) : (struct layout){0};
    uint64_t end = y.chunks;
    ok = ok && end <= t->bytes;
    for (uint64_t i = 0; ok && i < (uint64_t)m->n_layers * y.groups; i++) {
        uint32_t length;
        memcpy(&length, p + y.lengths + i * 4, 4);
        end += length;
    }
    ok = ok && end == t->bytes;
    for (uint64_t i = 0; ok && i < (uint64_t)m->n_layers * m->n_kv_heads; i++)
        ok = tokens_ok((const uint32_t *)(const void *)(p + y.tokens) + i * s->n,
                       (const float *)(const void *)(p + y.scores) + i * s->n, s->n,
                       k->head.n_tokens);
    if (!ok) {
        *s = (struct kvz_summary){0};
        return err_set(e, ERR_FORMAT, "%s: section SUMM is wrong", k->path);
    }
    atomic_store(k->summary_ok, 1);
    return 0;
}

int kvz_summary(const struct kvz *k, struct kvz_summary *s, struct err *e)
{
    return reader_summary(k, s, e);
}

int kvz_read_summary(const struct kvz *k, uint32_t *token, float *score, struct err *e)
{
    struct kvz_summary s;
    int rc = reader_summary(k, &s, e);
    if (rc || !s.n)
        return rc;
    struct layout y = layout(&k->meta, &s);
    const uint8_t *p = k->map.data + k->of[S_SUMMARY].off;
    const size_t bytes = (size_t)k->meta.n_layers * k->meta.n_kv_heads * s.n * 4;
    if (bytes && token)
        memcpy(token, p + y.tokens, bytes);
    if (bytes && score)
        memcpy(score, p + y.scores, bytes);
    return 0;
}

int kvz_read_summary_kv(const struct kvz *k, uint32_t layer, float *kk, float *vv, struct err *e)
{
    const struct kvz_meta *m = &k->meta;
    struct kvz_summary s;
    int rc = reader_summary(k, &s, e);
    if (!rc && (!s.n || layer >= m->n_layers))
        rc = err_set(e, ERR_USAGE, "%s: has no summary state of layer %u", k->path, layer);
    if (rc)
        return rc;
    struct layout y = layout(m, &s);
    const struct codec *codec = codec_find(CODEC_ROTATED);
    const uint8_t *p = k->map.data + k->of[S_SUMMARY].off, *chunk = p + y.chunks;
    for (uint32_t i = 0; i < (layer + 1) * y.groups; i++) {
        uint32_t length, g = i % y.groups;
        memcpy(&length, p + y.lengths + (uint64_t)i * 4, 4);
        if (i / y.groups == layer) { // R27
            struct codec_shape shape = {.n_tokens = group_tokens(&s, g),
                                        .n_kv_heads = m->n_kv_heads,
                                        .head_dim = m->head_dim,
                                        .layer = layer};
            const size_t at = (size_t)g * s.slots * m->head_dim;
            struct err why;
            if ((rc = codec->decode(&shape, chunk, length, kk + at, vv + at, s.n, &why)))
                return err_set(e, rc, "%s: summary state, layer %u: %s", k->path, layer, why.msg);
        }
        chunk += length;
    }
    return 0;
}
