#include "cache/codec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cache/codec_impl.h"
#include "io/mem.h"
#include "kernels/half.h"

static uint64_t n_elements(const struct codec_shape *s)
{
    return (uint64_t)s->n_kv_heads * s->n_tokens * s->head_dim;
}

// Codec 0: float16.

static int f16_recipe_ok(const struct kvz_recipe *r)
{
    return r->k_bits == 16 && r->v_bits == 16;
}

static uint64_t f16_bound(const struct codec_shape *s)
{
    return 2 * n_elements(s) * 2;
}

static int f16_encode(const struct codec_shape *s, struct packer *p, const float *k, const float *v,
                      uint32_t stride, uint8_t *out, uint64_t *bytes, struct err *e)
{
    (void)p;
    size_t head = (size_t)s->n_tokens * s->head_dim;
    for (uint32_t i = 0; i < 2 * s->n_kv_heads; i++) {
        int is_v = i >= s->n_kv_heads;
        size_t h = is_v ? i - s->n_kv_heads : i;
        const float *x = (is_v ? v : k) + h * stride * s->head_dim;
        for (size_t j = 0; j < head; j++) {
            uint16_t u = half_of_float(x[j]);
            if ((u & 0x7c00) == 0x7c00)
                return err_set(e, ERR_FORMAT, "a %s holds %g, which 16 bits cannot store",
                               is_v ? "value" : "key", (double)x[j]);
            memcpy(out, &u, 2);
            out += 2;
        }
    }
    *bytes = f16_bound(s);
    return 0;
}

static int f16_check(const struct codec_shape *s, const uint8_t *data, uint64_t bytes,
                     struct err *e)
{
    (void)data;
    return bytes == f16_bound(s)
               ? 0
               : err_set(e, ERR_FORMAT, "its keys and values have the wrong length");
}

static int f16_decode(const struct codec_shape *s, const uint8_t *data, uint64_t bytes, float *k,
                      float *v, uint32_t stride, struct err *e)
{
    int rc = f16_check(s, data, bytes, e);
    if (rc)
        return rc;
    size_t head = (size_t)s->n_tokens * s->head_dim;
    for (uint32_t i = 0; i < 2 * s->n_kv_heads; i++) {
        int is_v = i >= s->n_kv_heads;
        size_t h = is_v ? i - s->n_kv_heads : i;
        float *x = (is_v ? v : k) + h * stride * s->head_dim;
        int bad = 0;
        for (size_t j = 0; j < head; j++) {
            uint16_t u;
            memcpy(&u, data + 2 * j, 2);
            bad |= (u & 0x7c00) == 0x7c00;
            x[j] = half_to_float(u);
        }
        if (bad)
            return err_set(e, ERR_FORMAT, "it holds a value that is not finite");
        data += 2 * head;
    }
    return 0;
}

// Nothing to decode: only checks that the numbers are finite.
static int f16_stored(const struct codec_shape *s, const uint8_t *data, uint64_t bytes,
                      struct kvz_stored *out, struct err *e)
{
    int rc = f16_check(s, data, bytes, e), bad = 0;
    if (rc)
        return rc;
    for (uint64_t i = 1; i < bytes; i += 2)
        bad |= (data[i] & 0x7c) == 0x7c;
    if (bad)
        return err_set(e, ERR_FORMAT, "it holds a value that is not finite");
    out->k = out->v = (struct stored){.q = data,
                                      .n_heads = (int)s->n_kv_heads,
                                      .n = (int)s->n_tokens,
                                      .head_dim = (int)s->head_dim};
    out->v.q += bytes / 2;
    return 0;
}

// Codec 1: 8 bits, asymmetric; keys in groups per channel, values in groups per token and head.

enum { INT8_WIDE = 1, INT8_PACKED = 2, INT8_HEAD = 8 };

static int int8_recipe_ok(const struct kvz_recipe *r)
{
    return r->k_bits == 8 && r->v_bits == 8;
}

static uint64_t int8_groups(const struct codec_shape *s)
{
    return (uint64_t)s->n_kv_heads * ((uint64_t)s->head_dim + s->n_tokens);
}

static uint64_t int8_bound(const struct codec_shape *s)
{
    return INT8_HEAD + int8_groups(s) * 8 + 2 * n_elements(s);
}

// The groups of keys [n_kv_heads][head_dim], then those of values [n_kv_heads][n_tokens].
struct groups {
    float *m, *s;
};

// Whether no element is so large that the arithmetic below overflows.
static int storable(const float *x, size_t n)
{
    const uint32_t limit = 0x7e800000; // 2^126
    int bad = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t u;
        memcpy(&u, x + i, 4);
        bad |= (u & 0x7fffffff) >= limit;
    }
    return !bad;
}

// Smallest and largest element of each group: LO and HI.
static int find_ranges(const struct codec_shape *s, const float *k, const float *v, uint32_t stride,
                       float *lo, float *hi, struct err *e)
{
    const size_t n = s->n_tokens, dim = s->head_dim;
    for (size_t h = 0; h < s->n_kv_heads; h++) {
        const float *kh = k + h * stride * dim, *vh = v + h * stride * dim;
        if (!storable(kh, n * dim) || !storable(vh, n * dim))
            return err_set(e, ERR_FORMAT, "a %s is infinite, not a number, or too large",
                           storable(kh, n * dim) ? "value" : "key");
        float *l = lo + h * dim, *g = hi + h * dim;
        memcpy(l, kh, dim * sizeof *l);
        memcpy(g, kh, dim * sizeof *g);
        for (size_t t = 1; t < n; t++)
            for (size_t d = 0; d < dim; d++) {
                float x = kh[t * dim + d];
                l[d] = x < l[d] ? x : l[d];
                g[d] = x > g[d] ? x : g[d];
            }
        l = lo + s->n_kv_heads * dim + h * n;
        g = hi + s->n_kv_heads * dim + h * n;
        for (size_t t = 0; t < n; t++) {
            l[t] = g[t] = vh[t * dim];
            for (size_t d = 1; d < dim; d++) {
                float x = vh[t * dim + d];
                l[t] = x < l[t] ? x : l[t];
                g[t] = x > g[t] ? x : g[t];
            }
        }
    }
    return 0;
}

static uint16_t f16_at_most(float x)
{
    uint16_t h = half_of_float(x);
    if (half_to_float(h) <= x)
        return h;
    if ((h & 0x7fff) == 0)
        return 0x8001;
    return h & 0x8000 ? h + 1 : h - 1;
}

static uint16_t f16_at_least(float x) // x >= 0
{
    uint16_t h = half_of_float(x);
    return half_to_float(h) < x ? h + 1 : h;
}

// Minimum and step of a group as float16. Returns 0 if float16 is too coarse for it (kvz.5, codec
// 1).
static int group_f16(float lo, float hi, float *m, float *s)
{
    *m = half_to_float(f16_at_most(lo));
    *s = half_to_float(f16_at_least((float)(((double)hi - *m) / 255)));
    double most = fmax(fabs((double)lo), fabs((double)hi));
    return isfinite(*m) && isfinite(*s) &&
           *s * 0.501 <= 0.51 / 255 * ((double)hi - lo) + most / 4096;
}

static void group_f32(float lo, float hi, float *m, float *s)
{
    double step = ((double)hi - lo) / 255;
    *m = lo;
    *s = (float)step;
    if (*s < step)
        *s = nextafterf(*s, INFINITY);
    if (step < 0x1p-126)
        *s = 0;
}

static uint8_t *put_table(uint8_t *out, const float *x, size_t n, int wide)
{
    if (wide) {
        memcpy(out, x, n * 4);
        return out + n * 4;
    }
    for (size_t i = 0; i < n; i++) {
        uint16_t h = half_of_float(x[i]);
        memcpy(out + 2 * i, &h, 2);
    }
    return out + n * 2;
}

static uint8_t symbol_of(float x, float m, float inv)
{
    int q = (int)((x - m) * inv + 0.5f);
    return (uint8_t)(q > 255 ? 255 : q);
}

static void quantise(const struct codec_shape *s, const float *k, const float *v, uint32_t stride,
                     const float *m, const float *inv, uint8_t *out)
{
    const size_t n = s->n_tokens, dim = s->head_dim;
    for (size_t h = 0; h < s->n_kv_heads; h++, m += dim, inv += dim)
        for (size_t t = 0; t < n; t++, out += dim) {
            const float *x = k + (h * stride + t) * dim;
            for (size_t d = 0; d < dim; d++)
                out[d] = symbol_of(x[d], m[d], inv[d]);
        }
    for (size_t h = 0; h < s->n_kv_heads; h++)
        for (size_t t = 0; t < n; t++, out += dim, m++, inv++) {
            const float *x = v + (h * stride + t) * dim;
            for (size_t d = 0; d < dim; d++)
                out[d] = symbol_of(x[d], *m, *inv);
        }
}

static int int8_encode(const struct codec_shape *s, struct packer *p, const float *k,
                       const float *v, uint32_t stride, uint8_t *out, uint64_t *bytes,
                       struct err *e)
{
    const size_t n = int8_groups(s), raw = 2 * n_elements(s);
    float *lo = mem_new(4 * n, sizeof *lo, e);
    uint8_t *symbols = mem_new(raw, 1, e);
    int rc = lo && symbols ? find_ranges(s, k, v, stride, lo, lo + n, e) : ERR_NOMEM;
    if (!rc) {
        float *hi = lo + n, *m = hi + n, *step = m + n;
        int wide = 0;
        for (size_t i = 0; i < n && !wide; i++)
            wide = !group_f16(lo[i], hi[i], &m[i], &step[i]);
        for (size_t i = 0; i < n && wide; i++)
            group_f32(lo[i], hi[i], &m[i], &step[i]);
        uint8_t *to = out + INT8_HEAD;
        size_t n_keys = (size_t)s->n_kv_heads * s->head_dim;
        to = put_table(to, m, n_keys, wide);
        to = put_table(to, step, n_keys, wide);
        to = put_table(to, m + n_keys, n - n_keys, wide);
        to = put_table(to, step + n_keys, n - n_keys, wide);
        for (size_t i = 0; i < n; i++)
            step[i] = step[i] > 0 ? 1 / step[i] : 0;
        quantise(s, k, v, stride, m, step, symbols);
        size_t packed = pack_parts(p, symbols, &raw, 1, to, pack_worth(raw));
        if (!packed)
            memcpy(to, symbols, raw);
        uint32_t head[2] = {(wide ? INT8_WIDE : 0) | (packed ? INT8_PACKED : 0), 0};
        memcpy(out, head, INT8_HEAD);
        *bytes = (uint64_t)(to - out) + (packed ? packed : raw);
    }
    free(lo);
    free(symbols);
    return rc;
}

// Reads N elements of a table; returns where the next table begins.
static const uint8_t *get_table(const uint8_t *data, float *x, size_t n, int wide)
{
    if (wide) {
        memcpy(x, data, n * 4);
        return data + n * 4;
    }
    for (size_t i = 0; i < n; i++) {
        uint16_t h;
        memcpy(&h, data + 2 * i, 2);
        x[i] = half_to_float(h);
    }
    return data + n * 2;
}

static void dequantise(const struct codec_shape *s, const struct kvz_stored *x, float *k, float *v,
                       uint32_t stride)
{
    const size_t n = s->n_tokens, dim = s->head_dim;
    const uint8_t *symbols = x->k.q;
    const float *m = x->k.m, *step = x->k.s;
    for (size_t h = 0; h < s->n_kv_heads; h++, m += dim, step += dim)
        for (size_t t = 0; t < n; t++, symbols += dim) {
            float *to = k + (h * stride + t) * dim;
            for (size_t d = 0; d < dim; d++)
                to[d] = m[d] + step[d] * (float)symbols[d];
        }
    symbols = x->v.q;
    m = x->v.m;
    step = x->v.s;
    for (size_t h = 0; h < s->n_kv_heads; h++)
        for (size_t t = 0; t < n; t++, symbols += dim, m++, step++) {
            float *to = v + (h * stride + t) * dim;
            for (size_t d = 0; d < dim; d++)
                to[d] = *m + *step * (float)symbols[d];
        }
}

// How the tables and symbols of a chunk are stored.
struct int8_form {
    int wide, packed;
    uint64_t before; // bytes in front of the symbols
};

static int int8_head(const struct codec_shape *s, const uint8_t *data, uint64_t bytes,
                     struct int8_form *f, struct err *e)
{
    const uint64_t raw = 2 * n_elements(s);
    uint32_t head[2];
    if (bytes < INT8_HEAD)
        return err_set(e, ERR_FORMAT, "its keys and values have the wrong length");
    memcpy(head, data, INT8_HEAD);
    if (head[0] & ~(uint32_t)(INT8_WIDE | INT8_PACKED) || head[1])
        return err_set(e, ERR_FORMAT, "its keys and values have unknown flags");
    f->wide = head[0] & INT8_WIDE;
    f->packed = head[0] & INT8_PACKED;
    f->before = INT8_HEAD + int8_groups(s) * (f->wide ? 8 : 4);
    if (bytes < f->before ||
        (f->packed ? !pack_plausible(bytes - f->before, raw) : bytes - f->before != raw))
        return err_set(e, ERR_FORMAT, "its keys and values have the wrong length");
    return 0;
}

static int int8_check(const struct codec_shape *s, const uint8_t *data, uint64_t bytes,
                      struct err *e)
{
    struct int8_form f;
    return int8_head(s, data, bytes, &f, e);
}

// Unpacks minima and steps as floats, and symbols, into one buffer.
static int int8_stored(const struct codec_shape *s, const uint8_t *data, uint64_t bytes,
                       struct kvz_stored *out, struct err *e)
{
    const size_t n = int8_groups(s), raw = 2 * n_elements(s);
    struct int8_form f;
    int rc = int8_head(s, data, bytes, &f, e);
    if (rc)
        return rc;
    float *m = malloc(2 * n * sizeof *m + (f.packed ? raw : 0));
    rc = m ? 0 : err_set(e, ERR_NOMEM, "out of memory (block)");
    if (!rc) {
        float *step = m + n;
        size_t n_keys = (size_t)s->n_kv_heads * s->head_dim;
        data = get_table(data + INT8_HEAD, m, n_keys, f.wide);
        data = get_table(data, step, n_keys, f.wide);
        data = get_table(data, m + n_keys, n - n_keys, f.wide);
        data = get_table(data, step + n_keys, n - n_keys, f.wide);
        for (size_t i = 0; i < n && !rc; i++)
            if (!isfinite(m[i]) || !isfinite(m[i] + step[i] * 255))
                rc = err_set(e, ERR_FORMAT, "it holds a value that is not finite");
    }
    if (!rc && f.packed)
        rc = pack_unpack(data, bytes - f.before, (uint8_t *)(m + 2 * n), raw, e);
    if (rc) {
        free(m);
        return rc;
    }
    size_t n_keys = (size_t)s->n_kv_heads * s->head_dim;
    out->room = m;
    out->k = (struct stored){.q = f.packed ? (const uint8_t *)(m + 2 * n) : data,
                             .m = m,
                             .s = m + n,
                             .n_heads = (int)s->n_kv_heads,
                             .n = (int)s->n_tokens,
                             .head_dim = (int)s->head_dim};
    out->v = out->k;
    out->v.q += raw / 2;
    out->v.m += n_keys;
    out->v.s += n_keys;
    out->v.per_token = 1;
    return 0;
}

static int int8_decode(const struct codec_shape *s, const uint8_t *data, uint64_t bytes, float *k,
                       float *v, uint32_t stride, struct err *e)
{
    struct kvz_stored x;
    int rc = int8_stored(s, data, bytes, &x, e);
    if (rc)
        return rc;
    dequantise(s, &x, k, v, stride);
    free(x.room);
    return 0;
}

static const struct codec float16 = {CODEC_FLOAT16, "float16",  f16_recipe_ok,
                                     f16_bound,     f16_encode, f16_check,
                                     f16_decode,    NULL,       f16_stored};
static const struct codec int8 = {CODEC_INT8, "int8",      int8_recipe_ok, int8_bound, int8_encode,
                                  int8_check, int8_decode, NULL,           int8_stored};

static const struct codec *const codecs[] = {
    &float16, &int8, &codec_rotated, &codec_coded, &codec_coded_wide, &codec_coded_paired};

const struct codec *codec_find(uint32_t id)
{
    for (size_t i = 0; i < sizeof codecs / sizeof *codecs; i++)
        if (codecs[i]->id == id)
            return codecs[i];
    return NULL;
}

int codec_check(const struct kvz_recipe *r, struct err *e)
{
    const struct codec *c = codec_find(r->codec);
    if (!c)
        return err_set(e, ERR_UNSUPPORTED, "codec %u is unknown to this version", r->codec);
    if (!c->recipe_ok(r))
        return err_set(e, ERR_UNSUPPORTED,
                       "codec %u (%s) cannot store keys in %g bits and values "
                       "in %g",
                       r->codec, c->name, kvz_bits(r, r->k_bits), kvz_bits(r, r->v_bits));
    if (r->level < 1 || r->level > 9)
        return err_set(e, ERR_UNSUPPORTED, "deflate has no level %u", r->level);
    return 0;
}
