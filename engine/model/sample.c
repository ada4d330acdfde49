#include "engine/model/sample.h"

#include <math.h>
#include <stdlib.h>

#include "io/mem.h"

struct candidate {
    float p;
    uint32_t id;
};

int bonuses_add(struct bonuses *b, uint32_t id, float by, struct err *e)
{
    int rc = MEM_GROW(b->v, b->cap, b->n + 1, e);
    if (!rc)
        b->v[b->n++] = (struct bonus){id, by};
    return rc;
}

void bonuses_apply(const struct bonuses *b, float *logits)
{
    for (size_t i = 0; i < b->n; i++)
        logits[b->v[i].id] += b->v[i].by;
}

void bonuses_done(struct bonuses *b)
{
    free(b->v);
    *b = (struct bonuses){0};
}

static int before(const struct candidate *x, const struct candidate *y)
{
    return x->p != y->p ? x->p > y->p : x->id < y->id;
}

// C[0 .. n-1] is a heap but for C[at], which sinks to its place: no child comes before its parent.
static void sink(struct candidate *c, int n, int at)
{
    struct candidate x = c[at];
    for (int child; (child = 2 * at + 1) < n; at = child) {
        if (child + 1 < n && before(&c[child + 1], &c[child]))
            child++;
        if (!before(&c[child], &x))
            break;
        c[at] = c[child];
    }
    c[at] = x;
}

// Takes the first of the heap's N candidates out; it lies at C[n - 1] then.
static const struct candidate *pop(struct candidate *c, int n)
{
    struct candidate first = c[0];
    c[0] = c[n - 1];
    c[n - 1] = first;
    sink(c, n - 1, 0);
    return &c[n - 1];
}

// splitmix64 (Steele, Lea, Flood 2014), 53 bits to [0, 1).
static double uniform(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

// The largest of X [n], n > 0, of equals the first; where the first is no number, that one. Eight
// are compared side by side, because one after the other each would wait for the one before.
static uint32_t argmax(const float *x, int n)
{
    enum { WIDE = 8 };
    float top[WIDE];
    int i = 0;
    for (int j = 0; j < WIDE; j++)
        top[j] = x[0];
    for (; i + WIDE <= n; i += WIDE)
#pragma GCC unroll 8
        for (int j = 0; j < WIDE; j++)
            top[j] = x[i + j] > top[j] ? x[i + j] : top[j];
    for (; i < n; i++)
        top[0] = x[i] > top[0] ? x[i] : top[0];
    for (int j = 1; j < WIDE; j++)
        top[0] = top[j] > top[0] ? top[j] : top[0];
    uint32_t best = 0;
    while (!isnan(top[0]) && x[best] != top[0])
        best++;
    return best;
}

// A draw needs but the likeliest candidates in order, so they come from a heap: sorting a
// vocabulary for each token took longer than some models' passes.
static uint32_t draw(struct sampler *s, struct candidate *c, int n, double sum)
{
    for (int at = n / 2 - 1; at >= 0; at--)
        sink(c, n, at);
    double mass = sum;
    int taken = 0;
    if (s->top_p > 0 && s->top_p < 1) {
        mass = 0;
        while (taken < n && mass < sum * (double)s->top_p)
            mass += (double)pop(c, n - taken++)->p;
    }
    double at = uniform(&s->state) * mass;
    int most = taken ? taken : n;
    for (int i = 0;; i++) {
        const struct candidate *x = i < taken ? &c[n - 1 - i] : pop(c, n - i);
        at -= (double)x->p;
        if (at < 0 || i == most - 1)
            return x->id;
    }
}

struct draw sample_draw(struct sampler *s)
{
    return (struct draw){.temp = s->temp, .top_p = s->top_p, .uniform = uniform(&s->state)};
}

int sample_best(const struct best *b, uint32_t *token, struct err *e)
{
    *token = b->id;
    return isfinite(b->value)
               ? 0
               : err_set(e, ERR_FORMAT,
                         "the model's output is not a number; is the model damaged?");
}

int sample(struct sampler *s, float *logits, int n, uint32_t *token, struct err *e)
{
    const uint32_t best = argmax(logits, n);
    const float top = logits[best];
    int rc = sample_best(&(struct best){top, best}, token, e);
    if (rc || s->temp <= 0)
        return rc;
    struct candidate *c = mem_new((size_t)n, sizeof *c, e);
    if (!c)
        return ERR_NOMEM;
    double sum = 0;
    for (int i = 0; i < n; i++) {
        c[i] = (struct candidate){expf((logits[i] - top) / s->temp), (uint32_t)i};
        sum += (double)c[i].p;
    }
    if (isfinite(sum))
        *token = draw(s, c, n, sum);
    else
        rc = sample_best(&(struct best){NAN, best}, token, e);
    free(c);
    return rc;
}
