// Codecs 3 and 4 of kvz.5, writing.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cache/coded.h"
#include "io/mem.h"
#include "kernels/mix.h"
#include "kernels/vectors.h"

// Where rounding begins: less than a half, since what is rounded to nought costs next to nothing.
static const float ROUND = 0.42f;

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

struct unit { // a symbol to be coded
    uint8_t table, symbol, state;
};

struct work {
    float *x;   // [width][padded] elements less their mean
    float *c;   // [width][padded] coefficients
    int32_t *q; // [padded] of one channel
    struct unit *units;
    size_t n_units;
    uint8_t *rests;
    int32_t *escapes;
    size_t n_rests, n_escapes;
};

static int take_elements(const struct codec_shape *s, const struct basis_part *p, uint32_t group,
                         const float *x, uint32_t stride, float *out)
{
    const size_t dim = s->head_dim, heads = s->basis->group, np = basis_padded(s->n_tokens);
    int ok = 1;
    for (size_t h = 0; h < heads; h++)
        for (size_t t = 0; t < s->n_tokens; t++) {
            size_t head = group * heads + h;
            const float *row = x + (head * stride + t) * dim, *mean = p->mean + head * dim;
            for (size_t d = 0; d < dim; d++) {
                float y = row[d] - mean[d];
                ok &= fabsf(y) < 0x1p60f;
                out[(h * dim + d) * np + t] = y;
            }
        }
    return ok;
}

// Coefficients of all channels of a group, in W->c.
static void project(const struct codec_shape *s, const struct basis_group *g, struct work *w)
{
    const size_t np = basis_padded(s->n_tokens), width = coded_group_width(s->basis);
    if (g->rows)
        mix_floats(g->inverse, g->n_live, g->inverse_width, width, w->x, np, np, w->c, np);
    for (size_t c = 0; c < g->n_live && !g->rows; c++)
        memcpy(w->c + c * np, w->x + g->channel[c] * np, np * sizeof *w->x);
}

static void put_rest(struct work *w, unsigned shift, const int32_t *q, size_t n)
{
    uint8_t *out = w->rests + w->n_rests;
    size_t bytes = coded_rest_bytes(shift, (uint32_t)n);
    memset(out, 0, bytes);
    for (size_t t = 0; t < n; t++)
        for (unsigned b = 0; b < shift; b++) {
            size_t at = t * shift + b;
            out[at / 8] = (uint8_t)(out[at / 8] | ((unsigned)q[t] >> b & 1) << at % 8);
        }
    w->n_rests += bytes;
}

// Q of N coefficients, in steps; both are as long as N is padded. -1 where one is too large.
static int quantise(const float *c, float step, size_t n, int32_t *q)
{
    const float per = 1 / step;
    ints4 large = {0};
    for (size_t i = 0; i < n; i += 4) {
        ints4 bits, whole, sign;
        floats4 a;
        memcpy(&bits, c + i, sizeof bits);
        sign = bits >> 31;
        bits &= INT32_MAX;
        memcpy(&a, &bits, sizeof a);
        a = a * per + ROUND;
        const ints4 fits = a < (float)BASIS_Q_MAX;
        large |= ~fits;
        whole = __builtin_convertvector((floats4)((ints4)a & fits), ints4);
        whole = (whole ^ sign) - sign;
        memcpy(q + i, &whole, sizeof whole);
    }
    return large[0] | large[1] | large[2] | large[3] ? -1 : 0;
}

// The symbols of UNITS times N_JOINT coefficients, which is a constant where this is inlined.
static inline __attribute__((always_inline)) void
join(const struct basis_table *t, const unsigned n_joint, struct unit first, uint32_t n_states, size_t units,
     struct work *w)
{
    const unsigned base = 2 * t->most + 2, shift = t->shift;
    const int most = (int)t->most;
    int32_t *q = w->q;
    struct unit *to = w->units + w->n_units;
    for (size_t u = 0; u < units; u++) {
        unsigned symbol = 0, weight = 1;
        for (unsigned j = 0; j < n_joint; j++, weight *= base, q++) {
            int32_t level = *q >> shift;
            if ((unsigned)(level + most) > 2 * (unsigned)most) {
                w->escapes[w->n_escapes++] = *q;
                *q = 0;
                level = most + 1;
            }
            symbol += weight * (unsigned)(level + most);
        }
        first.symbol = (uint8_t)symbol;
        first.state = (uint8_t)(u % n_states);
        *to++ = first;
    }
    w->n_units += units;
}

static int code_channel(const struct basis_table *t, uint8_t number, uint32_t n_states,
                        const float *c, float step, size_t n, struct work *w)
{
    const size_t units = (n + t->n_joint - 1) / t->n_joint;
    const struct unit first = {.table = number};
    if (quantise(c, step, n, w->q))
        return -1;
    memset(w->q + n, 0, (units * t->n_joint - n) * sizeof *w->q);
    if (t->n_joint == 1)
        join(t, 1, first, n_states, units, w);
    else if (t->n_joint == 2)
        join(t, 2, first, n_states, units, w);
    else
        join(t, BASIS_JOINT_MAX, first, n_states, units, w);
    if (t->shift)
        put_rest(w, t->shift, w->q, n);
    return 0;
}

// Codes all units, the last one first, so that a decoder meets the first one first. The words go
// before END; returns where they begin.
static uint8_t *code_units(const struct basis *b, const struct work *w, uint8_t *end,
                           uint32_t *state)
{
    for (int i = 0; i < RANS_STATES; i++)
        state[i] = RANS_LEAST;
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
    const size_t np = basis_padded(s->n_tokens);
    int bad = 0;
    for (uint32_t i = 0; i < b->n_groups && !bad; i++) {
        const struct basis_group *g = &p->groups[i];
        bad = !take_elements(s, p, i, x, stride, w->x);
        if (!bad)
            project(s, g, w);
        for (uint32_t c = 0; c < g->n_live && !bad; c++)
            bad = code_channel(&b->tables[g->table[c]], g->table[c], coded_states(b), w->c + c * np,
                               p->step, s->n_tokens, w);
    }
    return bad ? err_set(e, ERR_FORMAT, "a %s is infinite, not a number, or too large",
                         is_v ? "value" : "key")
               : 0;
}

int coded_encode(const struct codec_shape *s, struct packer *p, const float *k, const float *v,
                 uint32_t stride, uint8_t *out, uint64_t *bytes, struct err *e)
{
    (void)p;
    const size_t np = basis_padded(s->n_tokens), n = basis_padded(coded_group_width(s->basis)) * np;
    const size_t all = 2 * (size_t)s->n_kv_heads * s->head_dim * np;
    const uint32_t n_states = coded_states(s->basis);
    const uint64_t room = coded_bound(s);
    struct work w = {.x = mem_new(n, sizeof *w.x, e),
                     .c = mem_new(n, sizeof *w.c, e),
                     .q = mem_new(np, sizeof *w.q, e),
                     .units = mem_new(all, sizeof *w.units, e),
                     .rests = mem_new(2 * all, 1, e),
                     .escapes = mem_new(all, sizeof *w.escapes, e)};
    int rc = w.x && w.c && w.q && w.units && w.rests && w.escapes ? 0 : ERR_NOMEM;
    if (!rc)
        rc = encode_part(s, 0, k, stride, &w, e);
    if (!rc)
        rc = encode_part(s, 1, v, stride, &w, e);
    if (!rc) {
        uint32_t state[RANS_STATES];
        uint8_t *words = code_units(s->basis, &w, out + room, state);
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
    free(w.c);
    free(w.q);
    free(w.units);
    free(w.rests);
    free(w.escapes);
    return rc;
}
