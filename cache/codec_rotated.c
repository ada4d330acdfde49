// Codec 2 of kvz.5: reading.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cache/codec_impl.h"
#include "cache/hadamard.h"
#include "cache/rotated.h"
#include "io/cursor.h"
#include "io/mem.h"
#include "kernels/vectors.h"

enum { LANES = 16 };

static int recipe_ok(const struct kvz_recipe *r)
{
    return rotated_planes_of(r->k_bits) && rotated_planes_of(r->v_bits);
}

static uint64_t bound(const struct codec_shape *s)
{
    // Seven bits have three planes, each of which may end with a partial byte.
    return ROTATED_HEAD + rotated_lay_out(s, 8, 8).payload + 4;
}

// -------------------------------------------------------------------------------------- symbols

// For eight symbols at a time: ORs bits FROM.. of IN, those of MASK, into bits TO.. of OUT.
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

// Q [n], zeroed. Returns 0, or -1 if bits are set that have no meaning.
static int unpack_symbols(const uint8_t *in, size_t n, unsigned bits, uint8_t *q)
{
    const struct rotated_planes *p = rotated_planes_of(bits);
    unsigned shift = bits;
    for (int i = 0; i < p->n; i++) {
        unsigned w = p->width[i], mask = (1u << w) - 1;
        size_t per = rotated_plane_bytes(n, w);
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

// --------------------------------------------------------------------------------------- decode

static int get_scale(const uint8_t *p, uint32_t dim, unsigned bits, struct rotated_scale *c)
{
    struct cursor at = {p, 3 * sizeof(uint16_t), 0};
    c->least = cursor_half(&at);
    c->spread = cursor_half(&at);
    c->largest = cursor_half(&at);
    if (!(c->spread >= 0 && c->largest >= 0))
        return -1;
    double most = fabs((double)c->least) + 255. * c->spread + (double)(1 << bits) * c->largest;
    return most * dim < 0x1p127 ? 0 : -1;
}

// Reads minimum and step of every group, each multiplied by TIMES.
static void get_groups(const struct rotated_part *p, const struct rotated_scale *c,
                       const uint8_t *payload, float times, float *m, float *s)
{
    for (size_t i = 0; i < p->n_groups; i++) {
        m[i] = (c->least + c->spread * (float)payload[p->code_off[0] + i]) * times;
        s[i] = c->largest * rotated_step_part(payload[p->code_off[1] + i]) * times;
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

// A row of keys: an m and an s for each element.
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

// A row of values: one m and one s.
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

static int decode_part(const struct codec_shape *sh, const struct rotated_part *p, int is_v,
                       const struct rotated_scale *c, const uint8_t *payload, uint8_t *q, float *m,
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

static int head_of(const struct codec_shape *s, const uint8_t *data, uint64_t bytes,
                   struct rotated_layout *l, struct rotated_scale c[2], struct err *e)
{
    if (bytes < ROTATED_HEAD)
        return err_set(e, ERR_FORMAT, "its keys and values have the wrong length");
    if (data[0] & ~ROTATED_PACKED || data[3] || !rotated_planes_of(data[1]) ||
        !rotated_planes_of(data[2]))
        return err_set(e, ERR_FORMAT, "its keys and values have unknown flags");
    *l = rotated_lay_out(s, data[1], data[2]);
    bytes -= ROTATED_HEAD;
    if (data[0] & ROTATED_PACKED ? !pack_plausible(bytes, l->payload) : bytes != l->payload)
        return err_set(e, ERR_FORMAT, "its keys and values have the wrong length");
    if (get_scale(data + 4, s->head_dim, l->k.bits, &c[0]) ||
        get_scale(data + 10, s->head_dim, l->v.bits, &c[1]))
        return err_set(e, ERR_FORMAT, "it holds a value that is not finite");
    return 0;
}

static int check(const struct codec_shape *s, const uint8_t *data, uint64_t bytes, struct err *e)
{
    struct rotated_layout l;
    struct rotated_scale c[2];
    return head_of(s, data, bytes, &l, c, e);
}

// Finds the payload behind a head that was checked: in DATA, or unpacked into UNPACKED, which the
// caller frees.
static int open_payload(const struct codec_shape *s, const uint8_t *data, uint64_t bytes,
                        struct rotated_layout *l, struct rotated_scale c[2], uint8_t **unpacked,
                        const uint8_t **payload, struct err *e)
{
    *unpacked = NULL;
    int rc = head_of(s, data, bytes, l, c, e);
    if (rc)
        return rc;
    const int packed = data[0] & ROTATED_PACKED;
    if (packed && !(*unpacked = mem_new(l->payload, 1, e)))
        return ERR_NOMEM;
    *payload = packed ? *unpacked : data + ROTATED_HEAD;
    return packed ? pack_unpack(data + ROTATED_HEAD, bytes - ROTATED_HEAD, *unpacked, l->payload, e)
                  : 0;
}

static int decode(const struct codec_shape *s, const uint8_t *data, uint64_t bytes, float *k,
                  float *v, uint32_t stride, struct err *e)
{
    struct rotated_layout l = {0};
    struct rotated_scale c[2];
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

// Puts symbols as bytes, and minima and steps as floats, into one buffer.
static int stored(const struct codec_shape *s, const uint8_t *data, uint64_t bytes,
                  struct kvz_stored *out, struct err *e)
{
    struct rotated_layout l = {0};
    struct rotated_scale c[2];
    uint8_t *unpacked;
    const uint8_t *payload;
    int rc = open_payload(s, data, bytes, &l, c, &unpacked, &payload, e);
    size_t groups = l.k.n_groups + l.v.n_groups;
    if (!rc && !(out->room = mem_new(2 * groups * sizeof(float) + 2 * l.k.n, 1, e)))
        rc = ERR_NOMEM;
    float *m = out->room;
    for (int is_v = 0; !rc && is_v < 2; is_v++) {
        const struct rotated_part *p = is_v ? &l.v : &l.k;
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

const struct codec codec_rotated = {CODEC_ROTATED, "rotated", recipe_ok, bound, rotated_encode,
                                    check,         decode,    NULL,      stored};
