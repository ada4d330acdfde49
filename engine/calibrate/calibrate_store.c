// How finely the keys and values of each kv head are best stored, and which heads look at nothing
// that is far. Each part is changed alone. From what that does to the answers, ways to divide the
// same bits among all parts are derived, and these are tried on another text.
#include "engine/calibrate/calibrate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/calibrate/measure_store.h"
#include "io/mem.h"

// The step of a part is proportional to its loss to the power of minus one of these. While noise is
// small, its effect grows with its square, and one more bit halves it, so a half would be best;
// with few bits that is not exact.
static const double POWERS[] = {1 / 3., 1 / 2., 2 / 3.};
// The finest step, relative to the coarsest; finer ones would take bits from all others.
static const double FINEST = 0.1;
// The loss must be smaller by this share than with equal steps; only then does encode use fewer
// bits by default (encode_meta.c).
static const double CLEAR = 0.2;
// Shares of the kv heads that are tried to be left out, and the share by which the loss may grow.
static const double SHARES[] = {0.5, 1 / 3., 0.25, 1 / 6., 0.125, 1 / 12., 1 / 24.};
static const double HARMLESS = 0.1;

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

int calibrate_steps(const double *loss, int n, double power, float *steps, struct err *e)
{
    double *sorted = mem_new((size_t)n, sizeof *sorted, e);
    if (!sorted)
        return ERR_NOMEM;
    memcpy(sorted, loss, (size_t)n * sizeof *loss);
    qsort(sorted, (size_t)n, sizeof *sorted, by_value);
    const double usual = fmax(sorted[n / 2], 1e-12);
    free(sorted);
    for (int i = 0; i < n; i++)
        steps[i] = (float)fmax(FINEST, fmin(1, pow(fmax(loss[i], 0) / usual, -power)));
    return 0;
}

// Marks the heads that lose least, SHARE of all N.
static void mark(const double *loss, int n, double share, uint8_t *near)
{
    memset(near, 0, (size_t)n);
    for (int left = (int)(share * n); left > 0; left--) {
        int best = -1;
        for (int i = 0; i < n; i++)
            if (!near[i] && (best < 0 || loss[i] < loss[best]))
                best = i;
        near[best] = 1;
    }
}

// Finds the way to divide BITS between N parts that loses least; r->steps stays NULL if that is to
// treat all parts alike.
static int try_steps(struct store *t, struct calibrate_storing *r, int n, uint32_t bits,
                     struct err *e)
{
    float *steps = mem_new((size_t)n, sizeof *steps, e);
    int rc = steps ? store_all(t, bits, bits, NULL, &r->alike, e) : ERR_NOMEM;
    r->best = r->alike;
    for (size_t i = 0; !rc && i < sizeof POWERS / sizeof *POWERS; i++) {
        double loss;
        const double most = r->steps ? r->best : (1 - CLEAR) * r->alike;
        if ((rc = calibrate_steps(r->part, n, POWERS[i], steps, e)) ||
            (rc = store_all(t, bits, bits, &(struct kvz_fit){.steps = steps}, &loss, e)) ||
            loss >= most)
            continue;
        r->best = loss;
        if (!r->steps && !(r->steps = mem_new((size_t)n, sizeof *r->steps, e)))
            rc = ERR_NOMEM;
        else
            memcpy(r->steps, steps, (size_t)n * sizeof *steps);
    }
    free(steps);
    return rc;
}

// Finds the largest share of heads that can be left out.
static int try_heads(struct store *t, struct calibrate_storing *r, int n, uint32_t bits,
                     struct err *e)
{
    int rc = 0;
    for (size_t i = 0; !rc && i < sizeof SHARES / sizeof *SHARES; i++) {
        mark(r->head, n, SHARES[i], r->near);
        rc = store_all(t, bits, bits, &(struct kvz_fit){r->steps, r->near}, &r->without, e);
        if (!rc && r->without <= (1 + HARMLESS) * r->best)
            return 0;
    }
    memset(r->near, 0, (size_t)n);
    return rc;
}

// Reports each layer that is done, and knows whether there is time for more.
struct clock {
    int (*more)(void *arg, int done);
    void *arg;
    int done, in_time;
};

static void tick(struct clock *c)
{
    c->in_time = c->more(c->arg, ++c->done);
}

static int measure_parts(struct store *t, const struct model_info *f, double *part, struct clock *c,
                         struct err *e)
{
    const int heads = f->n_kv_heads;
    int rc = 0;
    for (int l = 0; !rc && c->in_time && l < f->n_layers; l++) {
        for (int i = 0; !rc && i < 2 * heads; i++)
            rc = store_part(t, l, i / heads, i % heads, &part[2 * l * heads + i], e);
        tick(c);
    }
    return rc;
}

static int measure_heads(struct store *t, const struct model_info *f, double *head, struct clock *c,
                         struct err *e)
{
    int rc = 0;
    for (int l = 0; !rc && c->in_time && l < f->n_layers; l++) {
        for (int i = 0; !rc && i < f->n_kv_heads; i++)
            rc = store_head(t, l, i, &head[l * f->n_kv_heads + i], e);
        tick(c);
    }
    return rc;
}

// Every index profits from the steps, so they are measured before the heads that may be left out.
int calibrate_storing(struct measure *b, struct calibrate_storing *r, uint32_t bits,
                      int (*more)(void *arg, int done), void *arg, struct err *e)
{
    const struct model_info *f = &b->m->info;
    const int n = f->n_layers * f->n_kv_heads;
    struct clock c = {.more = more, .arg = arg, .in_time = 1};
    struct store *alone = NULL, *all = NULL;
    *r = (struct calibrate_storing){.part = mem_new(2 * (size_t)n, sizeof *r->part, e),
                                    .head = mem_new((size_t)n, sizeof *r->head, e),
                                    .near = mem_new((size_t)n, 1, e)};
    int rc = r->part && r->head && r->near ? store_new(&alone, b, 0, e) : ERR_NOMEM;
    if (!rc)
        rc = measure_parts(alone, f, r->part, &c, e);
    const int has_parts = c.done == f->n_layers;
    if (!rc && has_parts && !(rc = store_new(&all, b, 1, e)))
        rc = try_steps(all, r, 2 * n, bits, e);
    if (!rc && has_parts)
        rc = measure_heads(alone, f, r->head, &c, e);
    if (!rc && c.in_time)
        rc = try_heads(all, r, n, bits, e);
    store_free(alone);
    store_free(all);
    if (rc || !has_parts)
        calibrate_storing_done(r);
    return rc;
}

void calibrate_storing_done(struct calibrate_storing *r)
{
    free(r->part);
    free(r->head);
    free(r->near);
    free(r->steps);
    *r = (struct calibrate_storing){0};
}
