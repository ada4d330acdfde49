// Codec 3 of kvz.5: coefficients along the directions in which keys and values vary, in equal
// steps, entropy coded.
//
// Equal steps in an orthogonal basis with entropy coding spend bits where the variance is (reverse
// water-filling; KVTC, arXiv 2511.01815, does so for caches). The coder is range asymmetric numeral
// systems (Duda, arXiv 1311.2540), four states taking turns.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cache/basis.h"
#include "cache/codec_impl.h"
#include "io/mem.h"
#include "kernels/mix.h"

enum { HEAD = 20, STATES = 4, LEAST = 1 << 16, MASK = (1 << BASIS_BITS) - 1 };

// Where rounding begins: less than a half, since what is rounded to nought costs next to nothing.
static const float ROUND = 0.42f;

static int recipe_ok(const struct kvz_recipe *r)
{
    return r->k_bits >= 10 && r->k_bits <= 1200 && r->v_bits >= 10 && r->v_bits <= 1200;
}

static uint64_t bound(const struct codec_shape *s)
{
    // A word of 16 bits, a rest and an escape for each element.
    uint64_t channels = 2 * (uint64_t)s->n_kv_heads * s->head_dim;
    return HEAD + channels * ((uint64_t)s->n_tokens + BASIS_JOINT_MAX) * 8;
}

static size_t padded(uint32_t n_tokens)
{
    return (n_tokens + 3u) / 4 * 4;
}

static size_t rest_bytes(unsigned shift, uint32_t n_tokens)
{
    return ((size_t)shift * n_tokens + 7) / 8;
}

static size_t group_width(const struct basis *b)
{
    return (size_t)b->group * b->head_dim;
}

// All rests of a chunk.
static uint64_t all_rests(const struct basis *b, uint32_t layer, uint32_t n_tokens)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < 2 * b->n_groups; i++) {
        const struct basis_group *g =
            &b->parts[2 * layer + i / b->n_groups].groups[i % b->n_groups];
        for (uint32_t c = 0; c < g->n_live; c++)
            sum += rest_bytes(b->tables[g->table[c]].shift, n_tokens);
    }
    return sum;
}

// --------------------------------------------------------------------------------------- encode

struct unit { // a symbol to be coded
    uint8_t table, symbol, state;
};

struct work {
    float *x;      // [width][padded] elements less their mean
    float *sum;    // [n][width]
    float *c, *ct; // [n][width], [width][padded] coefficients
    int32_t *q;    // [padded] of one channel
    struct unit *units;
    size_t n_units;
    uint8_t *rests;
    int32_t *escapes;
    size_t n_rests, n_escapes;
};

static int take_elements(const struct codec_shape *s, const struct basis_part *p, uint32_t group,
                         const float *x, uint32_t stride, float *out)
{
    const size_t dim = s->head_dim, heads = s->basis->group, np = padded(s->n_tokens);
    int ok = 1;
    for (size_t h = 0; h < heads; h++)
        for (size_t t = 0; t < s->n_tokens; t++) {
            size_t head = group * heads + h;
            const float *row = x + (head * stride + t) * dim;
            for (size_t d = 0; d < dim; d++) {
                float y = row[d] - p->mean[head * dim + d];
                ok &= fabsf(y) < 0x1p60f;
                out[(h * dim + d) * np + t] = y;
            }
        }
    return ok;
}

// [n][width] to [width][np]
static void transpose(const float *in, size_t n, size_t width, size_t np, float *out)
{
    for (size_t t = 0; t < n; t++)
        for (size_t c = 0; c < width; c++)
            out[c * np + t] = in[t * width + c];
}

// Coefficients in w->ct. The rows are nearly orthogonal: they were, before they were rounded to
// whole numbers. What they leave of the elements is therefore projected again, a few times.
static void project(const struct codec_shape *s, const struct basis_part *p,
                    const struct basis_group *g, struct work *w)
{
    enum { TIMES = 3 };
    const size_t n = s->n_tokens, np = padded(s->n_tokens), width = group_width(s->basis);
    const size_t live = g->n_live;
    if (!g->rows) {
        for (size_t c = 0; c < live; c++)
            memcpy(w->ct + c * np, w->x + g->channel[c] * np, np * sizeof *w->x);
        return;
    }
    memset(w->ct, 0, live * np * sizeof *w->ct);
    for (int i = 0; i < TIMES; i++) {
        mix_rows(w->x, n, np, width, g->columns, live, w->c, live);
        for (size_t t = 0; t < n; t++)
            for (size_t c = 0; c < live; c++) {
                w->c[t * live + c] *= p->unit;
                w->ct[c * np + t] += w->c[t * live + c];
            }
        if (i + 1 == TIMES)
            break;
        // x -= unit * what these coefficients say
        float *step = w->sum + n * width;
        transpose(w->c, n, live, np, step);
        mix_rows(step, n, np, live, g->rows, width, w->sum, width);
        for (size_t t = 0; t < n; t++)
            for (size_t d = 0; d < width; d++)
                w->x[d * np + t] -= p->unit * w->sum[t * width + d];
    }
}

static void put_rest(struct work *w, unsigned shift, const int32_t *q, size_t n)
{
    uint8_t *out = w->rests + w->n_rests;
    size_t bytes = rest_bytes(shift, (uint32_t)n);
    memset(out, 0, bytes);
    for (size_t t = 0; t < n; t++)
        for (unsigned b = 0; b < shift; b++) {
            size_t at = t * shift + b;
            out[at / 8] = (uint8_t)(out[at / 8] | ((unsigned)q[t] >> b & 1) << at % 8);
        }
    w->n_rests += bytes;
}

static int code_channel(const struct basis_table *t, uint8_t number, const float *c, float step,
                        size_t n, struct work *w)
{
    const unsigned base = 2 * t->most + 2;
    const size_t units = (n + t->n_joint - 1) / t->n_joint;
    memset(w->q, 0, units * t->n_joint * sizeof *w->q);
    for (size_t i = 0; i < n; i++) {
        float a = floorf(fabsf(c[i]) / step + ROUND);
        if (!(a < BASIS_Q_MAX))
            return -1;
        w->q[i] = (int32_t)(c[i] < 0 ? -a : a);
    }
    for (size_t u = 0; u < units; u++) {
        unsigned symbol = 0, weight = 1;
        for (unsigned j = 0; j < t->n_joint; j++, weight *= base) {
            int32_t *q = &w->q[u * t->n_joint + j], level = *q >> t->shift;
            if (abs(level) > (int)t->most) {
                w->escapes[w->n_escapes++] = *q;
                *q = 0;
                level = (int)t->most + 1;
            }
            symbol += weight * (unsigned)(level + (int)t->most);
        }
        w->units[w->n_units++] = (struct unit){number, (uint8_t)symbol, u % STATES};
    }
    if (t->shift)
        put_rest(w, t->shift, w->q, n);
    return 0;
}

// Codes all units, the last one first, so that a decoder meets the first one first. The words go
// to OUT, of which CAP bytes lie before END; returns where they begin.
static uint8_t *code_units(const struct basis *b, const struct work *w, uint8_t *end,
                           uint32_t *state)
{
    for (int i = 0; i < STATES; i++)
        state[i] = LEAST;
    for (size_t i = w->n_units; i-- > 0;) {
        const struct unit *u = &w->units[i];
        const struct basis_table *t = &b->tables[u->table];
        uint32_t freq = t->freq[u->symbol], x = state[u->state];
        if (x >= (uint64_t)freq << (32 - BASIS_BITS)) {
            uint16_t word = (uint16_t)x;
            end -= 2;
            memcpy(end, &word, 2);
            x >>= 16;
        }
        state[u->state] = (x / freq << BASIS_BITS) + x % freq + t->start[u->symbol];
    }
    return end;
}

static int encode_part(const struct codec_shape *s, int is_v, const float *x, uint32_t stride,
                       struct work *w, struct err *e)
{
    const struct basis *b = s->basis;
    const struct basis_part *p = &b->parts[2 * s->layer + (uint32_t)is_v];
    const size_t np = padded(s->n_tokens);
    int bad = 0;
    for (uint32_t i = 0; i < b->n_groups && !bad; i++) {
        const struct basis_group *g = &p->groups[i];
        bad = !take_elements(s, p, i, x, stride, w->x);
        if (!bad)
            project(s, p, g, w);
        for (uint32_t c = 0; c < g->n_live && !bad; c++)
            bad = code_channel(&b->tables[g->table[c]], g->table[c], w->ct + c * np, p->step,
                               s->n_tokens, w);
    }
    return bad ? err_set(e, ERR_FORMAT, "a %s is infinite, not a number, or too large",
                         is_v ? "value" : "key")
               : 0;
}

static int encode(const struct codec_shape *s, struct packer *p, const float *k, const float *v,
                  uint32_t stride, uint8_t *out, uint64_t *bytes, struct err *e)
{
    (void)p;
    const size_t np = padded(s->n_tokens), width = group_width(s->basis), n = width * np;
    const size_t all = 2 * (size_t)s->n_kv_heads * s->head_dim * np;
    const uint64_t room = bound(s);
    struct work w = {.x = mem_new(n, sizeof *w.x, e),
                     .sum = mem_new(2 * n, sizeof *w.sum, e),
                     .c = mem_new(n, sizeof *w.c, e),
                     .ct = mem_new(n, sizeof *w.ct, e),
                     .q = mem_new(np, sizeof *w.q, e),
                     .units = mem_new(all, sizeof *w.units, e),
                     .rests = mem_new(2 * all, 1, e),
                     .escapes = mem_new(all, sizeof *w.escapes, e)};
    int rc = w.x && w.sum && w.c && w.ct && w.q && w.units && w.rests && w.escapes ? 0 : ERR_NOMEM;
    if (!rc)
        rc = encode_part(s, 0, k, stride, &w, e);
    if (!rc)
        rc = encode_part(s, 1, v, stride, &w, e);
    if (!rc) {
        uint32_t state[STATES];
        uint8_t *words = code_units(s->basis, &w, out + room, state);
        uint32_t n_words = (uint32_t)((size_t)(out + room - words) / 2);
        memmove(out + HEAD, words, 2 * (size_t)n_words);
        memcpy(out, &n_words, 4);
        memcpy(out + 4, state, sizeof state);
        uint8_t *to = out + HEAD + 2 * (size_t)n_words;
        memcpy(to, w.rests, w.n_rests);
        to += w.n_rests;
        memcpy(to, w.escapes, w.n_escapes * sizeof *w.escapes);
        *bytes = (uint64_t)(to - out) + w.n_escapes * sizeof *w.escapes;
    }
    free(w.x);
    free(w.sum);
    free(w.c);
    free(w.ct);
    free(w.q);
    free(w.units);
    free(w.rests);
    free(w.escapes);
    return rc;
}

// --------------------------------------------------------------------------------------- decode

struct reader {
    uint32_t state[STATES];
    const uint8_t *at, *end;      // words
    const uint8_t *rest;          // next one
    const uint8_t *escape, *last; // next one; after the last
    int bad;
};

static inline void put_levels(float *q, const int8_t *level, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        q[i] = level[i];
}

// Symbols of N_JOINT levels each; returns SLOT_ESCAPE where one of them is an escape. Kept free of
// branches that depend on the data, but for the end of the words.
static inline __attribute__((always_inline)) unsigned
get_symbols(struct reader *r, const struct slot *slots, size_t n, unsigned n_joint, float *q)
{
    uint32_t x[STATES];
    const uint8_t *at = r->at;
    unsigned seen = 0;
    size_t u = 0;
    memcpy(x, r->state, sizeof x);
    for (; u + STATES <= n && r->end - at >= 2 * STATES; u += STATES)
        for (unsigned i = 0; i < STATES; i++) {
            const struct slot *s = &slots[x[i] & MASK];
            uint16_t word;
            memcpy(&word, at, 2);
            x[i] = s->freq * (x[i] >> BASIS_BITS) + (s->bias & MASK);
            seen |= s->bias;
            put_levels(q + (u + i) * n_joint, s->level, n_joint);
            unsigned more = x[i] < LEAST;
            uint32_t longer = x[i] << 16 | word;
            x[i] = more ? longer : x[i];
            at += 2 * more;
        }
    for (; u < n; u++) {
        unsigned i = u % STATES;
        const struct slot *s = &slots[x[i] & MASK];
        x[i] = s->freq * (x[i] >> BASIS_BITS) + (s->bias & MASK);
        seen |= s->bias;
        put_levels(q + u * n_joint, s->level, n_joint);
        if (x[i] < LEAST) {
            uint16_t word = 0;
            if (r->end - at >= 2)
                memcpy(&word, at, 2);
            else
                r->bad = 1;
            at += r->bad ? 0 : 2;
            x[i] = x[i] << 16 | word;
        }
    }
    memcpy(r->state, x, sizeof x);
    r->at = at;
    return seen & SLOT_ESCAPE;
}

static void get_rest(struct reader *r, unsigned shift, float *q, size_t n)
{
    const uint8_t *p = r->rest;
    uint64_t bits = 0;
    unsigned have = 0;
    for (size_t t = 0; t < n; t++) {
        while (have < shift) {
            bits |= (uint64_t)*p++ << have;
            have += 8;
        }
        if (q[t] != LEVEL_ESCAPE)
            q[t] = q[t] * (float)(1 << shift) + (float)(bits & ((1u << shift) - 1));
        bits >>= shift;
        have -= shift;
    }
    r->bad |= bits != 0;
    r->rest += rest_bytes(shift, (uint32_t)n);
}

// Only where there is one: they are rare.
static void get_escapes(struct reader *r, const float *levels, float *q, size_t n)
{
    for (size_t t = 0; t < n; t++)
        if (levels[t] == LEVEL_ESCAPE) {
            int32_t x = BASIS_Q_MAX;
            if (r->last - r->escape >= 4) {
                memcpy(&x, r->escape, 4);
                r->escape += 4;
            }
            if (x <= -BASIS_Q_MAX || x >= BASIS_Q_MAX) {
                r->bad = 1;
                x = 0;
            }
            q[t] = (float)x;
        }
}

// One channel's coefficients into q [padded(n)]. LEVELS [padded(n) + 4] is scratch.
static void get_channel(struct reader *r, const struct basis_table *t, size_t n, float *q,
                        float *levels)
{
    size_t units = (n + t->n_joint - 1) / t->n_joint;
    unsigned escapes;
    switch (t->n_joint) {
    case 1:
        escapes = get_symbols(r, t->slots, units, 1, levels);
        break;
    case 2:
        escapes = get_symbols(r, t->slots, units, 2, levels);
        break;
    default:
        escapes = get_symbols(r, t->slots, units, BASIS_JOINT_MAX, levels);
        break;
    }
    memcpy(q, levels, n * sizeof *q);
    if (t->shift)
        get_rest(r, t->shift, q, n);
    if (escapes)
        get_escapes(r, levels, q, n);
}

typedef float four __attribute__((vector_size(16)));

// x = mean + s * sum, from the rows of a group.
static void put_elements(const struct codec_shape *s, const struct basis_part *p, uint32_t group,
                         const float *sum, float *x, uint32_t stride)
{
    const size_t dim = s->head_dim, heads = s->basis->group;
    const float scale = p->step * p->unit;
    for (size_t h = 0; h < heads; h++) {
        size_t head = group * heads + h;
        const float *mean = p->mean + head * dim;
        for (size_t t = 0; t < s->n_tokens; t++) {
            const float *from = sum + (t * heads + h) * dim;
            float *to = x + (head * stride + t) * dim;
            size_t d = 0;
            for (; d + 4 <= dim; d += 4) {
                four a, b;
                memcpy(&a, mean + d, sizeof a);
                memcpy(&b, from + d, sizeof b);
                a += b * scale;
                memcpy(to + d, &a, sizeof a);
            }
            for (; d < dim; d++)
                to[d] = mean[d] + scale * from[d];
        }
    }
}

// Channels without a matrix are elements.
static void spread(const struct basis_group *g, size_t n, size_t np, size_t width, const float *q,
                   float *sum)
{
    memset(sum, 0, n * width * sizeof *sum);
    for (uint32_t c = 0; c < g->n_live; c++)
        for (size_t t = 0; t < n; t++)
            sum[t * width + g->channel[c]] = q[c * np + t];
}

static void decode_part(const struct codec_shape *s, int is_v, struct reader *r, float *q,
                        float *sum, float *levels, float *x, uint32_t stride)
{
    const struct basis *b = s->basis;
    const struct basis_part *p = &b->parts[2 * s->layer + (uint32_t)is_v];
    const size_t n = s->n_tokens, np = padded(s->n_tokens), width = group_width(b);
    for (uint32_t i = 0; i < b->n_groups; i++) {
        const struct basis_group *g = &p->groups[i];
        for (uint32_t c = 0; c < g->n_live; c++)
            get_channel(r, &b->tables[g->table[c]], n, q + c * np, levels);
        if (g->rows)
            mix_rows(q, n, np, g->n_live, g->rows, width, sum, width);
        else
            spread(g, n, np, width, q, sum);
        put_elements(s, p, i, sum, x, stride);
    }
}

static int decode(const struct codec_shape *s, const uint8_t *data, uint64_t bytes, float *k,
                  float *v, uint32_t stride, struct err *e)
{
    const size_t np = padded(s->n_tokens), width = group_width(s->basis);
    struct reader r;
    uint32_t n_words = 0;
    uint64_t rests = all_rests(s->basis, s->layer, s->n_tokens);
    if (bytes >= HEAD)
        memcpy(&n_words, data, 4);
    if (bytes < HEAD || bytes - HEAD < 2 * (uint64_t)n_words ||
        bytes - HEAD - 2 * (uint64_t)n_words < rests ||
        (bytes - HEAD - 2 * (uint64_t)n_words - rests) % 4)
        return err_set(e, ERR_FORMAT, "its keys and values have the wrong length");
    memcpy(r.state, data + 4, sizeof r.state);
    r.at = data + HEAD;
    r.end = r.rest = r.at + 2 * (size_t)n_words;
    r.escape = r.rest + rests;
    r.last = data + bytes;
    r.bad = 0;
    float *q = mem_new(width * np, sizeof *q, e), *sum = mem_new(width * np, sizeof *sum, e);
    float *levels = mem_new(np + BASIS_JOINT_MAX, sizeof *levels, e);
    int rc = q && sum && levels ? 0 : ERR_NOMEM;
    if (!rc) {
        decode_part(s, 0, &r, q, sum, levels, k, stride);
        decode_part(s, 1, &r, q, sum, levels, v, stride);
        for (int i = 0; i < STATES; i++)
            r.bad |= r.state[i] != LEAST;
        if (r.bad || r.at != r.end || r.escape != r.last)
            rc = err_set(e, ERR_FORMAT, "its symbols are damaged");
    }
    free(q);
    free(sum);
    free(levels);
    return rc;
}

const struct codec codec_coded = {CODEC_CODED, "coded", recipe_ok, bound, encode, decode};
