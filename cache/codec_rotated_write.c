// Codec 2 of kvz.5, writing.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cache/hadamard.h"
#include "cache/rotated.h"
#include "io/mem.h"

// The largest magnitude of an element: sums over a row of 4096 elements stay far from infinity.
#define LIMIT 0x1p100f

// ---------------------------------------------------------------------------------- small numbers

static void put_half(uint8_t *p, float x)
{
    uint32_t u;
    memcpy(&u, &x, 4);
    uint16_t h = (uint16_t)(u >> 16);
    memcpy(p, &h, 2);
}

static float half_at_most(float x)
{
    uint32_t u;
    memcpy(&u, &x, 4);
    if (u >> 31 && u & 0xffff)
        u += 0x10000;
    u &= 0xffff0000;
    memcpy(&x, &u, 4);
    return x;
}

static float half_at_least(float x)
{
    return -half_at_most(-x);
}

// The smallest code that gives at least X; LARGEST: the largest step.
static uint8_t step_code(float x, float largest)
{
    if (!(x > 0) || !(largest > 0))
        return 0;
    int lo = 1, hi = 255;
    while (lo < hi) {
        int mid = (lo + hi) / 2;
        if (largest * rotated_step_part((uint8_t)mid) >= x)
            hi = mid;
        else
            lo = mid + 1;
    }
    return (uint8_t)lo;
}

// ----------------------------------------------------------------------------------------- groups

struct group {
    float m, s; // the best minimum and step
    float hi;
};

// The best minimum and step for X [N], STRIDE apart. With more than two bits, levels reach from the
// smallest to the largest element. With two bits they are four levels, 1.2 deviations apart, around
// the mean: half the squared error at the same entropy.
static struct group group_over(const float *x, size_t n, size_t stride, unsigned bits)
{
    float lo = x[0], hi = x[0];
    double sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++) {
        float y = x[i * stride];
        lo = y < lo ? y : lo;
        hi = y > hi ? y : hi;
        sum += y;
    }
    float range = (hi - lo) / (float)((1u << bits) - 1);
    if (bits > 2)
        return (struct group){lo, range, hi};
    double mean = sum / (double)n;
    for (size_t i = 0; i < n; i++)
        squares += (x[i * stride] - mean) * (x[i * stride] - mean);
    float s = (float)(1.2 * sqrt(squares / (double)n));
    // For few elements, two clusters or outliers, levels from end to end are better.
    if (s > range || range > s * (5 / 3.f) || n < 8)
        return (struct group){lo, range, hi};
    return (struct group){(float)mean - s, s, hi};
}

// Makes the codes of the groups G [N], and what they stand for, M and S. BITS: those of their
// symbols.
static struct rotated_scale describe(const struct group *g, size_t n, unsigned bits, uint8_t *low,
                                     uint8_t *step, float *m, float *s)
{
    float least = g[0].m, most = g[0].m, largest = 0;
    for (size_t i = 0; i < n; i++) {
        least = g[i].m < least ? g[i].m : least;
        most = g[i].m > most ? g[i].m : most;
    }
    struct rotated_scale c = {.least = half_at_most(least)};
    c.spread = half_at_least((most - c.least) / 255);
    for (size_t i = 0; i < n; i++) {
        float q = c.spread > 0 ? (g[i].m - c.least) / c.spread : 0;
        low[i] = (uint8_t)(q > 255 ? 255 : q);
        m[i] = c.least + c.spread * (float)low[i];
        // Rounding lowered the minimum: the step grows so that the levels still reach the other
        // end.
        float reach = (g[i].hi - m[i]) / (float)((1u << bits) - 1);
        float best = g[i].s + (g[i].m - m[i]) / 3;
        s[i] = bits > 2 || best > reach ? reach : best;
        largest = s[i] > largest ? s[i] : largest;
    }
    c.largest = half_at_least(largest * (32.f / 31));
    for (size_t i = 0; i < n; i++) {
        step[i] = step_code(s[i], c.largest);
        s[i] = c.largest * rotated_step_part(step[i]);
    }
    return c;
}

// ---------------------------------------------------------------------------------------- symbols

static void pack_symbols(const uint8_t *q, size_t n, unsigned bits, uint8_t *out)
{
    const struct rotated_planes *p = rotated_planes_of(bits);
    unsigned shift = bits;
    for (int i = 0; i < p->n; i++) {
        unsigned w = p->width[i];
        size_t per = rotated_plane_bytes(n, w);
        shift -= w;
        memset(out, 0, per);
        for (size_t j = 0; j < n; j++)
            out[j % per] |= (uint8_t)((q[j] >> shift & ((1u << w) - 1)) << (w * (j / per)));
        out += per;
    }
}

static uint8_t symbol(float x, float m, float s, int top)
{
    if (!(s > 0))
        return 0;
    int q = (int)floorf((x - m) / s + 0.5f);
    return (uint8_t)(q < 0 ? 0 : q > top ? top : q);
}

// ----------------------------------------------------------------------------------------- encode

struct work {
    float *x;        // [n] rotated
    struct group *g; // [n_groups]
    float *m, *s;    // [n_groups]
    uint8_t *q;      // [n]
};

// Copies the rows of X, STRIDE apart, and rotates them.
static int take_rows(const struct codec_shape *s, const float *x, uint32_t stride, float *out)
{
    const size_t n = s->n_tokens, dim = s->head_dim;
    const float scale = hadamard_norm(dim);
    int ok = 1;
    for (size_t h = 0; h < s->n_kv_heads; h++)
        for (size_t t = 0; t < n; t++, out += dim) {
            memcpy(out, x + (h * stride + t) * dim, dim * sizeof *out);
            for (size_t d = 0; d < dim; d++)
                ok &= fabsf(out[d]) < LIMIT;
            hadamard(out, dim);
            for (size_t d = 0; d < dim; d++)
                out[d] *= scale;
        }
    return ok;
}

// Groups are the channels of a head (keys) or the tokens of a head (values).
static struct rotated_scale encode_part(const struct codec_shape *s, const struct rotated_part *p,
                                        int is_v, struct work *w, uint8_t *payload)
{
    const size_t n = s->n_tokens, dim = s->head_dim;
    const size_t per = is_v ? n : dim, members = is_v ? dim : n;
    const size_t next = is_v ? dim : 1, stride = is_v ? 1 : dim;
    for (size_t i = 0; i < p->n_groups; i++)
        w->g[i] = group_over(w->x + i / per * n * dim + i % per * next, members, stride, p->bits);
    struct rotated_scale c = describe(w->g, p->n_groups, p->bits, payload + p->code_off[0],
                                      payload + p->code_off[1], w->m, w->s);
    int top = (1 << p->bits) - 1;
    for (size_t i = 0; i < p->n_groups; i++) {
        size_t at = i / per * n * dim + i % per * next;
        for (size_t j = 0; j < members; j++)
            w->q[at + j * stride] = symbol(w->x[at + j * stride], w->m[i], w->s[i], top);
    }
    pack_symbols(w->q, p->n, p->bits, payload + p->symbol_off);
    return c;
}

int rotated_encode(const struct codec_shape *s, struct packer *p, const float *k, const float *v,
                   uint32_t stride, uint8_t *out, uint64_t *bytes, struct err *e)
{
    const struct rotated_layout l = rotated_lay_out(s, s->k_bits, s->v_bits);
    size_t groups = l.k.n_groups > l.v.n_groups ? l.k.n_groups : l.v.n_groups;
    struct work w = {.x = mem_new(l.k.n, sizeof *w.x, e),
                     .g = mem_new(groups, sizeof *w.g, e),
                     .m = mem_new(2 * groups, sizeof *w.m, e),
                     .q = mem_new(l.k.n, 1, e)};
    uint8_t *payload = mem_new(l.payload, 1, e);
    int rc = w.x && w.g && w.m && w.q && payload ? 0 : ERR_NOMEM;
    w.s = rc ? NULL : w.m + groups;
    memset(out, 0, ROTATED_HEAD);
    for (int is_v = 0; is_v < 2 && !rc; is_v++) {
        if (!take_rows(s, is_v ? v : k, stride, w.x)) {
            rc = err_set(e, ERR_FORMAT, "a %s is infinite, not a number, or too large",
                         is_v ? "value" : "key");
            break;
        }
        struct rotated_scale c = encode_part(s, is_v ? &l.v : &l.k, is_v, &w, payload);
        put_half(out + 4 + 6 * is_v, c.least);
        put_half(out + 6 + 6 * is_v, c.spread);
        put_half(out + 8 + 6 * is_v, c.largest);
    }
    if (!rc) {
        const size_t parts[] = {l.codes, l.v.symbol_off - l.codes, l.payload - l.v.symbol_off};
        size_t packed = pack_parts(p, payload, parts, 3, out + ROTATED_HEAD, pack_worth(l.payload));
        if (!packed)
            memcpy(out + ROTATED_HEAD, payload, l.payload);
        out[0] = packed ? ROTATED_PACKED : 0;
        out[1] = (uint8_t)s->k_bits;
        out[2] = (uint8_t)s->v_bits;
        *bytes = ROTATED_HEAD + (packed ? packed : l.payload);
    }
    free(w.x);
    free(w.g);
    free(w.m);
    free(w.q);
    free(payload);
    return rc;
}
