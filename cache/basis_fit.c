#include "cache/basis_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cache/basis.h"
#include "io/mem.h"
#include "kernels/codec/eigen.h"
#include "kernels/codec/mix.h"

enum {
    COUNTED = 256,   // tokens whose coefficients are counted
    PAIR_MOST = 384, // elements of a group's keys and values, if it has more than one head: the
                     // time for directions grows with the third power
};

// What a thread needs to measure a part; rows are padded.
struct scratch {
    float *x;    // [n][wide] the part's elements
    float *by;   // [wide] their weights
    float *part; // [n][width] elements of one group, of the tokens that directions are found from
    float *counted;               // [width][n_counted] elements of the tokens that are counted
    float *square;                // [width][width]
    float *sorted;                // [width][n_counted or width]
    double *a, *values, *vectors; // [width][width]; [width]; [width][width]
    double *sum;                  // [wide]
};

static int scratch_new(struct scratch *s, const struct basis_fit *f, struct err *e)
{
    const size_t w = f->mix ? f->width : 0, wp = basis_padded(w), cp = basis_padded(f->n_counted);
    s->x = mem_scratch(f->from->n * f->wide * sizeof *s->x, e);
    s->by = mem_scratch(f->wide * sizeof *s->by, e);
    s->part = mem_scratch(f->from->n * wp * sizeof *s->part, e);
    s->counted = mem_scratch(w * cp * sizeof *s->counted, e);
    s->square = mem_scratch(w * wp * sizeof *s->square, e);
    s->sorted = mem_scratch(w * (w > cp ? w : cp) * sizeof *s->sorted, e);
    s->a = mem_scratch(w * w * sizeof *s->a, e);
    s->values = mem_scratch(w * sizeof *s->values, e);
    s->vectors = mem_scratch(w * w * sizeof *s->vectors, e);
    s->sum = mem_scratch(f->wide * sizeof *s->sum, e);
    return s->x && s->by && s->part && s->counted && s->square && s->sorted && s->a && s->values &&
                   s->vectors && s->sum
               ? 0
               : ERR_NOMEM;
}

static void scratch_done(struct scratch *s)
{
    free(s->x);
    free(s->by);
    free(s->part);
    free(s->counted);
    free(s->square);
    free(s->sorted);
    free(s->a);
    free(s->values);
    free(s->vectors);
    free(s->sum);
}

static uint32_t group_of(const struct kvz_meta *m, uint64_t most)
{
    uint32_t group = m->n_kv_heads;
    while (group > 1 && ((uint64_t)group * m->head_dim > most || m->n_kv_heads % group))
        group--;
    return group;
}

// Sets the steps of a part's heads. Without matrices they have to share one, the mean of their
// logarithms.
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

size_t basis_fit_lane(const struct basis_fit *f, size_t side, size_t head)
{
    return f->sides == 1 ? head : (head / f->group * 2 + side) * f->group + head % f->group;
}

// Allocates what follows from group, sides, width and mix, as basis_fit_new has set them.
static int room_new(struct basis_fit *f, struct err *e)
{
    const struct kvz_meta *m = f->m;
    const struct basis_sample *from = f->from;
    const uint32_t counted = from->n - from->skip;
    f->near = from->fit ? from->fit->near : NULL;
    f->n_groups = m->n_kv_heads / f->group;
    f->lanes = (size_t)f->sides * m->n_kv_heads;
    f->wide = f->lanes * m->head_dim;
    f->every = (counted + COUNTED - 1) / COUNTED;
    f->n_counted = counted / f->every;
    const size_t parts = f->n_parts = 2 * (size_t)m->n_layers / f->sides;
    f->c = mem_new(parts * f->wide, basis_padded(f->n_counted) * sizeof *f->c, e);
    f->deviation = mem_new(parts, f->wide * sizeof *f->deviation, e);
    f->power = mem_new(parts, sizeof *f->power, e);
    f->mean = mem_new(parts, f->wide * sizeof *f->mean, e);
    f->step = mem_new(parts, sizeof *f->step, e);
    f->weight = mem_new(parts, f->lanes * sizeof *f->weight, e);
    if (f->mix)
        f->rows = mem_new(parts * f->n_groups, f->width * f->width * sizeof *f->rows, e);
    return f->c && f->deviation && f->power && f->mean && f->step && f->weight &&
                   (!f->mix || f->rows)
               ? 0
               : ERR_NOMEM;
}

int basis_fit_new(struct basis_fit *f, const struct kvz_meta *m, const struct basis_sample *from,
                  struct err *e)
{
    *f = (struct basis_fit){.m = m, .from = from, .group = group_of(m, BASIS_WIDTH_MAX)};
    f->sides = 1;
    f->width = (size_t)f->group * m->head_dim;
    f->mix = from->mix && f->width <= BASIS_WIDTH_MAX && f->width % 4 == 0;
    int rc = room_new(f, e);
    for (size_t part = 0; part < f->n_parts && !rc; part++)
        weigh(f, part, from->fit ? from->fit->steps : NULL);
    return rc;
}

int basis_fit_pair(struct basis_fit *f, const struct basis_fit *apart, const double *steps,
                   struct err *e)
{
    const struct kvz_meta *m = apart->m;
    *f = (struct basis_fit){.m = m, .from = apart->from, .group = group_of(m, PAIR_MOST / 2)};
    f->sides = 2;
    f->width = 2 * (size_t)f->group * m->head_dim;
    f->mix = 1;
    int rc = room_new(f, e);
    for (size_t i = 0; i < 2 * (size_t)m->n_layers && !rc; i++) {
        f->step[i / 2] = 1;
        for (size_t h = 0; h < m->n_kv_heads; h++)
            f->weight[i / 2 * f->lanes + basis_fit_lane(f, i % 2, h)] =
                (float)((double)apart->weight[i * m->n_kv_heads + h] / steps[i]);
    }
    return rc;
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

static size_t layer_of(const struct basis_fit *f, size_t part)
{
    return part * f->sides / 2;
}

static int is_near(const struct basis_fit *f, size_t part, size_t head)
{
    return f->near && f->near[layer_of(f, part) * f->m->n_kv_heads + head];
}

size_t basis_fit_stored(const struct basis_fit *f, size_t part)
{
    size_t n = 0;
    for (size_t h = 0; h < f->m->n_kv_heads; h++)
        n += is_near(f, part, h) ? 0 : f->sides * f->m->head_dim;
    return n;
}

// Sums the elements, or their squares, over all tokens but the skipped ones.
static void sum_up(const struct basis_fit *f, struct scratch *s, int squares)
{
    memset(s->sum, 0, f->wide * sizeof *s->sum);
    for (size_t t = f->from->skip; t < f->from->n; t++) {
        const float *x = s->x + t * f->wide;
        for (size_t i = 0; i < f->wide; i++)
            s->sum[i] += squares ? (double)x[i] * x[i] : (double)x[i];
    }
}

// Fills in s->x [n][wide]: the elements less their mean, times their weights; 0 for near heads.
// Sets the part's mean and power.
static int take(struct basis_fit *f, struct scratch *s, size_t part, struct err *e)
{
    const size_t dim = f->m->head_dim;
    const float *weight = f->weight + part * f->lanes;
    float *mean = f->mean + part * f->wide;
    double power = 0;
    for (size_t i = 0; i < f->lanes; i++) {
        const size_t h = i % f->m->n_kv_heads,
                     side = f->sides == 1 ? part % 2 : i / f->m->n_kv_heads;
        const size_t lane = basis_fit_lane(f, side, h);
        const float *x = (side ? f->from->v : f->from->k)[layer_of(f, part)];
        for (size_t t = 0; t < f->from->n; t++)
            memcpy(s->x + t * f->wide + lane * dim, x + (h * f->from->stride + t) * dim,
                   dim * sizeof *x);
        for (size_t d = 0; d < dim; d++)
            s->by[lane * dim + d] = is_near(f, part, h) ? 0 : weight[lane];
    }
    sum_up(f, s, 0);
    for (size_t i = 0; i < f->wide; i++)
        mean[i] = half_of((float)(s->sum[i] / (f->from->n - f->from->skip)));
    for (size_t t = 0; t < f->from->n; t++)
        for (size_t i = 0; i < f->wide; i++)
            s->x[t * f->wide + i] = (s->x[t * f->wide + i] - mean[i]) * s->by[i];
    sum_up(f, s, 1);
    for (size_t i = 0; i < f->wide; i++)
        power += s->by[i] > 0 ? s->sum[i] / ((double)s->by[i] * s->by[i]) : 0;
    power /= (double)(f->from->n - f->from->skip) * fmax((double)basis_fit_stored(f, part), 1);
    if (!(power < 0x1p100))
        return err_set(e, ERR_FORMAT, "keys or values are infinite, not numbers, or too large");
    f->power[part] = (float)fmax(power, 0x1p-60);
    return 0;
}

// Whether the coefficients of token T are counted. If enough others are left, directions are found
// without these tokens: along directions that they themselves have shaped, they would look better
// than other tokens do.
static int is_counted(const struct basis_fit *f, size_t t)
{
    return f->every > 1 && (t - f->from->skip) % f->every == 0 &&
           (t - f->from->skip) / f->every < f->n_counted;
}

// Finds the principal directions of a group's elements, those that vary most first.
static int directions(struct basis_fit *f, struct scratch *s, size_t part, size_t group,
                      struct err *e)
{
    const size_t w = f->width, wp = basis_padded(w);
    float *rows = f->rows + (part * f->n_groups + group) * w * w;
    size_t n = 0;
    for (size_t t = f->from->skip; t < f->from->n; t++) {
        if (is_counted(f, t))
            continue;
        memcpy(s->part + n * wp, s->x + t * f->wide + group * w, w * sizeof *s->part);
        memset(s->part + n++ * wp + w, 0, (wp - w) * sizeof *s->part);
    }
    mix_floats(s->part, w, wp, n, s->part, wp, wp, s->square, wp);
    for (size_t i = 0; i < w; i++)
        for (size_t j = 0; j < w; j++)
            s->a[i * w + j] = (double)s->square[i * wp + j] / (f->from->n - f->from->skip);
    int rc = eigen(s->a, w, s->values, s->vectors, e);
    for (size_t i = 0; i < w * w && !rc; i++)
        rows[i] = (float)s->vectors[i];
    return rc;
}

// Copies element I of the tokens that are counted.
static void take_counted(const struct basis_fit *f, const struct scratch *s, size_t i, float *out)
{
    memset(out, 0, basis_padded(f->n_counted) * sizeof *out);
    for (size_t t = 0; t < f->n_counted; t++)
        out[t] = s->x[(f->from->skip + t * f->every) * f->wide + i];
}

// Computes the coefficients of the tokens that are counted, and their deviations.
static void project(struct basis_fit *f, struct scratch *s, size_t part, size_t group)
{
    const size_t w = f->width, wp = basis_padded(w), cp = basis_padded(f->n_counted);
    const float *rows = f->rows + (part * f->n_groups + group) * w * w;
    float *c = f->c + (part * f->wide + group * w) * cp;
    for (size_t d = 0; d < w; d++) {
        take_counted(f, s, group * w + d, s->counted + d * cp);
        for (size_t j = 0; j < w; j++)
            s->square[d * wp + j] = rows[j * w + d];
    }
    mix_floats(s->square, w, wp, w, s->counted, cp, cp, c, cp);
    for (size_t j = 0; j < w; j++) {
        double sum = 0;
        for (size_t i = 0; i < f->n_counted; i++)
            sum += (double)c[j * cp + i] * c[j * cp + i];
        f->deviation[part * f->wide + group * w + j] = (float)sqrt(sum / f->n_counted);
    }
}

// Puts N rows of WIDTH in another order: row j is the old row FROM[j]. OLD [n][width] is scratch.
static void reorder(float *rows, size_t n, size_t width, const size_t *from, float *old)
{
    memcpy(old, rows, n * width * sizeof *rows);
    for (size_t j = 0; j < n; j++)
        memcpy(rows + j * width, old + from[j] * width, width * sizeof *rows);
}

// Orders the directions of a group by how much they vary, so that channels that are coded alike lie
// together, and a decoder's tables stay in its cache.
static void sort_directions(struct basis_fit *f, struct scratch *s, size_t part, size_t group)
{
    const size_t w = f->width, cp = basis_padded(f->n_counted);
    float *deviation = f->deviation + part * f->wide + group * w;
    size_t from[BASIS_LIVE_MAX];
    for (size_t j = 0; j < w; j++) {
        size_t at = j;
        for (; at && deviation[from[at - 1]] < deviation[j]; at--)
            from[at] = from[at - 1];
        from[at] = j;
    }
    reorder(f->rows + (part * f->n_groups + group) * w * w, w, w, from, s->sorted);
    reorder(f->c + (part * f->wide + group * w) * cp, w, cp, from, s->sorted);
    reorder(deviation, w, 1, from, s->sorted);
}

// Turns directions of weighted elements into those of elements.
static void unweigh(struct basis_fit *f, size_t part, size_t group)
{
    const size_t w = f->width, dim = f->m->head_dim;
    const float *weight = f->weight + part * f->lanes + group * f->sides * f->group;
    float *rows = f->rows + (part * f->n_groups + group) * w * w;
    for (size_t i = 0; i < w * w; i++)
        rows[i] /= weight[i % w / dim];
}

static void elements(struct basis_fit *f, struct scratch *s, size_t part)
{
    sum_up(f, s, 1);
    for (size_t i = 0; i < f->wide; i++) {
        f->deviation[part * f->wide + i] = (float)sqrt(s->sum[i] / (f->from->n - f->from->skip));
        take_counted(f, s, i, f->c + (part * f->wide + i) * basis_padded(f->n_counted));
    }
}

struct measuring {
    struct basis_fit *f;
    struct scratch *s; // [threads]
    int *rc;           // [n_parts]
    struct err *e;     // [n_parts]
};

static void measure_task(void *ctx, int task, int thread)
{
    const struct measuring *m = ctx;
    const size_t part = (size_t)task;
    struct basis_fit *f = m->f;
    struct err *e = &m->e[part];
    struct scratch *s = &m->s[thread];
    int rc = take(f, s, part, e);
    for (size_t g = 0; g < f->n_groups && f->rows && !rc; g++) {
        if ((rc = directions(f, s, part, g, e)))
            break;
        project(f, s, part, g);
        sort_directions(f, s, part, g);
        unweigh(f, part, g);
    }
    if (!rc && !f->rows)
        elements(f, s, part);
    m->rc[part] = rc;
}

int basis_fit_measure(struct basis_fit *f, struct pool *pool, struct err *e)
{
    const int parts = (int)f->n_parts, threads = pool_threads(pool);
    struct measuring m = {.f = f,
                          .s = mem_new((size_t)threads, sizeof *m.s, e),
                          .rc = mem_new((size_t)parts, sizeof *m.rc, e),
                          .e = mem_new((size_t)parts, sizeof *m.e, e)};
    int rc = m.s && m.rc && m.e ? 0 : ERR_NOMEM;
    for (int i = 0; i < threads && !rc; i++)
        rc = scratch_new(&m.s[i], f, e);
    if (!rc)
        pool_run(pool, parts, measure_task, &m);
    for (int i = 0; i < parts && !rc; i++)
        if (m.rc[i])
            rc = err_set(e, m.rc[i], "%s", m.e[i].msg);
    for (int i = 0; m.s && i < threads; i++)
        scratch_done(&m.s[i]);
    free(m.s);
    free(m.rc);
    free(m.e);
    return rc;
}
