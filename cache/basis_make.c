// Makes section BASE from the first tokens of an index: directions, steps, and how likely
// coefficients are.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cache/basis.h"
#include "cache/basis_fit.h"
#include "cache/codec.h"
#include "io/mem.h"
#include "kernels/vectors.h"

enum {
    CLASSES = 40, // of channels, by deviation over step: 2^((class - ONE) / 2)
    ONE = 6,
    TRIES = 14, // steps that are tried, at most
    FINEST = -14,
    COARSEST = 4, // log2 of a step
    MOST = 22,    // largest magnitude of a level
    LEVELS = 2 * MOST + 2,
};

// A channel is not stored if its deviation is below this share of a step.
static const double DEAD = 0.17;
// The search for a step ends when its log2 is known this well, or the bits an element come this
// near.
static const double NEAR = 0x1p-10, ENOUGH = 0x1p-11;
// Weight of a smooth distribution beside the counts.
static const double PRIOR = 64;
// In packed matrices: the least root mean square of their integers. Coarser ones are shorter, and
// the encoder makes up for the inexact directions, unless too much of the widest channel falls into
// others: more than LEAK of a step.
static const double ROWS_RMS = 6, LEAK = 0.25;

struct make {
    struct basis_fit fit;
    int packed;
    int kinds;      // of parts: 2, keys and values, or 1 if they are paired
    double step[2]; // keys, values: relative to the root of power times fit.step; or of pairs
    double *apart;  // [2 n_layers] steps of keys and values, which those of pairs are relative to
    float *finest;  // [2 n_layers] weight of the head of a part that is stored most finely
    struct pool *pool;
    struct rounding rounding[CLASSES];
    double (*count)[CLASSES][LEVELS];        // of keys, of values
    double (*thread_count)[CLASSES][LEVELS]; // [threads] scratch
};

// How a class is coded: with joint symbols if most coefficients are 0.
static struct basis_table shape_of(int class)
{
    static const struct {
        int to;
        unsigned n_joint, most;
    } rows[] = {{2, 4, 1}, {4, 2, 4}, {6, 2, 6}, {8, 1, 12}, {10, 1, MOST}};
    struct basis_table t = {.n_joint = 1, .most = MOST};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (class <= rows[i].to) {
            t.n_joint = rows[i].n_joint;
            t.most = rows[i].most;
            return t;
        }
    t.shift = (unsigned)(class - 9) / 2;
    t.shift = t.shift < BASIS_SHIFT_MAX ? t.shift : BASIS_SHIFT_MAX; // larger ones are escapes
    return t;
}

static double ratio_of(int class)
{
    return pow(2, (class - ONE) / 2.0);
}

// Returns 0 if the channel is not worth storing.
static int class_of(double deviation, double step)
{
    if (!(deviation > DEAD * step))
        return 0;
    int class = (int)lround(2 * log2(deviation / step)) + ONE;
    return class < 1 ? 1 : class >= CLASSES ? CLASSES - 1 : class;
}

// ----------------------------------------------------------------------------------------- steps

static double step_of(const struct make *f, size_t part)
{
    return (double)f->fit.step[part] * f->step[part % (size_t)f->kinds] *
           sqrt((double)f->fit.power[part]);
}

// Counts the levels of N coefficients, N a multiple of 4, in COUNTS [4][]. Every fourth has counts
// of its own, because counting the same level twice in a row would wait for the first. The last
// count is for all levels that are too large.
static void count_levels(const float *c, size_t n, float per_step, const struct basis_table *t,
                         uint32_t counts[4][LEVELS])
{
    const int32_t most = (int32_t)t->most, shift = (int32_t)t->shift;
    for (size_t i = 0; i < n; i += 4) {
        const floats4 x = load_floats4(c + i), far = (floats4)((ints4)x & INT32_MAX) * per_step,
                      a = far + t->rounding.offset;
        const ints4 fits = a < (float)BASIS_Q_MAX, sign = (ints4)x >> 31;
        ints4 level = __builtin_convertvector((floats4)((ints4)a & fits), ints4) |
                      (~fits & (BASIS_Q_MAX - 1));
        level &= far >= t->rounding.nought;
        level = (((level ^ sign) - sign) >> shift) + most;
        const ints4 large = (level < 0) | (level > 2 * most);
        level = (level & ~large) | (large & (2 * most + 1));
        int32_t at[4];
        memcpy(at, &level, sizeof at);
        for (int j = 0; j < 4; j++)
            counts[j][at[j]]++;
    }
}

struct counting {
    const struct make *f;
    int is_v;
    double (*to)[CLASSES][LEVELS]; // [threads]
};

// Counts the levels of one part, for its thread.
static void count_task(void *ctx, int task, int thread)
{
    const struct counting *y = ctx;
    const struct basis_fit *fit = &y->f->fit;
    const size_t part = (size_t)y->f->kinds * (size_t)task + (size_t)y->is_v,
                 cp = basis_padded(fit->n_counted);
    const double step = step_of(y->f, part);
    for (size_t j = 0; j < fit->wide; j++) {
        const int class = class_of(fit->deviation[part * fit->wide + j], step);
        if (!class)
            continue;
        struct basis_table t = shape_of(class);
        t.rounding = y->f->rounding[class];
        const float *c = fit->c + (part * fit->wide + j) * cp;
        double *to = y->to[thread][class];
        uint32_t counts[4][LEVELS] = {0};
        count_levels(c, cp, (float)(1 / step), &t, counts);
        counts[0][t.most] -= (uint32_t)(cp - fit->n_counted); // zeros of the padding
        for (unsigned i = 0; i < 2 * t.most + 2; i++)
            to[i] += counts[0][i] + counts[1][i] + counts[2][i] + counts[3][i];
    }
}

// Counts the levels of keys, or of values, by class.
static void count(struct make *f, int is_v)
{
    const size_t each = sizeof *f->thread_count / sizeof(double);
    const int threads = pool_threads(f->pool);
    double *to = &f->count[is_v][0][0];
    memset(f->thread_count, 0, (size_t)threads * sizeof *f->thread_count);
    memset(to, 0, each * sizeof *to);
    pool_run(f->pool, (int)f->fit.m->n_layers, count_task,
             &(struct counting){f, is_v, f->thread_count});
    for (int i = 0; i < threads; i++)
        for (size_t j = 0; j < each; j++)
            to[j] += (&f->thread_count[i][0][0])[j];
}

// Bits an element, by the counts.
static double bits(const struct make *f, int is_v)
{
    double sum = 0, stored = 0;
    for (size_t part = (size_t)is_v; part < f->fit.n_parts; part += (size_t)f->kinds)
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

struct step { // log2 of a step, and by how many bits it exceeds those wanted
    double x, over;
};

static struct step try_step(struct make *f, int is_v, double x)
{
    const struct kvz_recipe *r = &f->fit.m->recipe;
    const double want = f->kinds == 1 ? (r->k_bits + r->v_bits) / 200.0
                        : is_v        ? r->v_bits / 100.0
                                      : r->k_bits / 100.0;
    f->step[is_v] = pow(2, x);
    count(f, is_v);
    return (struct step){x, bits(f, is_v) - want};
}

// Finds the step that gives the bits wanted, or a little less, by false position (the Illinois
// variant), because a try counts all coefficients.
static void find_step(struct make *f, int is_v)
{
    struct step lo = try_step(f, is_v, -2), hi = lo;
    while (lo.over <= 0 && lo.x > FINEST) {
        hi = lo;
        lo = try_step(f, is_v, lo.x - 2);
    }
    if (lo.over <= 0)
        hi = lo;
    while (hi.over > 0 && hi.x < COARSEST) {
        lo = hi;
        hi = try_step(f, is_v, hi.x + 2);
    }
    double a = lo.over, b = hi.over;
    for (int i = 0, side = 0; i < TRIES && hi.x - lo.x > NEAR && hi.over < -ENOUGH; i++) {
        const struct step mid = try_step(f, is_v, lo.x + (hi.x - lo.x) * a / (a - b));
        const int over = mid.over > 0 ? 1 : -1;
        *(over > 0 ? &lo : &hi) = mid;
        a = over > 0 ? mid.over : side < 0 ? a / 2 : a; // an end that stays twice counts half
        b = over < 0 ? mid.over : side > 0 ? b / 2 : b;
        side = over;
    }
    if (f->step[is_v] < pow(2, hi.x))
        try_step(f, is_v, hi.x);
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

// Frequencies that add up to 2^BASIS_BITS, each at least 1.
static void frequencies(const struct make *f, int is_v, int class, uint16_t *freq)
{
    const struct basis_table t = shape_of(class);
    const double *n = f->count[is_v][class], ratio = ratio_of(class) / (1 << t.shift);
    const unsigned base = 2 * t.most + 2;
    double p[LEVELS], all = 0;
    for (unsigned i = 0; i + 1 < base; i++) {
        double level = (double)i - t.most, half = t.shift ? 0 : 0.5;
        p[i] = n[i] + PRIOR * rounding_logistic(level - half, level + 1 - half, ratio);
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

// Appends the table of each class of keys and of values that is used.
static int put_tables(struct make *f, uint8_t number[2][CLASSES], struct bytes *out, int rc,
                      struct err *e)
{
    uint8_t n = 0;
    for (int is_v = 0; is_v < f->kinds; is_v++)
        for (int class = 1; class < CLASSES; class ++) {
            struct basis_table t = shape_of(class);
            uint16_t freq[LEVELS];
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

// The unit of rows that will be packed, fine enough for the head that is stored most finely. STEP
// and the deviations of PART have the same unit.
static float coarse(const struct make *f, size_t part, double step, float finest)
{
    float widest = 0;
    for (size_t i = 0; i < f->fit.wide; i++)
        widest = fmaxf(widest, f->fit.deviation[part * f->fit.wide + i]);
    double unit = LEAK * sqrt(12) * step / (double)widest;
    return (float)fmin(unit, 1 / (ROWS_RMS * sqrt((double)f->fit.width))) / finest;
}

static void put_channels(const struct make *f, size_t part, const uint8_t number[CLASSES],
                         struct bytes *out, int *rc, struct err *e)
{
    for (size_t i = 0; i < f->fit.wide; i++)
        put(out, &number[class_of(f->fit.deviation[part * f->fit.wide + i], step_of(f, part))], 1,
            rc, e);
}

// Appends the keys (SIDE 0) or the values of a layer. ENDS: where its rows begin and end.
static int put_part(struct make *f, size_t layer, size_t side, uint8_t number[2][CLASSES],
                    struct bytes *out, size_t *ends, int rc, struct err *e)
{
    const int paired = f->kinds == 1;
    const size_t part = paired ? layer : 2 * layer + side, dim = f->fit.m->head_dim;
    const size_t each = f->fit.group * dim, from = paired ? side * each : 0; // within a row
    const size_t all = f->fit.n_groups * f->fit.width * f->fit.width;
    const double apart = paired ? f->apart[2 * layer + side] : 1;
    const float step = (float)(step_of(f, part) * apart), by = (float)(1 / apart);
    const float *rows = f->fit.rows ? f->fit.rows + part * all : NULL,
                *mean = f->fit.mean + part * f->fit.wide;
    float most = 0;
    for (size_t i = 0; rows && i < f->fit.wide; i++)
        for (size_t d = 0; d < each; d++)
            most = fmaxf(most, fabsf(rows[i * f->fit.width + from + d]) * by);
    const float finest = f->finest[2 * layer + side];
    const float unit =
        rows ? fmaxf(most / 127, f->packed ? coarse(f, part, step_of(f, part), finest) : 0) : 1;
    put(out, &step, 4, &rc, e);
    put(out, &unit, 4, &rc, e);
    for (size_t h = 0; h < f->fit.m->n_kv_heads; h++)
        for (size_t d = 0; d < dim; d++)
            put(out, (const uint8_t *)&mean[basis_fit_lane(&f->fit, side, h) * dim + d] + 2, 2, &rc,
                e);
    if (!paired || !side)
        put_channels(f, part, number[paired ? 0 : side], out, &rc, e);
    ends[0] = out->n;
    for (size_t i = 0; rows && i < f->fit.wide; i++) {
        if (!class_of(f->fit.deviation[part * f->fit.wide + i], step_of(f, part)))
            continue;
        int8_t row[BASIS_WIDTH_MAX];
        for (size_t d = 0; d < each; d++)
            row[d] = (int8_t)lroundf(rows[i * f->fit.width + from + d] * by / unit);
        put(out, row, each, &rc, e);
    }
    ends[1] = out->n;
    return rc;
}

// Appends the section: its head, then everything else, packed if that is shorter. CUT [n_cuts]:
// where tables and parts begin, and their rows.
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

// Finds the steps of keys and of values, each separately.
static int measure_apart(struct make *f, struct err *e)
{
    int rc = basis_fit_measure(&f->fit, f->pool, e);
    if (rc)
        return rc;
    find_step(f, 0);
    find_step(f, 1);
    const size_t heads = f->fit.m->n_kv_heads;
    for (size_t part = 0; part < f->fit.n_parts; part++) {
        f->apart[part] = step_of(f, part);
        f->finest[part] = 1;
        for (size_t h = 0; h < heads; h++)
            f->finest[part] = fmaxf(f->finest[part], f->fit.weight[part * heads + h]);
    }
    return 0;
}

// Finds directions of keys and values together; the ratio of their steps stays the same.
static int measure_pairs(struct make *f, struct err *e)
{
    struct basis_fit apart = f->fit;
    int rc = basis_fit_pair(&f->fit, &apart, f->apart, e);
    basis_fit_done(&apart);
    if (rc || (rc = basis_fit_measure(&f->fit, f->pool, e)))
        return rc;
    for (size_t part = 0; part < f->fit.n_parts; part++)
        f->fit.power[part] = 1; // the unit is a step
    f->kinds = 1;
    find_step(f, 0);
    return 0;
}

static int make_new(struct make *f, const struct kvz_meta *m, const struct basis_sample *s,
                    struct packer *p, struct pool *pool, struct err *e)
{
    *f = (struct make){.packed = p && m->recipe.codec != CODEC_CODED, .kinds = 2, .pool = pool};
    int rc = basis_fit_new(&f->fit, m, s, e);
    if (rc)
        return rc;
    for (int class = 1; class < CLASSES; class ++) {
        const struct basis_table t = shape_of(class);
        f->rounding[class] = rounding_of_logistic(ratio_of(class), t.most, t.shift);
    }
    return (f->count = mem_new(2, sizeof *f->count, e)) &&
                   (f->thread_count =
                        mem_new((size_t)pool_threads(pool), sizeof *f->thread_count, e)) &&
                   (f->apart = mem_new(2 * (size_t)m->n_layers, sizeof *f->apart, e)) &&
                   (f->finest = mem_new(2 * (size_t)m->n_layers, sizeof *f->finest, e))
               ? 0
               : ERR_NOMEM;
}

int basis_make(struct bytes *out, const struct kvz_meta *m, const struct basis_sample *s,
               struct packer *p, struct pool *pool, struct err *e)
{
    struct make f;
    struct bytes body = {0};
    uint8_t number[2][CLASSES] = {0};
    int rc = make_new(&f, m, s, p, pool, e);
    if (!rc)
        rc = measure_apart(&f, e);
    if (!rc && f.fit.mix && m->recipe.codec == CODEC_CODED_PAIRED)
        rc = measure_pairs(&f, e);
    if (!rc)
        rc = put_tables(&f, number, &body, rc, e);
    uint32_t n_tables = 0;
    for (int i = 0; i < 2 * CLASSES; i++)
        n_tables += number[i / CLASSES][i % CLASSES] > 0;
    const size_t parts = 2 * (size_t)m->n_layers;
    size_t *cut = mem_new(2 * parts, sizeof *cut, e);
    rc = rc ? rc : cut ? 0 : ERR_NOMEM;
    for (size_t part = 0; part < parts && !rc; part++)
        rc = put_part(&f, part / 2, part % 2, number, &body, cut + 2 * part, rc, e);
    if (!rc)
        rc = put_section(&f, n_tables, &body, cut, 2 * parts, p, out, e);
    free(cut);
    free(body.p);
    free(f.count);
    free(f.thread_count);
    free(f.apart);
    free(f.finest);
    basis_fit_done(&f.fit);
    return rc;
}
