#include "cache/basis_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cache/basis.h"
#include "io/mem.h"
#include "kernels/eigen.h"
#include "kernels/sums.h"

enum { COUNTED = 256 }; // tokens whose coefficients are counted

// What one part needs to be measured: parts are measured side by side.
struct scratch {
    float *x;                     // [n][wide] its elements
    float *part;                  // [n][width] those of a group, and room for four more
    float *sum;                   // [width][width]
    double *a, *values, *vectors; // [width][width]; [width]; [width][width]
};

static int scratch_new(struct scratch *s, const struct basis_fit *f, struct err *e)
{
    const size_t w = f->mix ? f->width : 1;
    s->x = mem_new((size_t)f->n * f->wide, sizeof *s->x, e);
    s->part = mem_new((size_t)f->n * f->width + 4, sizeof *s->part, e);
    s->sum = mem_new(w * w, sizeof *s->sum, e);
    s->a = mem_new(w * w, sizeof *s->a, e);
    s->values = mem_new(w, sizeof *s->values, e);
    s->vectors = mem_new(w * w, sizeof *s->vectors, e);
    return s->x && s->part && s->sum && s->a && s->values && s->vectors ? 0 : ERR_NOMEM;
}

static void scratch_done(struct scratch *s)
{
    free(s->x);
    free(s->part);
    free(s->sum);
    free(s->a);
    free(s->values);
    free(s->vectors);
}

static uint32_t group_of(const struct kvz_meta *m)
{
    uint32_t group = m->n_kv_heads;
    while (group > 1 && ((uint64_t)group * m->head_dim > BASIS_WIDTH_MAX || m->n_kv_heads % group))
        group--;
    return group;
}

// The steps of a part's heads. Without matrices they can only have one, the mean of their logarithms.
static void weigh(struct basis_fit *f, size_t part, const float *steps)
{
    const size_t heads = f->m->n_kv_heads;
    float *weight = f->weight + part * heads, most = 0;
    double sum = 0;
    for (size_t h = 0; h < heads; h++) {
        weight[h] = steps ? steps[part * heads + h] : 1;
        most = weight[h] > most ? weight[h] : most;
        sum += log((double)weight[h]);
    }
    f->step[part] = f->mix ? most : (float)exp(sum / (double)heads);
    for (size_t h = 0; h < heads; h++)
        weight[h] = f->mix ? most / weight[h] : 1;
}

int basis_fit_new(struct basis_fit *f, const struct kvz_meta *m, uint32_t n, uint32_t stride, uint32_t skip, int mix,
                  const struct kvz_fit *fit, struct err *e)
{
    const size_t parts = 2 * (size_t)m->n_layers;
    *f = (struct basis_fit){.m = m, .n = n, .stride = stride, .skip = skip, .group = group_of(m)};
    f->near = fit ? fit->near : NULL;
    f->wide = (size_t)m->n_kv_heads * m->head_dim;
    f->width = (size_t)f->group * m->head_dim;
    f->n_groups = m->n_kv_heads / f->group;
    f->mix = mix && f->width <= BASIS_WIDTH_MAX && f->width % 4 == 0;
    f->every = (n - skip + COUNTED - 1) / COUNTED;
    f->n_counted = (n - skip) / f->every;
    f->c = mem_new(parts * f->n_counted, f->wide * sizeof *f->c, e);
    f->deviation = mem_new(parts, f->wide * sizeof *f->deviation, e);
    f->power = mem_new(parts, sizeof *f->power, e);
    f->mean = mem_new(parts, f->wide * sizeof *f->mean, e);
    f->step = mem_new(parts, sizeof *f->step, e);
    f->weight = mem_new(parts, m->n_kv_heads * sizeof *f->weight, e);
    if (f->mix)
        f->rows = mem_new(parts * f->n_groups, f->width * f->width * sizeof *f->rows, e);
    if (!f->c || !f->deviation || !f->power || !f->mean || !f->step || !f->weight || (f->mix && !f->rows))
        return ERR_NOMEM;
    for (size_t part = 0; part < parts; part++)
        weigh(f, part, fit ? fit->steps : NULL);
    return 0;
}

void basis_fit_done(struct basis_fit *f)
{
    free(f->c);
    free(f->deviation);
    free(f->power);
    free(f->mean);
    free(f->step);
    free(f->weight);
    free(f->rows);
}

static float half_of(float x)
{
    uint32_t u;
    memcpy(&u, &x, 4);
    u = (u + 0x8000) & 0xffff0000;
    memcpy(&x, &u, 4);
    return x;
}

static int is_near(const struct basis_fit *f, size_t part, size_t head)
{
    return f->near && f->near[part / 2 * f->m->n_kv_heads + head];
}

size_t basis_fit_stored(const struct basis_fit *f, size_t part)
{
    size_t n = 0;
    for (size_t h = 0; h < f->m->n_kv_heads; h++)
        n += is_near(f, part, h) ? 0 : f->m->head_dim;
    return n;
}

// [n][wide], the mean taken away, and weighed; of a head that is near nothing stays.
static int take(struct basis_fit *f, struct scratch *s, const float *x, size_t part, struct err *e)
{
    const size_t dim = f->m->head_dim;
    const float *weight = f->weight + part * f->m->n_kv_heads;
    float *mean = f->mean + part * f->wide;
    double power = 0;
    for (size_t h = 0; h < f->m->n_kv_heads; h++)
        for (size_t t = 0; t < f->n; t++)
            memcpy(s->x + t * f->wide + h * dim, x + (h * f->stride + t) * dim, dim * sizeof *x);
    for (size_t i = 0; i < f->wide; i++) {
        double sum = 0;
        for (size_t t = f->skip; t < f->n; t++)
            sum += s->x[t * f->wide + i];
        mean[i] = half_of((float)(sum / (f->n - f->skip)));
        for (size_t t = 0; t < f->n; t++) {
            float y = s->x[t * f->wide + i] - mean[i];
            if (is_near(f, part, i / dim))
                y = 0;
            s->x[t * f->wide + i] = y * weight[i / dim];
            power += t >= f->skip ? (double)y * y : 0;
        }
    }
    power /= (double)(f->n - f->skip) * fmax((double)basis_fit_stored(f, part), 1);
    if (!(power < 0x1p100))
        return err_set(e, ERR_FORMAT, "keys or values are infinite, not numbers, or too large");
    f->power[part] = (float)fmax(power, 0x1p-60);
    return 0;
}

static void copy_group(const struct basis_fit *f, const float *x, size_t n, size_t group, float *out)
{
    for (size_t t = 0; t < n; t++)
        memcpy(out + t * f->width, x + t * f->wide + group * f->width, f->width * sizeof *out);
}

SUMS_OF(float)

// Whether token T is one whose coefficients are counted. Directions are found without them, where
// that leaves enough: they would be better along what they themselves have shaped than others are.
static int is_counted(const struct basis_fit *f, size_t t)
{
    return f->every > 1 && (t - f->skip) % f->every == 0 && (t - f->skip) / f->every < f->n_counted;
}

// Principal directions of a group's elements, those that vary most first.
static int directions(struct basis_fit *f, struct scratch *s, size_t part, size_t group, struct err *e)
{
    const size_t w = f->width, n = f->n - f->skip;
    float *x = s->part, *rows = f->rows + (part * f->n_groups + group) * w * w;
    copy_group(f, s->x + f->skip * f->wide, n, group, x);
    memset(s->sum, 0, w * w * sizeof *s->sum);
    for (size_t t = 0; t < n; t++)
        for (size_t i = 0; i < w && !is_counted(f, f->skip + t); i++)
            add_float(s->sum + i * w, x[t * w + i], x + t * w, i + 1);
    for (size_t i = 0; i < w; i++)
        for (size_t j = 0; j < w; j++)
            s->a[i * w + j] = (double)(i < j ? s->sum[j * w + i] : s->sum[i * w + j]) / (double)n;
    int rc = eigen(s->a, w, s->values, s->vectors, e);
    if (rc)
        return rc;
    for (size_t i = 0; i < w * w; i++)
        rows[i] = (float)s->vectors[i];
    return 0;
}

// Coefficients of the tokens that are counted, and how much they vary.
static void project(struct basis_fit *f, const struct scratch *s, size_t part, size_t group)
{
    const size_t w = f->width;
    const float *rows = f->rows + (part * f->n_groups + group) * w * w;
    for (size_t i = 0; i < f->n_counted; i++) {
        const float *x = s->x + (f->skip + i * f->every) * f->wide + group * w;
        float *c = f->c + (part * f->n_counted + i) * f->wide + group * w;
        for (size_t j = 0; j < w; j++) {
            c[j] = dot_float(rows + j * w, x, w);
        }
    }
    for (size_t j = 0; j < w; j++) {
        const float *c = f->c + part * f->n_counted * f->wide + group * w + j;
        double sum = 0;
        for (size_t i = 0; i < f->n_counted; i++)
            sum += (double)c[i * f->wide] * c[i * f->wide];
        f->deviation[part * f->wide + group * w + j] = (float)sqrt(sum / f->n_counted);
    }
}

// Puts the directions of a group in the order of how much they vary: channels that are coded alike
// lie together, and a decoder's tables stay close at hand.
static void sort_directions(struct basis_fit *f, struct scratch *s, size_t part, size_t group)
{
    const size_t w = f->width;
    float *rows = f->rows + (part * f->n_groups + group) * w * w, *old = (float *)(void *)s->vectors;
    float *deviation = f->deviation + part * f->wide + group * w, sorted[BASIS_WIDTH_MAX];
    size_t from[BASIS_WIDTH_MAX];
    for (size_t j = 0; j < w; j++) {
        size_t at = j;
        for (; at && deviation[from[at - 1]] < deviation[j]; at--)
            from[at] = from[at - 1];
        from[at] = j;
    }
    memcpy(old, rows, w * w * sizeof *rows);
    for (size_t j = 0; j < w; j++) {
        memcpy(rows + j * w, old + from[j] * w, w * sizeof *rows);
        sorted[j] = deviation[from[j]];
    }
    memcpy(deviation, sorted, w * sizeof *sorted);
    for (size_t i = 0; i < f->n_counted; i++) {
        float *c = f->c + (part * f->n_counted + i) * f->wide + group * w;
        for (size_t j = 0; j < w; j++)
            sorted[j] = c[from[j]];
        memcpy(c, sorted, w * sizeof *sorted);
    }
}

// Makes directions of weighed elements those of elements.
static void unweigh(struct basis_fit *f, size_t part, size_t group)
{
    const size_t w = f->width, dim = f->m->head_dim;
    const float *weight = f->weight + part * f->m->n_kv_heads + group * f->group;
    float *rows = f->rows + (part * f->n_groups + group) * w * w;
    for (size_t i = 0; i < w * w; i++)
        rows[i] /= weight[i % w / dim];
}

static void elements(struct basis_fit *f, const struct scratch *s, size_t part)
{
    for (size_t i = 0; i < f->wide; i++) {
        double sum = 0;
        for (size_t t = f->skip; t < f->n; t++)
            sum += (double)s->x[t * f->wide + i] * s->x[t * f->wide + i];
        f->deviation[part * f->wide + i] = (float)sqrt(sum / (f->n - f->skip));
    }
    for (size_t i = 0; i < f->n_counted; i++)
        memcpy(f->c + (part * f->n_counted + i) * f->wide,
               s->x + (f->skip + i * f->every) * f->wide, f->wide * sizeof *f->c);
}

struct measuring {
    struct basis_fit *f;
    const float *const *k, *const *v;
    int *rc;       // [2 n_layers]
    struct err *e; // [2 n_layers]
};

static void measure_task(void *ctx, int task, int thread)
{
    (void)thread;
    const struct measuring *m = ctx;
    const size_t part = (size_t)task;
    struct basis_fit *f = m->f;
    struct err *e = &m->e[part];
    struct scratch s;
    int rc = scratch_new(&s, f, e);
    if (!rc)
        rc = take(f, &s, (part % 2 ? m->v : m->k)[part / 2], part, e);
    for (size_t g = 0; g < f->n_groups && f->rows && !rc; g++) {
        rc = directions(f, &s, part, g, e);
        project(f, &s, part, g);
        sort_directions(f, &s, part, g);
        unweigh(f, part, g);
    }
    if (!rc && !f->rows)
        elements(f, &s, part);
    scratch_done(&s);
    m->rc[part] = rc;
}

int basis_fit_measure(struct basis_fit *f, const float *const *k, const float *const *v, struct pool *pool,
                      struct err *e)
{
    const int parts = 2 * (int)f->m->n_layers;
    struct measuring m = {.f = f,
                          .k = k,
                          .v = v,
                          .rc = mem_new((size_t)parts, sizeof *m.rc, e),
                          .e = mem_new((size_t)parts, sizeof *m.e, e)};
    int rc = m.rc && m.e ? 0 : ERR_NOMEM;
    if (!rc)
        pool_run(pool, parts, measure_task, &m);
    for (int i = 0; i < parts && !rc; i++)
        if (m.rc[i])
            rc = err_set(e, m.rc[i], "%s", m.e[i].msg);
    free(m.rc);
    free(m.e);
    return rc;
}
