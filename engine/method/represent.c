#include "engine/method/represent.h"

#include <stdlib.h>
#include <string.h>

#include "engine/method/span.h"
#include "io/mem.h"

// How each kind of channel is laid out, in the order of enum represent.
static const struct kind {
    uint32_t kind;      // of the channel
    uint32_t per_block; // vectors kept in the store, at most; 0: keys are borrowed
    int every_head;     // a channel for each query head, else for the kv heads that matter
} KINDS[] = {
    [REPRESENT_KEYS] = {KVZ_KEYS, 0, 0},
    [REPRESENT_TOP] = {KVZ_REPRESENTATIVES, 1, 1},
    [REPRESENT_SPANS] = {KVZ_REPRESENTATIVES, SPAN_TOKENS_MAX, 0},
    [REPRESENT_MEAN] = {KVZ_REPRESENTATIVES, 1, 0},
    [REPRESENT_MAX] = {KVZ_REPRESENTATIVES, 1, 0},
    [REPRESENT_QUEST] = {KVZ_REPRESENTATIVES, 2, 0},
    [REPRESENT_FIXED] = {KVZ_REPRESENTATIVES, REPRESENTATIVES_MAX, 0},
};

// Tokens that stand for a block (top, fixed).
static uint32_t representatives(const struct method *parts)
{
    return (uint32_t)(parts->representatives ? parts->representatives : REPRESENTATIVES);
}

static uint32_t per_block(const struct method *parts)
{
    return parts->represent == REPRESENT_FIXED ? representatives(parts)
                                               : KINDS[parts->represent].per_block;
}

static uint32_t group(const struct represent_set *r)
{
    return (uint32_t)(r->m->info.n_heads / r->m->info.n_kv_heads);
}

// The (layer, kv head) pairs behind the retrieval heads, or all there are: 2 ints each.
static int *kv_pairs(const struct represent_set *r, int *n, struct err *e)
{
    const struct model_info *f = &r->m->info;
    const struct heads *h = r->kept == VOTERS_PROFILE ? r->m->heads : NULL;
    *n = h ? h->n : f->n_layers * f->n_kv_heads;
    int *pairs = mem_new((size_t)*n * 2, sizeof *pairs, e);
    if (pairs && h)
        *n = heads_kv(h, (int)group(r), pairs, NULL);
    for (int i = 0; pairs && !h && i < *n; i++) {
        pairs[2 * i] = i / f->n_kv_heads;
        pairs[2 * i + 1] = i % f->n_kv_heads;
    }
    return pairs;
}

int represent_most(const struct model *m, const struct method *parts, int block, uint64_t *vectors,
                   struct err *e)
{
    const struct represent_set r = {.m = m, .kind = parts->represent, .kept = parts->kept};
    const struct kind *kind = &KINDS[r.kind];
    int n = m->info.n_layers * m->info.n_heads, *pairs = NULL;
    if (!kind->every_head && !(pairs = kv_pairs(&r, &n, e)))
        return ERR_NOMEM;
    free(pairs);
    uint32_t per = per_block(parts);
    *vectors = (uint64_t)n * (per ? per : (uint64_t)block);
    return 0;
}

static int channels_new(struct represent_set *r, struct err *e)
{
    const struct model_info *f = &r->m->info;
    const struct kind *kind = &KINDS[r->kind];
    int n = f->n_layers * f->n_heads, *pairs = NULL;
    if (!kind->every_head && !(pairs = kv_pairs(r, &n, e)))
        return ERR_NOMEM;
    if (!(r->channels = mem_new((size_t)n, sizeof *r->channels, e))) {
        free(pairs);
        return ERR_NOMEM;
    }
    r->n_channels = (uint32_t)n;
    for (int i = 0; i < n; i++) {
        uint32_t kv = pairs ? (uint32_t)pairs[2 * i + 1] : 0;
        r->channels[i] =
            (struct kvz_channel){.layer = (uint32_t)(pairs ? pairs[2 * i] : i / f->n_heads),
                                 .head = !pairs                   ? (uint32_t)(i % f->n_heads)
                                         : kind->kind == KVZ_KEYS ? kv
                                                                  : kv * group(r),
                                 .kind = kind->kind,
                                 .dim = (uint32_t)f->head_dim};
    }
    free(pairs);
    return 0;
}

static struct span_options span_options_of(const struct represent_set *r, int layer)
{
    struct heads_spans h = heads_spans(r->m->heads, layer);
    return (struct span_options){
        .theta = (double)h.theta, .iou = (double)h.phi, .lambda = (double)h.lambda};
}

// Room for the attention within each block of a chunk, or for its spans, in the layers that are
// indexed.
static int self_new(struct represent_set *r, int chunk, struct err *e)
{
    size_t b = (size_t)r->block, layers = (size_t)r->m->info.n_layers, blocks = (size_t)chunk / b;
    int divides = r->m->device->ops->divide != NULL;
    if (divides && (!(r->cut = mem_new(layers, sizeof *r->cut, e)) ||
                    !(r->cuts = mem_new(layers, sizeof *r->cuts, e)) ||
                    !(r->spans = mem_new(layers * blocks, sizeof *r->spans, e))))
        return ERR_NOMEM;
    if (!divides && !(r->self = mem_new(layers, sizeof *r->self, e)))
        return ERR_NOMEM;
    for (uint32_t c = 0; c < r->n_channels; c++) {
        uint32_t l = r->channels[c].layer;
        const struct span_options o = span_options_of(r, (int)l);
        if (divides) {
            r->cuts[l] = span_cut_of(&o);
            r->cut[l] = &r->cuts[l];
        } else if (!r->self[l] && !(r->self[l] = mem_new(blocks * b * b, sizeof **r->self, e))) {
            return ERR_NOMEM;
        }
    }
    return 0;
}

void represent_ask(const struct represent_set *r, struct forward *f)
{
    f->self = r->self;
    f->self_block = r->block;
    f->cut = r->cut;
    f->spans = r->spans;
}

int represent_asks(const struct represent_set *r)
{
    return r->self || r->cut;
}

static int has_spans(const struct represent_set *r, size_t layer)
{
    return r->cut ? r->cut[layer] != NULL : r->self[layer] != NULL;
}

static int buffers_new(struct represent_set *r, struct err *e)
{
    size_t n = r->n_channels, per = r->per_block;
    if (!(r->vectors = mem_new(n, sizeof *r->vectors, e)) ||
        !(r->n_vectors = mem_new(n, sizeof *r->n_vectors, e)) ||
        !(r->vector_token = mem_new(n, sizeof *r->vector_token, e)) ||
        !(r->store = mem_new(n * per * (size_t)r->m->info.head_dim, sizeof *r->store, e)) ||
        !(r->tokens = mem_new(n * per, sizeof *r->tokens, e)))
        return ERR_NOMEM;
    return 0;
}

int represent_new(struct represent_set **out, const struct model *m, const struct method *parts,
                  int block, int chunk, struct err *e)
{
    enum represent kind = parts->represent;
    *out = NULL;
    struct represent_set *r = mem_new(1, sizeof *r, e);
    if (!r)
        return ERR_NOMEM;
    r->m = m;
    r->kind = kind;
    r->kept = parts->kept;
    r->block = block;
    r->per_block = per_block(parts);
    r->representatives = representatives(parts);
    int rc = channels_new(r, e);
    if (!rc)
        rc = buffers_new(r, e);
    if (!rc && kind == REPRESENT_SPANS)
        rc = self_new(r, chunk, e);
    if (rc) {
        represent_free(r);
        return rc;
    }
    *out = r;
    return 0;
}

void represent_free(struct represent_set *r)
{
    if (!r)
        return;
    for (int i = 0; r->self && i < r->m->info.n_layers; i++)
        free(r->self[i]);
    free(r->self);
    free(r->cut);
    free(r->cuts);
    free(r->spans);
    free(r->channels);
    free(r->vectors);
    free(r->n_vectors);
    free(r->vector_token);
    free(r->store);
    free(r->tokens);
    free(r);
}

// ------------------------------------------------------------------------------- spans: the picks

// One layer after the other: the number of tokens, then each.
int represent_pick(struct represent_set *r, int n, int i, uint32_t n_tokens, uint8_t **picks,
                   uint32_t *bytes, struct err *e)
{
    *picks = NULL;
    *bytes = 0;
    if (!represent_asks(r))
        return 0;
    size_t b = (size_t)r->block, layers = (size_t)r->m->info.n_layers;
    const struct spans *found = r->spans ? r->spans + i : NULL; // of the first layer that has any
    uint8_t *p = mem_new(layers * (SPAN_TOKENS_MAX + 1), 1, e);
    if (!p)
        return ERR_NOMEM;
    for (size_t l = 0; l < layers; l++) {
        struct span_set s;
        const struct span_options o = span_options_of(r, (int)l);
        int is_whole = n_tokens == b, rc;
        if (!has_spans(r, l))
            continue;
        if (found && is_whole)
            rc = span_elect(&s, found, (int)n_tokens, &o, e);
        else
            rc = span_divide(&s, is_whole ? r->self[l] + (size_t)i * b * b : NULL, (int)n_tokens,
                             r->block, &o, e);
        found = found ? found + (size_t)n / b : NULL;
        if (rc) {
            free(p);
            return rc;
        }
        p[*bytes] = (uint8_t)s.n_tokens;
        memcpy(p + *bytes + 1, s.token, (size_t)s.n_tokens);
        *bytes += (uint32_t)s.n_tokens + 1;
    }
    *picks = p;
    return 0;
}

// The tokens picked for LAYER.
static int picked(const struct represent_set *r, uint32_t layer, uint32_t n_tokens,
                  const uint8_t *picks, uint32_t bytes, const uint8_t **tokens, uint32_t *n,
                  struct err *e)
{
    uint32_t at = 0;
    *n = 0;
    for (uint32_t l = 0; l <= layer; l++) {
        if (!has_spans(r, l))
            continue;
        at += *n;
        *n = at < bytes ? picks[at++] : UINT32_MAX;
        if (*n > r->per_block || *n > bytes - at)
            return err_set(e, ERR_FORMAT, "the saved state is damaged");
    }
    *tokens = picks + at;
    for (uint32_t i = 0; i < *n; i++)
        if ((*tokens)[i] >= n_tokens)
            return err_set(e, ERR_FORMAT, "the saved state is damaged");
    return 0;
}

// ------------------------------------------------------------------------------ vectors of a block

// The TOP tokens of largest mass (earlier ones first where equal), their mean key in OUT; returns
// the best token.
static uint8_t top_mean(const float *k, const float *mass, uint32_t n, uint32_t top, uint32_t dim,
                        float *out)
{
    uint32_t best[REPRESENTATIVES_MAX], count = n < top ? n : top;
    for (uint32_t c = 0; c < count; c++) {
        uint32_t b = UINT32_MAX;
        for (uint32_t t = 0; t < n; t++) {
            int taken = 0;
            for (uint32_t p = 0; p < c; p++)
                taken |= best[p] == t;
            if (!taken && (b == UINT32_MAX || mass[t] > mass[b]))
                b = t;
        }
        best[c] = b;
    }
    for (uint32_t i = 0; i < dim; i++) {
        float sum = 0;
        for (uint32_t c = 0; c < count; c++)
            sum += k[(size_t)best[c] * dim + i];
        out[i] = sum / (float)count;
    }
    return (uint8_t)(best[0] < 255 ? best[0] : 255);
}

// Element by element over N keys: what KIND keeps of them, one or two vectors.
static uint32_t pool(enum represent kind, const float *k, uint32_t n, uint32_t dim, float *out)
{
    for (uint32_t i = 0; i < dim; i++) {
        float low = k[i], high = k[i], sum = 0;
        for (uint32_t t = 0; t < n; t++) {
            float x = k[(size_t)t * dim + i];
            sum += x;
            low = x < low ? x : low;
            high = x > high ? x : high;
        }
        out[i] = kind == REPRESENT_MEAN ? sum / (float)n : kind == REPRESENT_MAX ? high : low;
        if (kind == REPRESENT_QUEST)
            out[dim + i] = high;
    }
    return kind == REPRESENT_QUEST ? 2 : 1;
}

// The keys of TOKENS [n].
static void gather(const float *k, const uint8_t *tokens, uint32_t n, uint32_t dim, float *out)
{
    for (uint32_t i = 0; i < n; i++)
        memcpy(out + (size_t)i * dim, k + (size_t)tokens[i] * dim, dim * sizeof *out);
}

int represent_block(struct represent_set *r, const float *const *k, uint32_t stride,
                    const float *const *mass, uint32_t n_tokens, const uint8_t *picks,
                    uint32_t bytes, struct err *e)
{
    for (uint32_t i = 0; i < r->n_channels; i++) {
        const struct kvz_channel *c = &r->channels[i];
        uint32_t kv = c->kind == KVZ_KEYS ? c->head : c->head / group(r), n = n_tokens;
        const float *keys = k[c->layer] + (size_t)kv * stride * c->dim;
        float *v = r->store + (size_t)i * r->per_block * c->dim;
        uint8_t *token = r->tokens + (size_t)i * r->per_block;
        const uint8_t *chosen = token;
        int rc;
        switch (r->kind) {
        case REPRESENT_KEYS:
            v = NULL;
            break;
        case REPRESENT_TOP:
            *token = top_mean(keys, mass[c->layer] + (size_t)c->head * n_tokens, n,
                              r->representatives, c->dim, v);
            n = 1;
            break;
        case REPRESENT_FIXED:
            n = n < r->representatives ? n : r->representatives;
            for (uint32_t t = 0; t < n; t++)
                token[t] = (uint8_t)(t * n_tokens / n);
            gather(keys, token, n, c->dim, v);
            break;
        case REPRESENT_SPANS:
            if ((rc = picked(r, c->layer, n_tokens, picks, bytes, &chosen, &n, e)))
                return rc;
            gather(keys, chosen, n, c->dim, v);
            memcpy(token, chosen, n);
            break;
        case REPRESENT_MEAN:
        case REPRESENT_MAX:
        case REPRESENT_QUEST:
            n = pool(r->kind, keys, n, c->dim, v);
            break;
        }
        r->vectors[i] = v ? v : keys;
        r->n_vectors[i] = n;
        r->vector_token[i] = v ? token : NULL;
    }
    return 0;
}
