// Codecs 3 to 5 of kvz.5, writing.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cache/coded.h"
#include "io/mem.h"
#include "kernels/codec/mix.h"
#include "kernels/vectors.h"

int coded_recipe_ok(const struct kvz_recipe *r)
{
    return r->k_bits >= 10 && r->k_bits <= 1200 && r->v_bits >= 10 && r->v_bits <= 1200;
}

uint64_t coded_bound(const struct codec_shape *s)
{
    // A word of 16 bits, a rest and an escape for each element.
    uint64_t channels = 2 * (uint64_t)s->n_kv_heads * s->head_dim;
    return coded_head(RANS_STATES) + channels * ((uint64_t)s->n_tokens + BASIS_JOINT_MAX) * 8;
}

// Buffers for a chunk. Channels are in the order of the section, keys first.
struct work {
    float *x;   // [width][padded] elements of a group less their mean; keys, then values
    float *c;   // [BASIS_PANEL][padded] coefficients
    int32_t *q; // [padded] coefficients of one channel, in steps
    uint8_t *table, *symbols; // of each channel; of all coefficients
    size_t n_channels, n_symbols;
    uint8_t *rests;
    int32_t *escapes;
    size_t n_rests, n_escapes;
};

static int work_new(struct work *w, const struct codec_shape *s, struct err *e)
{
    const size_t np = basis_padded(s->n_tokens), width = coded_group_width(s->basis);
    const size_t channels = 2 * (size_t)s->n_kv_heads * s->head_dim, all = channels * np;
    const size_t floats = 2 * width * np + BASIS_PANEL * np + np;
    const size_t bytes = 4 * (floats + all) + channels + all + 2 * all;
    *w = (struct work){.x = mem_scratch(bytes, e)};
    if (!w->x)
        return ERR_NOMEM;
    w->c = w->x + 2 * width * np;
    w->q = (int32_t *)(void *)(w->c + BASIS_PANEL * np);
    w->escapes = w->q + np;
    w->table = (uint8_t *)(w->escapes + all);
    w->symbols = w->table + channels;
    w->rests = w->symbols + all;
    return 0;
}

// Transposes four vectors.
static inline void turn_four(const floats4 r[4], floats4 out[4])
{
    const floats4 a = __builtin_shufflevector(r[0], r[1], 0, 4, 1, 5),
                  b = __builtin_shufflevector(r[2], r[3], 0, 4, 1, 5);
    const floats4 c = __builtin_shufflevector(r[0], r[1], 2, 6, 3, 7),
                  d = __builtin_shufflevector(r[2], r[3], 2, 6, 3, 7);
    out[0] = __builtin_shufflevector(a, b, 0, 1, 4, 5);
    out[1] = __builtin_shufflevector(a, b, 2, 3, 6, 7);
    out[2] = __builtin_shufflevector(c, d, 0, 1, 4, 5);
    out[3] = __builtin_shufflevector(c, d, 2, 3, 6, 7);
}

// Copies four elements of each of four tokens, less their mean, from the rows at X to OUT, where
// elements are NP apart. Returns non-zero if one is wrong.
static inline ints4 take_four(const float *x, size_t dim, const float *mean, float *out, size_t np)
{
    const ints4 most = {0x5d800000, 0x5d800000, 0x5d800000, 0x5d800000}; // 2^60
    floats4 r[4], y[4];
    ints4 bad = {0};
    for (size_t t = 0; t < 4; t++) {
        r[t] = load_floats4(x + t * dim) - load_floats4(mean);
        bad |= ((ints4)r[t] & INT32_MAX) >= most;
    }
    turn_four(r, y);
    for (size_t d = 0; d < 4; d++)
        store_floats4(out + d * np, y[d]);
    return bad;
}

// Transposes the rows of one head; 0 if an element is infinite, not a number, or too large.
static int take_head(const float *x, const float *mean, size_t dim, size_t n, size_t np, float *out)
{
    ints4 bad = {0};
    int ok = 1;
    size_t whole = n / 4 * 4, fours = dim / 4 * 4;
    for (size_t t = 0; t < whole; t += 4)
        for (size_t d = 0; d < fours; d += 4)
            bad |= take_four(x + t * dim + d, dim, mean + d, out + d * np + t, np);
    for (size_t t = 0; t < n; t++)
        for (size_t d = t < whole ? fours : 0; d < dim; d++) {
            float y = x[t * dim + d] - mean[d];
            ok &= fabsf(y) < 0x1p60f;
            out[d * np + t] = y;
        }
    for (size_t d = 0; d < dim && n < np; d++)
        memset(out + d * np + n, 0, (np - n) * sizeof *out);
    return ok && !(bad[0] | bad[1] | bad[2] | bad[3]);
}

static int take_elements(const struct codec_shape *s, const struct basis_part *p, uint32_t group,
                         const float *x, uint32_t stride, float *out)
{
    const size_t dim = s->head_dim, heads = s->basis->group, np = basis_padded(s->n_tokens);
    int ok = 1;
    for (size_t h = 0; h < heads; h++) {
        const size_t head = group * heads + h;
        ok &= take_head(x + head * stride * dim, p->mean + head * dim, dim, s->n_tokens, np,
                        out + h * dim * np);
    }
    return ok;
}

// Computes the coefficients of N channels of a group, from channel FIRST on, in W->c.
static void project(const struct codec_shape *s, const struct basis_group *g, size_t first,
                    size_t n, struct work *w)
{
    const size_t np = basis_padded(s->n_tokens), width = coded_live_most(s->basis);
    if (g->rows)
        mix_floats(g->inverse + first * width, n, BASIS_PANEL, width, w->x, np, np, w->c, np);
    for (size_t c = 0; c < n && !g->rows; c++)
        memcpy(w->c + c * np, w->x + g->channel[first + c] * np, np * sizeof *w->x);
}

static void put_rest(struct work *w, unsigned shift, size_t n)
{
    uint8_t *out = w->rests + w->n_rests;
    const uint32_t mask = (1u << shift) - 1;
    uint64_t bits = 0;
    unsigned have = 0;
    for (size_t t = 0; t < n; t++) {
        bits |= (uint64_t)((uint32_t)w->q[t] & mask) << have;
        for (have += shift; have >= 8; have -= 8, bits >>= 8)
            *out++ = (uint8_t)bits;
    }
    if (have)
        *out = (uint8_t)bits;
    w->n_rests += coded_rest_bytes(shift, (uint32_t)n);
}

// Quantises four coefficients to Q, in steps; returns non-zero if one is too large.
static inline ints4 quantise(const float *c, float per_step, struct rounding r, int32_t *q,
                             ints4 *large)
{
    const ints4 x = (ints4)load_floats4(c), sign = x >> 31;
    const floats4 far = (floats4)(x & INT32_MAX) * per_step, a = far + r.offset;
    const ints4 fits = a < (float)BASIS_Q_MAX, some = fits & (far >= r.nought);
    ints4 whole = __builtin_convertvector((floats4)((ints4)a & some), ints4);
    *large |= ~fits;
    whole = (whole ^ sign) - sign;
    memcpy(q, &whole, sizeof whole);
    return whole;
}

// Joins the levels of 16 symbols; LEVEL has their digits by columns: digits 0, 4, 8, 12 first, then
// those behind them.
static inline void join_sixteen(const ints4 level[4], unsigned n_joint, unsigned base, uint8_t *out)
{
    ints4 x;
    if (n_joint == 1) {
        x = level[0] | level[1] << 8 | level[2] << 16 | level[3] << 24;
        memcpy(out, &x, sizeof x);
        return;
    }
    const uint16_t times = (uint16_t)base;
    const ints4 low = level[0] + (ints4)((words8)level[1] * times),
                high = level[2] + (ints4)((words8)level[3] * times);
    x = n_joint == 2 ? low | high << 8 : low + high * (int32_t)(base * base);
    for (int i = 0; i < 4; i++, out += 4 / n_joint) {
        const uint16_t two = (uint16_t)x[i];
        memcpy(out, &two, 4 / n_joint);
    }
}

// Makes the symbols of N coefficients, N rounded up to a multiple of 16. Returns 1 if a level is
// too large for a symbol, -1 if a coefficient is too large altogether.
static int make_symbols(const struct basis_table *t, const float *c, float step, size_t n,
                        int32_t *q, uint8_t *out)
{
    const int32_t most = (int32_t)t->most, shift = (int32_t)t->shift;
    const float per_step = 1 / step;
    ints4 large = {0}, escapes = {0};
    for (size_t i = 0; i < n; i += 16, out += 16 / t->n_joint) {
        floats4 r[4], turned[4];
        ints4 level[4];
        for (size_t j = 0; j < 4; j++) {
            const ints4 x =
                (quantise(c + i + 4 * j, per_step, t->rounding, q + i + 4 * j, &large) >> shift) +
                most;
            escapes |= (x < 0) | (x > 2 * most);
            r[j] = (floats4)x;
        }
        turn_four(r, turned);
        memcpy(level, turned, sizeof level);
        join_sixteen(level, t->n_joint, 2 * t->most + 2, out);
    }
    if (large[0] | large[1] | large[2] | large[3])
        return -1;
    return (escapes[0] | escapes[1] | escapes[2] | escapes[3]) != 0;
}

// The same for N coefficients in W->q, one by one: one whose level is too large becomes an escape,
// and 0 among those whose rests are stored.
static void make_symbols_with_escapes(struct work *w, const struct basis_table *t, size_t n,
                                      uint8_t *out)
{
    const int32_t most = (int32_t)t->most;
    unsigned symbol = 0, weight = 1;
    for (size_t i = 0; i < n; i++) {
        int32_t level = w->q[i] >> t->shift;
        if (level < -most || level > most) {
            w->escapes[w->n_escapes++] = w->q[i];
            w->q[i] = 0;
            level = most + 1;
        }
        symbol += weight * (unsigned)(level + most);
        weight *= 2 * t->most + 2;
        if ((i + 1) % t->n_joint)
            continue;
        *out++ = (uint8_t)symbol;
        symbol = 0;
        weight = 1;
    }
}

static int code_channel(const struct basis_table *t, const float *c, float step, size_t n,
                        struct work *w)
{
    const size_t units = (n + t->n_joint - 1) / t->n_joint;
    uint8_t *to = w->symbols + w->n_symbols;
    const int found = make_symbols(t, c, step, n, w->q, to);
    if (found < 0)
        return -1;
    if (found)
        make_symbols_with_escapes(w, t, units * t->n_joint, to);
    w->n_symbols += units;
    if (t->shift)
        put_rest(w, t->shift, n);
    return 0;
}

// Codes all symbols in reverse, because a decoder meets them in the other order. The words go
// before END; returns where they begin.
static uint8_t *code_symbols(const struct codec_shape *s, const struct work *w, uint8_t *end,
                             uint32_t *state)
{
    const struct basis *b = s->basis;
    const uint8_t *at = w->symbols + w->n_symbols;
    for (int i = 0; i < RANS_STATES; i++)
        state[i] = RANS_LEAST;
    for (size_t i = w->n_channels; i-- > 0;) {
        const struct basis_table *t = &b->tables[w->table[i]];
        const size_t units = (s->n_tokens + t->n_joint - 1) / t->n_joint;
        at -= units;
        end = rans_write(state, coded_states(b), b->codes + (size_t)w->table[i] * BASIS_SYMBOLS_MAX,
                         at, units, end);
    }
    return end;
}

// Codes all channels of a group from the elements in W->x; -1 if a coefficient is too large.
static int code_group(const struct codec_shape *s, const struct basis_group *g, float step,
                      struct work *w)
{
    const size_t np = basis_padded(s->n_tokens);
    int bad = 0;
    for (size_t first = 0; first < g->n_live && !bad; first += BASIS_PANEL) {
        const size_t n = g->n_live - first < BASIS_PANEL ? g->n_live - first : BASIS_PANEL;
        project(s, g, first, n, w);
        for (size_t c = 0; c < n && !bad; c++) {
            w->table[w->n_channels++] = g->table[first + c];
            bad = code_channel(&s->basis->tables[g->table[first + c]], w->c + c * np, step,
                               s->n_tokens, w);
        }
    }
    return bad;
}

static int too_large(int is_v, struct err *e)
{
    return err_set(e, ERR_FORMAT, "a %s is infinite, not a number, or too large",
                   is_v ? "value" : "key");
}

static int encode_part(const struct codec_shape *s, int is_v, const float *x, uint32_t stride,
                       struct work *w, struct err *e)
{
    const struct basis_part *p = &s->basis->parts[2 * s->layer + (uint32_t)is_v];
    for (uint32_t i = 0; i < s->basis->n_groups; i++)
        if (!take_elements(s, p, i, x, stride, w->x) || code_group(s, &p->groups[i], p->step, w))
            return too_large(is_v, e);
    return 0;
}

// Codes keys and values that share their channels; their coefficients come in steps.
static int encode_pairs(const struct codec_shape *s, const float *k, const float *v,
                        uint32_t stride, struct work *w, struct err *e)
{
    const struct basis_part *p = &s->basis->parts[2 * s->layer];
    float *values = w->x + coded_group_width(s->basis) * basis_padded(s->n_tokens);
    for (uint32_t i = 0; i < s->basis->n_groups; i++) {
        if (!take_elements(s, p, i, k, stride, w->x))
            return too_large(0, e);
        if (!take_elements(s, p + 1, i, v, stride, values) || code_group(s, &p->groups[i], 1, w))
            return too_large(1, e);
    }
    return 0;
}

int coded_encode(const struct codec_shape *s, struct packer *p, const float *k, const float *v,
                 uint32_t stride, uint8_t *out, uint64_t *bytes, struct err *e)
{
    (void)p;
    const uint32_t n_states = coded_states(s->basis);
    const uint64_t room = coded_bound(s);
    struct work w;
    int rc = work_new(&w, s, e);
    if (!rc && s->basis->paired)
        rc = encode_pairs(s, k, v, stride, &w, e);
    else if (!rc && !(rc = encode_part(s, 0, k, stride, &w, e)))
        rc = encode_part(s, 1, v, stride, &w, e);
    if (!rc) {
        uint32_t state[RANS_STATES];
        uint8_t *words = code_symbols(s, &w, out + room, state);
        uint32_t n_words = (uint32_t)((size_t)(out + room - words) / 2);
        uint8_t *to = out + coded_head(n_states);
        memmove(to, words, 2 * (size_t)n_words);
        memcpy(out, &n_words, 4);
        memcpy(out + 4, state, 4 * n_states);
        to += 2 * (size_t)n_words;
        memcpy(to, w.rests, w.n_rests);
        to += w.n_rests;
        memcpy(to, w.escapes, w.n_escapes * sizeof *w.escapes);
        *bytes = (uint64_t)(to - out) + w.n_escapes * sizeof *w.escapes;
    }
    free(w.x);
    return rc;
}
