// Codec 2 of kvz.5: rows rotated by a Hadamard matrix, few bits, groups described in 16 bits.
//
// The rotation spreads what stands out in a few dimensions over all of them, so that a group needs
// only a minimum and a step (QuaRot, arXiv 2404.00456); keys in groups per channel, values in
// groups per token (KIVI, arXiv 2402.02750).
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cache/codec_impl.h"
#include "cache/hadamard.h"
#include "io/mem.h"
#include "kernels/vectors.h"

enum { PACKED = 1, HEAD = 16, LANES = 16 };

// The largest magnitude of an element: sums over a row of 4096 stay far from infinity.
#define LIMIT 0x1p100f

// What is stored of the groups of the keys, or of the values: group i has the minimum
// least + spread * low[i] and the step largest * codec_step(step[i]).
struct scale {
    float least, spread, largest;
};

struct part {           // keys or values
    size_t n_groups, n; // groups, elements
    unsigned bits;
    size_t code_off[2]; // of low and step in the payload
    size_t symbol_off;
};

struct layout {
    struct part k, v;
    size_t codes, payload; // bytes
};

// Widths of the planes of a symbol: the high bits first, where deflate finds something.
static const struct planes {
    uint8_t bits, n, width[3];
} planes[] = {{2, 1, {2}},    {3, 2, {2, 1}},    {4, 1, {4}}, {5, 2, {4, 1}},
              {6, 2, {4, 2}}, {7, 3, {4, 2, 1}}, {8, 1, {8}}};

static const struct planes *planes_of(unsigned bits)
{
    for (size_t i = 0; i < sizeof planes / sizeof *planes; i++)
        if (planes[i].bits == bits)
            return &planes[i];
    return NULL;
}

static size_t plane_bytes(size_t n, unsigned width)
{
    return (n + 8 / width - 1) / (8 / width);
}

static size_t symbol_bytes(size_t n, unsigned bits)
{
    const struct planes *p = planes_of(bits);
    size_t sum = 0;
    for (int i = 0; i < p->n; i++)
        sum += plane_bytes(n, p->width[i]);
    return sum;
}

static struct layout lay_out(const struct codec_shape *s, unsigned k_bits, unsigned v_bits)
{
    const size_t heads = s->n_kv_heads, n = heads * s->n_tokens * s->head_dim;
    struct layout l = {.k = {heads * s->head_dim, n, k_bits, {0}, 0},
                       .v = {heads * s->n_tokens, n, v_bits, {0}, 0}};
    l.k.code_off[1] = l.k.n_groups;
    l.v.code_off[0] = 2 * l.k.n_groups;
    l.v.code_off[1] = l.v.code_off[0] + l.v.n_groups;
    l.codes = l.v.code_off[1] + l.v.n_groups;
    l.k.symbol_off = l.codes;
    l.v.symbol_off = l.codes + symbol_bytes(n, k_bits);
    l.payload = l.v.symbol_off + symbol_bytes(n, v_bits);
    return l;
}

static int recipe_ok(const struct kvz_recipe *r)
{
    return planes_of(r->k_bits) && planes_of(r->v_bits);
}

static uint64_t bound(const struct codec_shape *s)
{
    // Seven bits are three planes, and each may end in a byte of its own.
    return HEAD + lay_out(s, 8, 8).payload + 4;
}

// --------------------------------------------------------------------------------- small numbers

// The upper half of a float32: its range, eight bits of its precision.
static float get_half(const uint8_t *p)
{
    uint16_t h;
    memcpy(&h, p, 2);
    uint32_t u = (uint32_t)h << 16;
    float x;
    memcpy(&x, &u, 4);
    return x;
}

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

// A step as a part of the largest: 0, or four bits of exponent and four of mantissa.
static float step_part(uint8_t code)
{
    return code ? (float)((16u + (code & 15)) << (code >> 4)) * 0x1p-20f : 0;
}

// The least code for at least X of LARGEST.
static uint8_t step_code(float x, float largest)
{
    if (!(x > 0) || !(largest > 0))
        return 0;
    int lo = 1, hi = 255;
    while (lo < hi) {
        int mid = (lo + hi) / 2;
        if (largest * step_part((uint8_t)mid) >= x)
            hi = mid;
        else
            lo = mid + 1;
    }
    return (uint8_t)lo;
}

// --------------------------------------------------------------------------------------- groups

struct group {
    float m, s; // what its minimum and step would best be
    float hi;
};

// X[N], STRIDE apart. More than two bits reach from the least to the greatest element. Two bits
// are four levels 1.2 deviations apart about the mean: half the squared error at the same entropy.
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
    // Few elements, two heaps, or some far out: the ends serve them better.
    if (s > range || range > s * (5 / 3.f) || n < 8)
        return (struct group){lo, range, hi};
    return (struct group){(float)mean - s, s, hi};
}

// Codes of the groups G[N] and what they stand for, M and S. BITS: their symbols'.
static struct scale describe(const struct group *g, size_t n, unsigned bits, uint8_t *low,
                             uint8_t *step, float *m, float *s)
{
    float least = g[0].m, most = g[0].m, largest = 0;
    for (size_t i = 0; i < n; i++) {
        least = g[i].m < least ? g[i].m : least;
        most = g[i].m > most ? g[i].m : most;
    }
    struct scale c = {.least = half_at_most(least)};
    c.spread = half_at_least((most - c.least) / 255);
    for (size_t i = 0; i < n; i++) {
        float q = c.spread > 0 ? (g[i].m - c.least) / c.spread : 0;
        low[i] = (uint8_t)(q > 255 ? 255 : q);
        m[i] = c.least + c.spread * (float)low[i];
        // What rounding the minimum took away at one end is given back at the other.
        float reach = (g[i].hi - m[i]) / (float)((1u << bits) - 1);
        float best = g[i].s + (g[i].m - m[i]) / 3;
        s[i] = bits > 2 || best > reach ? reach : best;
        largest = s[i] > largest ? s[i] : largest;
    }
    c.largest = half_at_least(largest * (32.f / 31));
    for (size_t i = 0; i < n; i++) {
        step[i] = step_code(s[i], c.largest);
        s[i] = c.largest * step_part(step[i]);
    }
    return c;
}

// -------------------------------------------------------------------------------------- symbols

static void pack_symbols(const uint8_t *q, size_t n, unsigned bits, uint8_t *out)
{
    const struct planes *p = planes_of(bits);
    unsigned shift = bits;
    for (int i = 0; i < p->n; i++) {
        unsigned w = p->width[i];
        size_t per = plane_bytes(n, w);
        shift -= w;
        memset(out, 0, per);
        for (size_t j = 0; j < n; j++)
            out[j % per] |= (uint8_t)((q[j] >> shift & ((1u << w) - 1)) << (w * (j / per)));
        out += per;
    }
}

// Eight symbols at a time: ORs bits FROM.. of IN, as many as MASK has, into bits TO.. of OUT.
static void unpack_lane(const uint8_t *in, uint8_t *out, size_t n, unsigned from, unsigned mask,
                        unsigned to)
{
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        uint64_t x, y;
        memcpy(&x, in + i, 8);
        memcpy(&y, out + i, 8);
        y |= (x >> from & UINT64_C(0x0101010101010101) * mask) << to;
        memcpy(out + i, &y, 8);
    }
    for (; i < n; i++)
        out[i] = (uint8_t)(out[i] | (in[i] >> from & mask) << to);
}

// Q[N], zeroed. 0, or -1 when bits that stand for nothing are set.
static int unpack_symbols(const uint8_t *in, size_t n, unsigned bits, uint8_t *q)
{
    const struct planes *p = planes_of(bits);
    unsigned shift = bits;
    for (int i = 0; i < p->n; i++) {
        unsigned w = p->width[i], mask = (1u << w) - 1;
        size_t per = plane_bytes(n, w);
        shift -= w;
        for (unsigned lane = 0; lane < 8 / w; lane++) {
            size_t at = lane * per, here = at >= n ? 0 : n - at < per ? n - at : per;
            unpack_lane(in, q + (here ? at : 0), here, w * lane, mask, shift);
            for (size_t j = here; j < per; j++)
                if (in[j] >> (w * lane) & mask)
                    return -1;
        }
        in += per;
    }
    return 0;
}

static uint8_t symbol(float x, float m, float s, int top)
{
    if (!(s > 0))
        return 0;
    int q = (int)floorf((x - m) / s + 0.5f);
    return (uint8_t)(q < 0 ? 0 : q > top ? top : q);
}

// --------------------------------------------------------------------------------------- encode

struct work {
    float *x;        // [n] rotated
    struct group *g; // [n_groups]
    float *m, *s;    // [n_groups]
    uint8_t *q;      // [n]
};

// Copies the rows of X out of their stride, and rotates them.
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

// Groups are channels of a head (keys) or tokens of a head (values).
static struct scale encode_part(const struct codec_shape *s, const struct part *p, int is_v,
                                struct work *w, uint8_t *payload)
{
    const size_t n = s->n_tokens, dim = s->head_dim;
    const size_t per = is_v ? n : dim, members = is_v ? dim : n;
    const size_t next = is_v ? dim : 1, stride = is_v ? 1 : dim;
    for (size_t i = 0; i < p->n_groups; i++)
        w->g[i] = group_over(w->x + i / per * n * dim + i % per * next, members, stride, p->bits);
    struct scale c = describe(w->g, p->n_groups, p->bits, payload + p->code_off[0],
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

static int encode(const struct codec_shape *s, struct packer *p, const float *k, const float *v,
                  uint32_t stride, uint8_t *out, uint64_t *bytes, struct err *e)
{
    const struct layout l = lay_out(s, s->k_bits, s->v_bits);
    size_t groups = l.k.n_groups > l.v.n_groups ? l.k.n_groups : l.v.n_groups;
    struct work w = {.x = mem_new(l.k.n, sizeof *w.x, e),
                     .g = mem_new(groups, sizeof *w.g, e),
                     .m = mem_new(2 * groups, sizeof *w.m, e),
                     .q = mem_new(l.k.n, 1, e)};
    uint8_t *payload = mem_new(l.payload, 1, e);
    int rc = w.x && w.g && w.m && w.q && payload ? 0 : ERR_NOMEM;
    w.s = rc ? NULL : w.m + groups;
    memset(out, 0, HEAD);
    for (int is_v = 0; is_v < 2 && !rc; is_v++) {
        if (!take_rows(s, is_v ? v : k, stride, w.x)) {
            rc = err_set(e, ERR_FORMAT, "a %s is infinite, not a number, or too large",
                         is_v ? "value" : "key");
            break;
        }
        struct scale c = encode_part(s, is_v ? &l.v : &l.k, is_v, &w, payload);
        put_half(out + 4 + 6 * is_v, c.least);
        put_half(out + 6 + 6 * is_v, c.spread);
        put_half(out + 8 + 6 * is_v, c.largest);
    }
    if (!rc) {
        const size_t parts[] = {l.codes, l.v.symbol_off - l.codes, l.payload - l.v.symbol_off};
        size_t packed = pack_parts(p, payload, parts, 3, out + HEAD, pack_worth(l.payload));
        if (!packed)
            memcpy(out + HEAD, payload, l.payload);
        out[0] = packed ? PACKED : 0;
        out[1] = (uint8_t)s->k_bits;
        out[2] = (uint8_t)s->v_bits;
        *bytes = HEAD + (packed ? packed : l.payload);
    }
    free(w.x);
    free(w.g);
    free(w.m);
    free(w.q);
    free(payload);
    return rc;
}

// --------------------------------------------------------------------------------------- decode

static int get_scale(const uint8_t *p, uint32_t dim, unsigned bits, struct scale *c)
{
    c->least = get_half(p);
    c->spread = get_half(p + 2);
    c->largest = get_half(p + 4);
    if (!(c->spread >= 0 && c->largest >= 0))
        return -1;
    double most = fabs((double)c->least) + 255. * c->spread + (double)(1 << bits) * c->largest;
    return most * dim < 0x1p127 ? 0 : -1;
}

// Minimum and step of every group, each multiplied by TIMES.
static void get_groups(const struct part *p, const struct scale *c, const uint8_t *payload,
                       float times, float *m, float *s)
{
    for (size_t i = 0; i < p->n_groups; i++) {
        m[i] = (c->least + c->spread * (float)payload[p->code_off[0] + i]) * times;
        s[i] = c->largest * step_part(payload[p->code_off[1] + i]) * times;
    }
}

// Four of sixteen symbols, as floats.
static inline floats4 widen(bytes16 b, int quarter)
{
    const bytes16 zero = {0};
#define MIX(...) __builtin_shufflevector(b, zero, __VA_ARGS__)
    b = quarter < 2 ? MIX(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
                    : MIX(8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
    b = quarter % 2 ? MIX(8, 9, 24, 25, 10, 11, 26, 27, 12, 13, 28, 29, 14, 15, 30, 31)
                    : MIX(0, 1, 16, 17, 2, 3, 18, 19, 4, 5, 20, 21, 6, 7, 22, 23);
#undef MIX
    return __builtin_convertvector((ints4)b, floats4);
}

// A row of keys: an m and s for each element.
static void key_row(const uint8_t *q, const float *m, const float *s, float *x, size_t dim)
{
    size_t d = 0;
    for (; d + LANES <= dim; d += LANES) {
        bytes16 b;
        memcpy(&b, q + d, sizeof b);
        for (int i = 0; i < 4; i++)
            store_floats4(x + d + 4 * i,
                          load_floats4(m + d + 4 * i) + load_floats4(s + d + 4 * i) * widen(b, i));
    }
    for (; d < dim; d++)
        x[d] = m[d] + s[d] * (float)q[d];
}

// A row of values: one m and s.
static void value_row(const uint8_t *q, float m, float s, float *x, size_t dim)
{
    size_t d = 0;
    for (; d + LANES <= dim; d += LANES) {
        bytes16 b;
        memcpy(&b, q + d, sizeof b);
        for (int i = 0; i < 4; i++)
            store_floats4(x + d + 4 * i, m + s * widen(b, i));
    }
    for (; d < dim; d++)
        x[d] = m + s * (float)q[d];
}

static int decode_part(const struct codec_shape *sh, const struct part *p, int is_v,
                       const struct scale *c, const uint8_t *payload, uint8_t *q, float *m,
                       float *x, uint32_t stride)
{
    const size_t n = sh->n_tokens, dim = sh->head_dim;
    float *s = m + p->n_groups;
    memset(q, 0, p->n);
    if (unpack_symbols(payload + p->symbol_off, p->n, p->bits, q))
        return -1;
    get_groups(p, c, payload, hadamard_norm(dim), m, s);
    for (size_t h = 0; h < sh->n_kv_heads; h++)
        for (size_t t = 0; t < n; t++, q += dim) {
            float *row = x + (h * stride + t) * dim;
            if (is_v)
                value_row(q, m[h * n + t], s[h * n + t], row, dim);
            else
                key_row(q, m + h * dim, s + h * dim, row, dim);
            hadamard(row, dim);
        }
    return 0;
}

// The payload behind a head that was checked: in the data, or in UNPACKED, which the caller frees.
static int open_payload(const struct codec_shape *s, const uint8_t *data, uint64_t bytes,
                        struct layout *l, struct scale c[2], uint8_t **unpacked,
                        const uint8_t **payload, struct err *e)
{
    *unpacked = NULL;
    if (bytes < HEAD)
        return err_set(e, ERR_FORMAT, "its keys and values have the wrong length");
    if (data[0] & ~PACKED || data[3] || !planes_of(data[1]) || !planes_of(data[2]))
        return err_set(e, ERR_FORMAT, "its keys and values have unknown flags");
    *l = lay_out(s, data[1], data[2]);
    int packed = data[0] & PACKED;
    bytes -= HEAD;
    if (packed ? !pack_plausible(bytes, l->payload) : bytes != l->payload)
        return err_set(e, ERR_FORMAT, "its keys and values have the wrong length");
    if (get_scale(data + 4, s->head_dim, l->k.bits, &c[0]) ||
        get_scale(data + 10, s->head_dim, l->v.bits, &c[1]))
        return err_set(e, ERR_FORMAT, "it holds a value that is not finite");
    if (packed && !(*unpacked = mem_new(l->payload, 1, e)))
        return ERR_NOMEM;
    *payload = packed ? *unpacked : data + HEAD;
    return packed ? unpack(data + HEAD, bytes, *unpacked, l->payload, e) : 0;
}

static int decode(const struct codec_shape *s, const uint8_t *data, uint64_t bytes, float *k,
                  float *v, uint32_t stride, struct err *e)
{
    struct layout l = {0};
    struct scale c[2];
    uint8_t *unpacked, *q = NULL;
    const uint8_t *payload;
    float *m = NULL;
    int rc = open_payload(s, data, bytes, &l, c, &unpacked, &payload, e);
    size_t groups = l.k.n_groups > l.v.n_groups ? l.k.n_groups : l.v.n_groups;
    if (!rc && (!(m = mem_new(2 * groups, sizeof *m, e)) || !(q = mem_new(l.k.n, 1, e))))
        rc = ERR_NOMEM;
    if (!rc && (decode_part(s, &l.k, 0, &c[0], payload, q, m, k, stride) ||
                decode_part(s, &l.v, 1, &c[1], payload, q, m, v, stride)))
        rc = err_set(e, ERR_FORMAT, "its padding is not zero");
    free(unpacked);
    free(q);
    free(m);
    return rc;
}

// Symbols as bytes, minima and steps as floats, all in one room.
static int stored(const struct codec_shape *s, const uint8_t *data, uint64_t bytes,
                  struct kvz_stored *out, struct err *e)
{
    struct layout l = {0};
    struct scale c[2];
    uint8_t *unpacked;
    const uint8_t *payload;
    int rc = open_payload(s, data, bytes, &l, c, &unpacked, &payload, e);
    size_t groups = l.k.n_groups + l.v.n_groups;
    if (!rc && !(out->room = mem_new(2 * groups * sizeof(float) + 2 * l.k.n, 1, e)))
        rc = ERR_NOMEM;
    float *m = out->room;
    for (int is_v = 0; !rc && is_v < 2; is_v++) {
        const struct part *p = is_v ? &l.v : &l.k;
        uint8_t *q = (uint8_t *)((float *)out->room + 2 * groups) + (is_v ? l.k.n : 0);
        if (unpack_symbols(payload + p->symbol_off, p->n, p->bits, q))
            rc = err_set(e, ERR_FORMAT, "its padding is not zero");
        get_groups(p, &c[is_v], payload, hadamard_norm(s->head_dim), m, m + p->n_groups);
        *(is_v ? &out->v : &out->k) = (struct stored){.q = q,
                                                      .m = m,
                                                      .s = m + p->n_groups,
                                                      .per_token = is_v,
                                                      .rotate = hadamard_rotates(s->head_dim),
                                                      .n_heads = (int)s->n_kv_heads,
                                                      .n = (int)s->n_tokens,
                                                      .head_dim = (int)s->head_dim};
        m += 2 * p->n_groups;
    }
    free(unpacked);
    if (rc) {
        free(out->room);
        out->room = NULL;
    }
    return rc;
}

const struct codec codec_rotated = {CODEC_ROTATED, "rotated", recipe_ok, bound,
                                    encode,        decode,    NULL,      stored};
