#include "engine/sample.h"

#include <math.h>
#include <stdlib.h>

#include "io/mem.h"

struct candidate {
    float p;
    uint32_t id;
};

static int by_p(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    if (x->p != y->p)
        return x->p < y->p ? 1 : -1;
    return x->id < y->id ? -1 : x->id > y->id;
}

// splitmix64 (Steele, Lea, Flood 2014), 53 bits to [0, 1).
static double uniform(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

static uint32_t argmax(const float *x, int n)
{
    int best = 0;
    for (int i = 1; i < n; i++)
        if (x[i] > x[best])
            best = i;
    return (uint32_t)best;
}

static uint32_t draw(struct sampler *s, const struct candidate *c, int n, double sum)
{
    double keep = s->top_p > 0 && s->top_p < 1 ? sum * (double)s->top_p : sum;
    double mass = 0;
    int last = 0;
    while (last < n && mass < keep)
        mass += (double)c[last++].p;
    double at = uniform(&s->state) * mass;
    for (int i = 0; i < last; i++) {
        at -= (double)c[i].p;
        if (at < 0)
            return c[i].id;
    }
    return c[last - 1].id;
}

int sample(struct sampler *s, float *logits, int n, uint32_t *token, struct err *e)
{
    uint32_t best = argmax(logits, n);
    float top = logits[best];
    if (!isfinite(top))
        return err_set(e, ERR_FORMAT, "the model's output is not a number; is the model damaged?");
    *token = best;
    if (s->temp <= 0)
        return 0;
    struct candidate *c = mem_new((size_t)n, sizeof *c, e);
    if (!c)
        return ERR_NOMEM;
    double sum = 0;
    for (int i = 0; i < n; i++) {
        c[i] = (struct candidate){expf((logits[i] - top) / s->temp), (uint32_t)i};
        sum += (double)c[i].p;
    }
    qsort(c, (size_t)n, sizeof *c, by_p);
    *token = draw(s, c, n, sum);
    free(c);
    return 0;
}
