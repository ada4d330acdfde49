// Section SUMM: what a cascading cache held when the documents ended.
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cache/codec.h"
#include "cache/format.h"
#include "cache/pack.h"
#include "cache/reader.h"
#include "cache/writer.h"
#include "io/mem.h"

enum {
    SUMMARY_BITS = 4,   // of its own keys and values, codec 2
    SHORT_BYTES = 4 + 2 // of a token and its score
};

// Where the parts of the section are, from its start. The short form has one part, packed, of RAW
// bytes.
struct layout {
    uint64_t tokens, scores, lengths, chunks, raw;
    uint32_t groups; // chunks of a layer
};

static uint64_t n_lanes(const struct kvz_meta *m)
{
    return (uint64_t)m->n_layers * m->n_kv_heads;
}

static struct layout layout(const struct kvz_meta *m, const struct kvz_summary *s)
{
    uint64_t held = n_lanes(m) * s->n;
    struct layout y = {.tokens = sizeof(struct disk_summary), .raw = held * SHORT_BYTES};
    if (!s->own_kv)
        return y;
    y.groups = (s->n + s->slots - 1) / s->slots;
    y.scores = y.tokens + held * 4;
    y.lengths = y.scores + held * 4;
    y.chunks = y.lengths + (uint64_t)m->n_layers * y.groups * 4;
    return y;
}

// Number of tokens of group G.
static uint32_t group_tokens(const struct kvz_summary *s, uint32_t g)
{
    uint32_t left = s->n - g * s->slots;
    return left < s->slots ? left : s->slots;
}

// R25, as far as the head tells.
static int shape_ok(const struct kvz_meta *m, const struct kvz_summary *s, uint64_t n_tokens)
{
    uint64_t row = (uint64_t)m->n_kv_heads * m->head_dim;
    return s->n_caches >= 1 && s->n_caches <= DISK_CACHES_MAX && s->slots >= 1 &&
           s->slots <= DISK_SLOTS_MAX && s->n >= 1 && s->n <= s->n_caches * s->slots &&
           s->n <= s->seen && s->seen <= n_tokens && s->n * row <= 1 << 29;
}

// R26, for one lane.
static int tokens_ok(const uint32_t *token, const float *score, uint32_t n, uint64_t n_tokens)
{
    for (uint32_t i = 0; i < n; i++)
        if (token[i] >= n_tokens || (i && token[i] <= token[i - 1]) || !(score[i] >= 0) ||
            !(score[i] < INFINITY))
            return 0;
    return 1;
}

static int lanes_ok(const struct kvz_meta *m, const struct kvz_summary *s, const uint32_t *token,
                    const float *score, uint64_t n_tokens)
{
    int ok = 1;
    for (uint64_t i = 0; ok && i < n_lanes(m); i++)
        ok = tokens_ok(token + i * s->n, score + i * s->n, s->n, n_tokens);
    return ok;
}

// Makes byte planes: of the differences between tokens, then of the upper halves of scores.
static void put_planes(uint64_t held, uint32_t n, const uint32_t *token, const float *score,
                       uint8_t *out)
{
    for (uint64_t i = 0; i < held; i++) {
        uint32_t more = i % n ? token[i] - token[i - 1] - 1 : token[i], bits;
        memcpy(&bits, score + i, 4);
        for (int b = 0; b < 4; b++)
            out[(uint64_t)b * held + i] = (uint8_t)(more >> 8 * b);
        for (int b = 2; b < 4; b++)
            out[(uint64_t)(b + 2) * held + i] = (uint8_t)(bits >> 8 * b);
    }
}

static void get_planes(uint64_t held, uint32_t n, const uint8_t *in, uint32_t *token, float *score)
{
    for (uint64_t i = 0; i < held; i++) {
        uint32_t more = 0, bits = 0;
        for (int b = 0; b < 4; b++)
            more |= (uint32_t)in[(uint64_t)b * held + i] << 8 * b;
        for (int b = 2; b < 4; b++)
            bits |= (uint32_t)in[(uint64_t)(b + 2) * held + i] << 8 * b;
        token[i] = i % n ? token[i - 1] + 1 + more : more;
        memcpy(score + i, &bits, 4);
    }
}

static int put_short(struct kvz_writer *w, const struct layout *y, const struct kvz_summary *s,
                     const uint32_t *token, const float *score, struct err *e)
{
    uint8_t *raw = mem_new(y->raw, 1, e), *to = raw ? bytes_add(&w->summary, y->raw, e) : NULL;
    if (to) {
        put_planes(y->raw / SHORT_BYTES, s->n, token, score, raw);
        size_t packed = pack(w->packer, raw, y->raw, to);
        if (!packed)
            memcpy(to, raw, y->raw);
        w->summary.n = y->tokens + (packed ? packed : y->raw);
    }
    free(raw);
    return to ? 0 : ERR_NOMEM;
}

int kvz_put_summary(struct kvz_writer *w, const struct kvz_summary *s, const uint32_t *token,
                    const float *score, struct err *e)
{
    const struct kvz_meta *m = &w->meta;
    const size_t held = n_lanes(m) * s->n;
    if (!shape_ok(m, s, w->at.n_tokens) || !lanes_ok(m, s, token, score, w->at.n_tokens))
        return err_set(e, ERR_USAGE, "%s: a summary state that makes no sense", w->path);
    struct layout y = layout(m, s);
    struct disk_summary d = {.n_caches = s->n_caches,
                             .slots = s->slots,
                             .seen = s->seen,
                             .n = s->n,
                             .form = s->own_kv ? FORM_LONG : FORM_SHORT};
    w->summary.n = 0;
    w->summary_layers = s->own_kv ? 0 : m->n_layers;
    w->summary_is = *s;
    if (!bytes_add(&w->summary, s->own_kv ? y.chunks : y.tokens, e))
        return ERR_NOMEM;
    memcpy(w->summary.p, &d, sizeof d);
    if (!s->own_kv)
        return put_short(w, &y, s, token, score, e);
    memcpy(w->summary.p + y.tokens, token, held * 4);
    memcpy(w->summary.p + y.scores, score, held * 4);
    return 0;
}

int kvz_put_summary_kv(struct kvz_writer *w, const float *k, const float *v, struct err *e)
{
    const struct kvz_meta *m = &w->meta;
    const struct kvz_summary *s = &w->summary_is;
    const struct codec *codec = codec_find(CODEC_ROTATED);
    if (!w->summary.n || w->summary_layers == m->n_layers) // none is wanted, or all are there
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

// R25: whether the lengths of the section's parts add up.
static int bytes_ok(const struct kvz *k, const struct kvz_summary *s)
{
    const struct disk_section *t = &k->of[S_SUMMARY];
    const uint8_t *p = k->map.data + t->off;
    const struct layout y = layout(&k->meta, s);
    if (!s->own_kv) {
        uint64_t packed = t->bytes - y.tokens;
        return packed == y.raw || (packed < y.raw && pack_plausible(packed, y.raw));
    }
    uint64_t end = y.chunks;
    int ok = end <= t->bytes;
    for (uint64_t i = 0; ok && i < (uint64_t)k->meta.n_layers * y.groups; i++) {
        uint32_t length;
        memcpy(&length, p + y.lengths + i * 4, 4);
        end += length;
    }
    return ok && end == t->bytes;
}

// TOKEN and SCORE: [lanes][n] each.
static int get_state(const struct kvz *k, const struct kvz_summary *s, uint32_t *token,
                     float *score, struct err *e)
{
    const struct disk_section *t = &k->of[S_SUMMARY];
    const uint8_t *p = k->map.data + t->off;
    const struct layout y = layout(&k->meta, s);
    const uint64_t held = n_lanes(&k->meta) * s->n, packed = t->bytes - y.tokens;
    if (s->own_kv) {
        memcpy(token, p + y.tokens, held * 4);
        memcpy(score, p + y.scores, held * 4);
        return 0;
    }
    uint8_t *raw = packed == y.raw ? NULL : mem_new(y.raw, 1, e);
    int rc = packed == y.raw ? 0
             : raw           ? pack_unpack(p + y.tokens, packed, raw, y.raw, e)
                             : ERR_NOMEM;
    if (!rc)
        get_planes(held, s->n, raw ? raw : p + y.tokens, token, score);
    free(raw);
    return rc;
}

static int new_state(const struct kvz *k, const struct kvz_summary *s, uint32_t **token,
                     float **score, struct err *e)
{
    *token = mem_new(n_lanes(&k->meta) * s->n, sizeof **token, e);
    *score = mem_new(n_lanes(&k->meta) * s->n, sizeof **score, e);
    return *token && *score ? get_state(k, s, *token, *score, e) : ERR_NOMEM;
}

// R25, R26
int kvz_summary(const struct kvz *k, struct kvz_summary *s, struct err *e)
{
    const struct disk_section *t = &k->of[S_SUMMARY];
    const struct kvz_meta *m = &k->meta;
    *s = (struct kvz_summary){0};
    if (!t->tag)
        return 0;
    int rc = atomic_load(&k->checked->summary) ? 0 : reader_section(k, t, e);
    if (rc)
        return rc;
    struct disk_summary d = {0};
    if (t->bytes >= sizeof d)
        memcpy(&d, k->map.data + t->off, sizeof d);
    *s = (struct kvz_summary){.n_caches = d.n_caches,
                              .slots = d.slots,
                              .n = d.n,
                              .seen = d.seen,
                              .own_kv = d.form == FORM_LONG};
    if (atomic_load(&k->checked->summary))
        return 0;
    uint32_t *token = NULL;
    float *score = NULL;
    struct err why = {0};
    int ok = shape_ok(m, s, k->head.n_tokens) && d.form <= FORM_SHORT && bytes_ok(k, s);
    rc = ok ? new_state(k, s, &token, &score, &why) : ERR_FORMAT;
    if (!rc && !lanes_ok(m, s, token, score, k->head.n_tokens))
        rc = ERR_FORMAT;
    free(token);
    free(score);
    if (rc) {
        *s = (struct kvz_summary){0};
        return err_set(e, rc, "%s: section SUMM is wrong%s%s", k->path, *why.msg ? ": " : "",
                       why.msg);
    }
    atomic_store(&k->checked->summary, 1);
    return 0;
}

int kvz_read_summary(const struct kvz *k, uint32_t *token, float *score, struct err *e)
{
    struct kvz_summary s;
    uint32_t *ids;
    float *own;
    int rc = kvz_summary(k, &s, e);
    if (rc || !s.n)
        return rc;
    const size_t bytes = n_lanes(&k->meta) * s.n * 4;
    rc = new_state(k, &s, &ids, &own, e);
    if (!rc && token)
        memcpy(token, ids, bytes);
    if (!rc && score)
        memcpy(score, own, bytes);
    free(ids);
    free(own);
    return rc;
}

int reader_summary_own(const struct kvz *k, const struct kvz_summary *s, uint32_t layer, float *kk,
                       float *vv, struct err *e)
{
    const struct kvz_meta *m = &k->meta;
    struct layout y = layout(m, s);
    const struct codec *codec = codec_find(CODEC_ROTATED);
    const uint8_t *p = k->map.data + k->of[S_SUMMARY].off, *chunk = p + y.chunks;
    for (uint32_t i = 0; i < (layer + 1) * y.groups; i++) {
        uint32_t length, g = i % y.groups;
        memcpy(&length, p + y.lengths + (uint64_t)i * 4, 4);
        if (i / y.groups == layer) { // R27
            struct codec_shape shape = {.n_tokens = group_tokens(s, g),
                                        .n_kv_heads = m->n_kv_heads,
                                        .head_dim = m->head_dim,
                                        .layer = layer};
            const size_t at = (size_t)g * s->slots * m->head_dim;
            struct err why;
            int rc = codec->decode(&shape, chunk, length, kk + at, vv + at, s->n, &why);
            if (rc)
                return err_set(e, rc, "%s: summary state, layer %u: %s", k->path, layer, why.msg);
        }
        chunk += length;
    }
    return 0;
}
