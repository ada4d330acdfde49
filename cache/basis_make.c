// From the first tokens of an index to its section BASE: directions, steps, and how likely the
// coefficients are.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cache/basis.h"
#include "cache/codec.h"
#include "io/mem.h"
#include "kernels/eigen.h"
#include "kernels/sums.h"

enum {
    COUNTED = 256, // tokens whose coefficients are counted
    CLASSES = 40,  // by deviation over step: 2^((class - ONE) / 2)
    ONE = 6,
    TRIES = 14, // halvings of the interval of steps
};

// Below this share of a step a channel is not stored.
static const double DEAD = 0.17;
// Weight of a smooth distribution beside what was counted.
static const double PRIOR = 64;
// Root mean square at least of the whole numbers of a matrix, where they are packed: coarser ones
// are shorter, and what they leave of the directions the encoder makes up for. It cannot where much
// of the widest channel comes to lie in others: more than this share of a step.
static const double ROWS_RMS = 6, LEAK = 0.25;

struct make {
    const struct kvz_meta *m;
    uint32_t n, stride, skip, every; // tokens; of which none, or each so many, are counted
    uint32_t group, n_groups, n_counted;
    int mix, packed;
    size_t wide, width;
    float *c;         // [2 n_layers][n_counted][wide] coefficients
    float *deviation; // [2 n_layers][wide]
    float *power;     // [2 n_layers] mean square of an element less its mean
    float *mean;      // [2 n_layers][wide]
    float *rows;      // [2 n_layers][n_groups][width][width]; NULL: no matrices
    float *x, *sum;   // of one part: [n][wide]; [width][width]
    double *a, *values, *vectors; // of one part: [width][width]; [width]; [width][width]
    double step[2]; // keys, values: as a part of the root of power
    const float *steps; // [2 n_layers] times that; NULL: 1
    const uint8_t *near; // [n_layers][n_kv_heads] heads whose elements are their mean; NULL: none
    double (*count)[CLASSES][2 * 128 + 2];
};

// How a class is coded: joint symbols where most coefficients are nought.
static struct basis_table shape_of(int class)
{
    static const struct {
        int to;
        unsigned n_joint, most;
    } rows[] = {{2, 4, 1}, {4, 2, 4}, {6, 2, 6}, {8, 1, 12}, {10, 1, 22}};
    struct basis_table t = {.n_joint = 1, .most = 22};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (class <= rows[i].to) {
            t.n_joint = rows[i].n_joint;
            t.most = rows[i].most;
            return t;
        }
    t.shift = (unsigned)(class - 9) / 2;
    t.shift = t.shift < BASIS_SHIFT_MAX ? t.shift : BASIS_SHIFT_MAX; // what is larger is an escape
    return t;
}

static double ratio_of(int class)
{
    return pow(2, (class - ONE) / 2.0);
}

// 0 where the channel is not worth storing.
static int class_of(double deviation, double step)
{
    if (!(deviation > DEAD * step))
        return 0;
    int class = (int)lround(2 * log2(deviation / step)) + ONE;
    return class < 1 ? 1 : class >= CLASSES ? CLASSES - 1 : class;
}

static int32_t coefficient(float c, double per_step)
{
    double a = fabs((double)c) * per_step + 0.42;
    int32_t whole = a < BASIS_Q_MAX ? (int32_t)a : BASIS_Q_MAX - 1;
    return c < 0 ? -whole : whole;
}

// ------------------------------------------------------------------------------------ directions

static float half_of(float x)
{
    uint32_t u;
    memcpy(&u, &x, 4);
    u = (u + 0x8000) & 0xffff0000;
    memcpy(&x, &u, 4);
    return x;
}

static int is_near(const struct make *f, size_t part, size_t head)
{
    return f->near && f->near[part / 2 * f->m->n_kv_heads + head];
}

// Elements of a part that are stored at all.
static size_t n_stored(const struct make *f, size_t part)
{
    size_t n = 0;
    for (size_t h = 0; h < f->m->n_kv_heads; h++)
        n += is_near(f, part, h) ? 0 : f->m->head_dim;
    return n;
}

// [n][wide], the mean taken away; of a head that is near nothing stays.
static int take(struct make *f, const float *x, size_t part, struct err *e)
{
    const size_t dim = f->m->head_dim;
    float *mean = f->mean + part * f->wide;
    double power = 0;
    for (size_t h = 0; h < f->m->n_kv_heads; h++)
        for (size_t t = 0; t < f->n; t++)
            memcpy(f->x + t * f->wide + h * dim, x + (h * f->stride + t) * dim, dim * sizeof *x);
    for (size_t i = 0; i < f->wide; i++) {
        double sum = 0;
        for (size_t t = f->skip; t < f->n; t++)
            sum += f->x[t * f->wide + i];
        mean[i] = half_of((float)(sum / (f->n - f->skip)));
        for (size_t t = 0; t < f->n; t++) {
            float y = f->x[t * f->wide + i] -= mean[i];
            if (is_near(f, part, i / dim))
                y = f->x[t * f->wide + i] = 0;
            power += t >= f->skip ? (double)y * y : 0;
        }
    }
    power /= (double)(f->n - f->skip) * fmax((double)n_stored(f, part), 1);
    if (!(power < 0x1p100))
        return err_set(e, ERR_FORMAT, "keys or values are infinite, not numbers, or too large");
    f->power[part] = (float)fmax(power, 0x1p-60);
    return 0;
}

static void copy_group(const struct make *f, const float *x, size_t n, size_t group, float *out)
{
    for (size_t t = 0; t < n; t++)
        memcpy(out + t * f->width, x + t * f->wide + group * f->width, f->width * sizeof *out);
}

SUMS_OF(float)

// Whether token T is one whose coefficients are counted. Directions are found without them, where
// that leaves enough: they would be better along what they themselves have shaped than others are.
static int is_counted(const struct make *f, size_t t)
{
    return f->every > 1 && (t - f->skip) % f->every == 0 && (t - f->skip) / f->every < f->n_counted;
}

// Principal directions of a group's elements, those that vary most first.
static int directions(struct make *f, size_t part, size_t group, float *x, struct err *e)
{
    const size_t w = f->width, n = f->n - f->skip;
    float *rows = f->rows + (part * f->n_groups + group) * w * w;
    copy_group(f, f->x + f->skip * f->wide, n, group, x);
    memset(f->sum, 0, w * w * sizeof *f->sum);
    for (size_t t = 0; t < n; t++)
        for (size_t i = 0; i < w && !is_counted(f, f->skip + t); i++)
            add_float(f->sum + i * w, x[t * w + i], x + t * w, i + 1);
    for (size_t i = 0; i < w; i++)
        for (size_t j = 0; j < w; j++)
            f->a[i * w + j] = (double)(i < j ? f->sum[j * w + i] : f->sum[i * w + j]) / (double)n;
    int rc = eigen(f->a, w, f->values, f->vectors, e);
    if (rc)
        return rc;
    for (size_t i = 0; i < w * w; i++)
        rows[i] = (float)f->vectors[i];
    return 0;
}

// Coefficients of the tokens that are counted, and how much they vary.
static void project(struct make *f, size_t part, size_t group)
{
    const size_t w = f->width;
    const float *rows = f->rows + (part * f->n_groups + group) * w * w;
    for (size_t i = 0; i < f->n_counted; i++) {
        const float *x = f->x + (f->skip + i * f->every) * f->wide + group * w;
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
static void sort_directions(struct make *f, size_t part, size_t group)
{
    const size_t w = f->width;
    float *rows = f->rows + (part * f->n_groups + group) * w * w, *old = (float *)(void *)f->vectors;
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

static void elements(struct make *f, size_t part)
{
    for (size_t i = 0; i < f->wide; i++) {
        double sum = 0;
        for (size_t t = f->skip; t < f->n; t++)
            sum += (double)f->x[t * f->wide + i] * f->x[t * f->wide + i];
        f->deviation[part * f->wide + i] = (float)sqrt(sum / (f->n - f->skip));
    }
    for (size_t i = 0; i < f->n_counted; i++)
        memcpy(f->c + (part * f->n_counted + i) * f->wide,
               f->x + (f->skip + i * f->every) * f->wide, f->wide * sizeof *f->c);
}

// What one part needs to be measured: parts are measured side by side.
static int new_scratch(struct make *f, float **x, struct err *e)
{
    const size_t w = f->mix ? f->width : 1;
    f->x = mem_new((size_t)f->n * f->wide, sizeof *f->x, e);
    f->sum = mem_new(w * w, sizeof *f->sum, e);
    f->a = mem_new(w * w, sizeof *f->a, e);
    f->values = mem_new(w, sizeof *f->values, e);
    f->vectors = mem_new(w * w, sizeof *f->vectors, e);
    *x = mem_new((size_t)f->n * f->width + 4, sizeof **x, e);
    return f->x && f->sum && f->a && f->values && f->vectors && *x ? 0 : ERR_NOMEM;
}

struct measuring {
    struct make *f;
    const float *const *k, *const *v;
    int *rc;       // [2 n_layers]
    struct err *e; // [2 n_layers]
};

static void measure_task(void *ctx, int task, int thread)
{
    (void)thread;
    const struct measuring *m = ctx;
    const size_t part = (size_t)task;
    struct make f = *m->f;
    struct err *e = &m->e[part];
    float *x = NULL;
    int rc = new_scratch(&f, &x, e);
    if (!rc)
        rc = take(&f, (part % 2 ? m->v : m->k)[part / 2], part, e);
    for (size_t g = 0; g < f.n_groups && f.rows && !rc; g++) {
        rc = directions(&f, part, g, x, e);
        project(&f, part, g);
        sort_directions(&f, part, g);
    }
    if (!rc && !f.rows)
        elements(&f, part);
    free(f.x);
    free(f.sum);
    free(f.a);
    free(f.values);
    free(f.vectors);
    free(x);
    m->rc[part] = rc;
}

static int moments_of(struct make *f, const float *const *k, const float *const *v, struct pool *pool,
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

// ----------------------------------------------------------------------------------------- steps

static double step_of(const struct make *f, size_t part)
{
    double own = f->steps ? (double)f->steps[part] : 1;
    return own * f->step[part % 2] * sqrt((double)f->power[part]);
}

// Counts the levels of keys, or of values, by class.
static void count(struct make *f, int is_v)
{
    double(*to)[2 * 128 + 2] = f->count[is_v];
    memset(to, 0, sizeof f->count[is_v]);
    for (size_t part = (size_t)is_v; part < 2 * (size_t)f->m->n_layers; part += 2) {
        const double step = step_of(f, part), per_step = 1 / step;
        for (size_t j = 0; j < f->wide; j++) {
            int class = class_of(f->deviation[part * f->wide + j], step);
            if (!class)
                continue;
            struct basis_table t = shape_of(class);
            for (size_t i = 0; i < f->n_counted; i++) {
                int32_t level =
                    coefficient(f->c[(part * f->n_counted + i) * f->wide + j], per_step) >> t.shift;
                int escape = abs(level) > (int)t.most;
                to[class][escape ? (int)(2 * t.most + 1) : level + (int)t.most]++;
            }
        }
    }
}

// Bits an element of what was counted.
static double bits(const struct make *f, int is_v)
{
    double sum = 0, stored = 0;
    for (size_t part = (size_t)is_v; part < 2 * (size_t)f->m->n_layers; part += 2)
        stored += (double)n_stored(f, part);
    for (int class = 1; class < CLASSES; class ++) {
        const double *n = f->count[is_v][class];
        struct basis_table t = shape_of(class);
        double all = 0;
        for (unsigned i = 0; i < 2 * t.most + 2; i++)
            all += n[i];
        for (unsigned i = 0; i < 2 * t.most + 2; i++)
            sum += n[i] > 0 ? n[i] * log2(all / n[i]) : 0;
        sum += all * t.shift + 32 * n[2 * t.most + 1];
    }
    return sum / fmax(stored * f->n_counted, 1);
}

// The step that comes to the bits that are wanted.
static void find_step(struct make *f, int is_v)
{
    const double want = (is_v ? f->m->recipe.v_bits : f->m->recipe.k_bits) / 100.0;
    double lo = -14, hi = 4; // log2 of the step
    for (int i = 0; i < TRIES; i++) {
        double mid = (lo + hi) / 2;
        f->step[is_v] = pow(2, mid);
        count(f, is_v);
        if (bits(f, is_v) > want)
            lo = mid;
        else
            hi = mid;
    }
    f->step[is_v] = pow(2, hi);
    count(f, is_v);
}

// ---------------------------------------------------------------------------------------- section

static void put(struct bytes *out, const void *data, size_t bytes, int *rc, struct err *e)
{
    uint8_t *p = *rc ? NULL : bytes_add(out, bytes, e);
    if (!p)
        *rc = ERR_NOMEM;
    else if (bytes)
        memcpy(p, data, bytes);
}

// A logistic distribution: between the bell and the exponential, as what is seen is.
static double logistic(double from, double to, double deviation)
{
    double s = deviation * sqrt(3) / acos(-1);
    return 1 / (1 + exp(-to / s)) - 1 / (1 + exp(-from / s));
}

// Frequencies that add up to 2^BASIS_BITS, each at least 1.
static void frequencies(const struct make *f, int is_v, int class, uint16_t *freq)
{
    const struct basis_table t = shape_of(class);
    const double *n = f->count[is_v][class], ratio = ratio_of(class) / (1 << t.shift);
    const unsigned base = 2 * t.most + 2;
    double p[256], all = 0;
    for (unsigned i = 0; i + 1 < base; i++) {
        double level = (double)i - t.most, half = t.shift ? 0 : 0.5;
        p[i] = n[i] + PRIOR * logistic(level - half, level + 1 - half, ratio);
        all += p[i];
    }
    p[base - 1] = n[base - 1] + PRIOR * 1e-3;
    all += p[base - 1];
    int left = 1 << BASIS_BITS;
    unsigned best = 0;
    for (unsigned i = 0; i < base; i++) {
        double x = p[i] / all * ((1 << BASIS_BITS) - (double)base);
        freq[i] = (uint16_t)(1 + (int)x);
        left -= freq[i];
        best = freq[i] > freq[best] ? i : best;
    }
    freq[best] = (uint16_t)(freq[best] + left);
}

// The table of each class, of keys and of values, that is used.
static int put_tables(struct make *f, uint8_t number[2][CLASSES], struct bytes *out, int rc,
                      struct err *e)
{
    uint8_t n = 0;
    for (int is_v = 0; is_v < 2; is_v++)
        for (int class = 1; class < CLASSES; class ++) {
            struct basis_table t = shape_of(class);
            uint16_t freq[256];
            double all = 0;
            for (unsigned i = 0; i < 2 * t.most + 2; i++)
                all += f->count[is_v][class][i];
            if (!(all > 0))
                continue;
            number[is_v][class] = ++n;
            frequencies(f, is_v, class, freq);
            const uint8_t head[4] = {(uint8_t)t.n_joint, (uint8_t)t.most, (uint8_t)t.shift, 0};
            put(out, head, sizeof head, &rc, e);
            put(out, freq, (2 * t.most + 2) * sizeof *freq, &rc, e);
        }
    return rc;
}

// The unit of rows that are to be packed.
static float coarse(const struct make *f, size_t part, float step)
{
    float widest = 0;
    for (size_t i = 0; i < f->wide; i++)
        widest = fmaxf(widest, f->deviation[part * f->wide + i]);
    double unit = LEAK * sqrt(12) * step / widest;
    return (float)fmin(unit, 1 / (ROWS_RMS * sqrt((double)f->width)));
}

// ENDS: where its rows begin and end.
static int put_part(struct make *f, size_t part, uint8_t number[CLASSES], struct bytes *out,
                    size_t *ends, int rc, struct err *e)
{
    const float step = (float)step_of(f, part);
    const size_t all = f->n_groups * f->width * f->width;
    const float *rows = f->rows ? f->rows + part * all : NULL, *mean = f->mean + part * f->wide;
    float most = 0;
    for (size_t i = 0; rows && i < all; i++)
        most = fabsf(rows[i]) > most ? fabsf(rows[i]) : most;
    const float unit = rows ? fmaxf(most / 127, f->packed ? coarse(f, part, step) : 0) : 1;
    put(out, &step, 4, &rc, e);
    put(out, &unit, 4, &rc, e);
    for (size_t i = 0; i < f->wide; i++)
        put(out, (const uint8_t *)&mean[i] + 2, 2, &rc, e);
    for (size_t i = 0; i < f->wide; i++)
        put(out, &number[class_of(f->deviation[part * f->wide + i], step_of(f, part))], 1, &rc, e);
    ends[0] = out->n;
    for (size_t i = 0; rows && i < f->wide; i++) {
        if (!class_of(f->deviation[part * f->wide + i], step_of(f, part)))
            continue;
        int8_t row[BASIS_WIDTH_MAX];
        for (size_t d = 0; d < f->width; d++)
            row[d] = (int8_t)lroundf(rows[i * f->width + d] / unit);
        put(out, row, f->width, &rc, e);
    }
    ends[1] = out->n;
    return rc;
}

// Heads that are mixed: as many as the widest matrix takes.
static uint32_t group_of(const struct kvz_meta *m)
{
    uint32_t group = m->n_kv_heads;
    while (group > 1 && ((uint64_t)group * m->head_dim > BASIS_WIDTH_MAX || m->n_kv_heads % group))
        group--;
    return group;
}

static int new_room(struct make *f, struct err *e)
{
    const size_t parts = 2 * (size_t)f->m->n_layers, w = f->mix ? f->width : 1;
    f->c = mem_new(parts * f->n_counted, f->wide * sizeof *f->c, e);
    f->deviation = mem_new(parts, f->wide * sizeof *f->deviation, e);
    f->power = mem_new(parts, sizeof *f->power, e);
    f->mean = mem_new(parts, f->wide * sizeof *f->mean, e);
    f->count = mem_new(2, sizeof *f->count, e);
    if (f->mix)
        f->rows = mem_new(parts * f->n_groups, w * w * sizeof *f->rows, e);
    return f->c && f->deviation && f->power && f->mean && f->count && (!f->mix || f->rows) ? 0
                                                                                           : ERR_NOMEM;
}

// The section: its head, and all else packed where that makes it shorter. CUT [n_cuts]: where
// tables and parts begin, and their rows.
static int put_section(const struct make *f, uint32_t n_tables, const struct bytes *body,
                       size_t *cut, size_t n_cuts, struct packer *p, struct bytes *out,
                       struct err *e)
{
    int rc = 0;
    uint32_t head[4] = {f->group, n_tables, f->mix ? BASIS_MIXED : 0, 0};
    uint8_t *packed = NULL;
    size_t bytes = 0;
    if (f->packed) {
        if (!(packed = mem_new(body->n, 1, e)))
            return ERR_NOMEM;
        for (size_t i = n_cuts; i-- > 0;)
            cut[i] = (i + 1 < n_cuts ? cut[i] : body->n) - (i ? cut[i - 1] : 0);
        bytes = pack_parts(p, body->p, cut, n_cuts, packed, body->n - 1);
    }
    if (bytes) {
        head[2] |= BASIS_PACKED;
        head[3] = (uint32_t)body->n;
    }
    put(out, head, sizeof head, &rc, e);
    put(out, bytes ? packed : body->p, bytes ? bytes : body->n, &rc, e);
    free(packed);
    return rc;
}

int basis_make(struct bytes *out, const struct kvz_meta *m, const float *const *k,
               const float *const *v, uint32_t n, uint32_t stride, uint32_t skip, int mix,
               const struct kvz_fit *fit, struct packer *p, struct pool *pool, struct err *e)
{
    struct make f = {.m = m,
                     .n = n,
                     .stride = stride,
                     .skip = skip,
                     .group = group_of(m),
                     .steps = fit ? fit->steps : NULL,
                     .near = fit ? fit->near : NULL,
                     .packed = p && m->recipe.codec != CODEC_CODED};
    struct bytes body = {0};
    uint8_t number[2][CLASSES] = {0};
    f.wide = (size_t)m->n_kv_heads * m->head_dim;
    f.width = (size_t)f.group * m->head_dim;
    f.n_groups = m->n_kv_heads / f.group;
    f.mix = mix && f.width <= BASIS_WIDTH_MAX && f.width % 4 == 0;
    f.every = (n - skip + COUNTED - 1) / COUNTED;
    f.n_counted = (n - skip) / f.every;
    int rc = new_room(&f, e);
    if (!rc)
        rc = moments_of(&f, k, v, pool, e);
    if (!rc) {
        find_step(&f, 0);
        find_step(&f, 1);
        rc = put_tables(&f, number, &body, rc, e);
    }
    uint32_t n_tables = 0;
    for (int i = 0; i < 2 * CLASSES; i++)
        n_tables += number[i / CLASSES][i % CLASSES] > 0;
    const size_t parts = 2 * (size_t)m->n_layers;
    size_t *cut = mem_new(2 * parts, sizeof *cut, e);
    rc = rc ? rc : cut ? 0 : ERR_NOMEM;
    for (size_t part = 0; part < parts && !rc; part++)
        rc = put_part(&f, part, number[part % 2], &body, cut + 2 * part, rc, e);
    if (!rc)
        rc = put_section(&f, n_tables, &body, cut, 2 * parts, p, out, e);
    free(cut);
    free(body.p);
    free(f.c);
    free(f.deviation);
    free(f.power);
    free(f.mean);
    free(f.count);
    free(f.rows);
    return rc;
}
