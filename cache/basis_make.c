// From the first tokens of an index to its section BASE: directions, steps, and how likely the
// coefficients are.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cache/basis.h"
#include "cache/basis_fit.h"
#include "cache/codec.h"
#include "io/mem.h"

enum {
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
    struct basis_fit fit;
    int packed;
    double step[2];     // keys, values: as a part of the root of power, times fit.step
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

// ----------------------------------------------------------------------------------------- steps

static double step_of(const struct make *f, size_t part)
{
    return (double)f->fit.step[part] * f->step[part % 2] * sqrt((double)f->fit.power[part]);
}

// Counts the levels of keys, or of values, by class.
static void count(struct make *f, int is_v)
{
    double(*to)[2 * 128 + 2] = f->count[is_v];
    memset(to, 0, sizeof f->count[is_v]);
    for (size_t part = (size_t)is_v; part < 2 * (size_t)f->fit.m->n_layers; part += 2) {
        const double step = step_of(f, part), per_step = 1 / step;
        for (size_t j = 0; j < f->fit.wide; j++) {
            int class = class_of(f->fit.deviation[part * f->fit.wide + j], step);
            if (!class)
                continue;
            struct basis_table t = shape_of(class);
            for (size_t i = 0; i < f->fit.n_counted; i++) {
                int32_t level =
                    coefficient(f->fit.c[(part * f->fit.n_counted + i) * f->fit.wide + j], per_step) >> t.shift;
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
    for (size_t part = (size_t)is_v; part < 2 * (size_t)f->fit.m->n_layers; part += 2)
        stored += (double)basis_fit_stored(&f->fit, part);
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
    return sum / fmax(stored * f->fit.n_counted, 1);
}

// The step that comes to the bits that are wanted.
static void find_step(struct make *f, int is_v)
{
    const double want = (is_v ? f->fit.m->recipe.v_bits : f->fit.m->recipe.k_bits) / 100.0;
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

// The unit of rows that are to be packed: as fine as it takes for the head that is stored most finely.
static float coarse(const struct make *f, size_t part, float step)
{
    float widest = 0, finest = 1;
    for (size_t h = 0; h < f->fit.m->n_kv_heads; h++)
        finest = fmaxf(finest, f->fit.weight[part * f->fit.m->n_kv_heads + h]);
    for (size_t i = 0; i < f->fit.wide; i++)
        widest = fmaxf(widest, f->fit.deviation[part * f->fit.wide + i]);
    double unit = LEAK * sqrt(12) * step / widest;
    return (float)fmin(unit, 1 / (ROWS_RMS * sqrt((double)f->fit.width))) / finest;
}

// ENDS: where its rows begin and end.
static int put_part(struct make *f, size_t part, uint8_t number[CLASSES], struct bytes *out,
                    size_t *ends, int rc, struct err *e)
{
    const float step = (float)step_of(f, part);
    const size_t all = f->fit.n_groups * f->fit.width * f->fit.width;
    const float *rows = f->fit.rows ? f->fit.rows + part * all : NULL, *mean = f->fit.mean + part * f->fit.wide;
    float most = 0;
    for (size_t i = 0; rows && i < all; i++)
        most = fabsf(rows[i]) > most ? fabsf(rows[i]) : most;
    const float unit = rows ? fmaxf(most / 127, f->packed ? coarse(f, part, step) : 0) : 1;
    put(out, &step, 4, &rc, e);
    put(out, &unit, 4, &rc, e);
    for (size_t i = 0; i < f->fit.wide; i++)
        put(out, (const uint8_t *)&mean[i] + 2, 2, &rc, e);
    for (size_t i = 0; i < f->fit.wide; i++)
        put(out, &number[class_of(f->fit.deviation[part * f->fit.wide + i], step_of(f, part))], 1, &rc, e);
    ends[0] = out->n;
    for (size_t i = 0; rows && i < f->fit.wide; i++) {
        if (!class_of(f->fit.deviation[part * f->fit.wide + i], step_of(f, part)))
            continue;
        int8_t row[BASIS_WIDTH_MAX];
        for (size_t d = 0; d < f->fit.width; d++)
            row[d] = (int8_t)lroundf(rows[i * f->fit.width + d] / unit);
        put(out, row, f->fit.width, &rc, e);
    }
    ends[1] = out->n;
    return rc;
}

// The section: its head, and all else packed where that makes it shorter. CUT [n_cuts]: where
// tables and parts begin, and their rows.
static int put_section(const struct make *f, uint32_t n_tables, const struct bytes *body,
                       size_t *cut, size_t n_cuts, struct packer *p, struct bytes *out,
                       struct err *e)
{
    int rc = 0;
    uint32_t head[4] = {f->fit.group, n_tables, f->fit.mix ? BASIS_MIXED : 0, 0};
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
    struct make f = {.packed = p && m->recipe.codec != CODEC_CODED};
    struct bytes body = {0};
    uint8_t number[2][CLASSES] = {0};
    int rc = basis_fit_new(&f.fit, m, n, stride, skip, mix, fit, e);
    if (!rc && !(f.count = mem_new(2, sizeof *f.count, e)))
        rc = ERR_NOMEM;
    if (!rc)
        rc = basis_fit_measure(&f.fit, k, v, pool, e);
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
    free(f.count);
    basis_fit_done(&f.fit);
    return rc;
}
