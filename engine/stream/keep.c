#include "engine/stream/keep.h"

#include <stdlib.h>
#include <string.h>

#include "io/mem.h"

int keep_new(struct keep **out, const struct model *m, int n_caches, int slots, int shift,
             struct err *e)
{
    const struct model_info *f = &m->info;
    struct keep *s = mem_new(1, sizeof *s, e);
    if (!s)
        return ERR_NOMEM;
    s->m = m;
    size_t lanes = (size_t)f->n_layers * (size_t)f->n_kv_heads;
    int rc = cascade_new(&s->c, n_caches, slots, shift, (int)lanes, e);
    if (!rc) {
        s->lane = (size_t)s->c->n_rows * (size_t)f->head_dim;
        s->k = mem_new(lanes * s->lane, sizeof *s->k, e);
        s->v = mem_new(lanes * s->lane, sizeof *s->v, e);
        s->score = mem_new(lanes, sizeof *s->score, e);
        s->order = mem_new((size_t)s->c->n_rows, sizeof *s->order, e);
        rc = s->k && s->v && s->score && s->order ? 0 : ERR_NOMEM;
    }
    if (rc)
        keep_free(s);
    else
        *out = s;
    return rc;
}

void keep_free(struct keep *s)
{
    if (!s)
        return;
    cascade_free(s->c);
    free(s->k);
    free(s->v);
    free(s->score);
    free(s->row);
    free(s->order);
    free(s);
}

// The upper halves of finite floats, rounded.
static void halve(uint16_t *restrict dst, const float *restrict src, size_t n)
{
    enum { STEP = 16 }; // whose number the compiler knows, so that it takes several at a time
    uint32_t u[STEP];
    size_t i = 0;
    for (; i + STEP <= n; i += STEP) {
        memcpy(u, src + i, sizeof u);
        for (int j = 0; j < STEP; j++)
            dst[i + (size_t)j] = (uint16_t)((u[j] + 0x8000) >> 16);
    }
    for (; i < n; i++) {
        memcpy(u, src + i, sizeof *u);
        dst[i] = (uint16_t)((*u + 0x8000) >> 16);
    }
}

static void widen(float *dst, const uint16_t *src, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t u = (uint32_t)src[i] << 16;
        memcpy(dst + i, &u, sizeof u);
    }
}

// The most attention that a query head of kv head HEAD gave token T of N.
static float most_of_group(const struct model_info *f, const float *mass, size_t head, size_t n,
                           size_t t)
{
    size_t group = (size_t)(f->n_heads / f->n_kv_heads);
    float most = 0;
    for (size_t h = head * group; h < (head + 1) * group; h++)
        most = mass[h * n + t] > most ? mass[h * n + t] : most;
    return most;
}

// Tokens on their way to their rows.
struct adding {
    struct keep *s;
    float *const *k, *const *v; // as keep_add's
    size_t n, stride;
};

// Adds the tokens to one lane. Lane by lane, because a token's rows of all lanes lie in as many
// pages.
static void lane_task(void *ctx, int task, int thread)
{
    (void)thread;
    const struct adding *a = ctx;
    const struct keep *s = a->s;
    const size_t dim = (size_t)s->m->info.head_dim, kv = (size_t)s->m->info.n_kv_heads,
                 lane = (size_t)task;
    const size_t from = lane % kv * a->stride * dim;
    const float *k = a->k[lane / kv] + from, *v = a->v[lane / kv] + from;
    for (size_t t = 0; t < a->n; t++) {
        const size_t to = lane * s->lane + s->row[t * (size_t)s->c->n_lanes + lane] * dim;
        halve(s->k + to, k + t * dim, dim);
        halve(s->v + to, v + t * dim, dim);
    }
}

int keep_add(struct keep *s, int n, uint64_t token, float *const *k, float *const *v, int stride,
             float *const *mass, struct pool *pool, struct err *e)
{
    const struct model_info *f = &s->m->info;
    const size_t kv = (size_t)f->n_kv_heads, wide = (size_t)n, lanes = (size_t)s->c->n_lanes;
    int rc = MEM_GROW(s->row, s->cap_rows, wide * lanes, e);
    if (rc)
        return rc;
    for (size_t t = 0; t < wide; t++) {
        for (size_t l = 0; l < lanes; l++)
            s->score[l] = most_of_group(f, mass[l / kv], l % kv, wide, t);
        cascade_add(s->c, (uint32_t)(token + t), s->score, s->row + t * lanes);
    }
    pool_run(pool, (int)lanes, lane_task, &(struct adding){s, k, v, wide, (size_t)stride});
    return 0;
}

void keep_attend(struct keep *s, int layer, const float *mass)
{
    const struct model_info *f = &s->m->info;
    size_t held = (size_t)s->c->held;
    for (int h = 0; h < f->n_kv_heads; h++) {
        int lane = layer * f->n_kv_heads + h;
        cascade_order(s->c, lane, s->order);
        for (size_t i = 0; i < held; i++)
            cascade_attend(s->c, lane, s->order[i], most_of_group(f, mass, (size_t)h, held, i));
    }
}

void keep_rows(struct keep *s, int layer, float *k, float *v)
{
    size_t dim = (size_t)s->m->info.head_dim;
    for (int h = 0; h < s->m->info.n_kv_heads; h++) {
        int lane = layer * s->m->info.n_kv_heads + h, n = cascade_order(s->c, lane, s->order);
        for (int i = 0; i < n; i++, k += dim, v += dim) {
            size_t at = (size_t)lane * s->lane + s->order[i] * dim;
            widen(k, s->k + at, dim);
            widen(v, s->v + at, dim);
        }
    }
}

void keep_fill(struct keep *s, int lane, uint64_t seen, int n, const uint32_t *token,
               const float *score, const float *k, const float *v)
{
    size_t elements = (size_t)n * (size_t)s->m->info.head_dim;
    cascade_fill(s->c, lane, seen, n, token, score);
    halve(s->k + (size_t)lane * s->lane, k, elements);
    halve(s->v + (size_t)lane * s->lane, v, elements);
}

int keep_save(const struct keep *s, struct bytes *b, struct err *e)
{
    size_t bytes = (size_t)s->c->n_lanes * s->lane * sizeof *s->k;
    int rc = cascade_save(s->c, b, e);
    if (rc || (rc = bytes_put(b, s->k, bytes, e)))
        return rc;
    return bytes_put(b, s->v, bytes, e);
}

int keep_load(struct keep *s, struct cursor *c, struct err *e)
{
    size_t bytes = (size_t)s->c->n_lanes * s->lane * sizeof *s->k;
    int rc = cascade_load(s->c, c, e);
    const uint8_t *k = cursor_bytes(c, bytes), *v = cursor_bytes(c, bytes);
    if (rc)
        return rc;
    if (!k || !v)
        return err_set(e, ERR_FORMAT, "the saved keys and values are too short");
    memcpy(s->k, k, bytes);
    memcpy(s->v, v, bytes);
    return 0;
}
