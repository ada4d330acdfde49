// Codecs 3 and 4 of kvz.5, reading: coefficients along the directions in which keys and values
// vary, in equal steps, entropy coded.
//
// Equal steps in an orthogonal basis with entropy coding spend bits where the variance is (reverse
// water-filling; KVTC, arXiv 2511.01815, does so for caches). The coder is range asymmetric numeral
// systems (Duda, arXiv 1311.2540), whose states take turns: four of them in codec 3, sixteen in
// codec 4, which a vector holds.
#include <stdlib.h>
#include <string.h>

#include "cache/codec_impl.h"
#include "cache/coded_levels.h"
#include "io/mem.h"
#include "kernels/mix.h"
#include "kernels/mix_bytes.h"
#include "kernels/vectors.h"

enum { LANES = 16 };
_Static_assert(4 * MIX_FOURS_MAX >= BASIS_WIDTH_MAX, "a group fits a call of mix_bytes");

// Coefficients that fit bytes, laid side by side, and what mix_bytes wants with them.
struct panel {
    int8_t *q;           // [fours][padded][4]
    int32_t *less;       // [padded]
    const uint8_t *rows; // [fours][panel_width][4]: the basis's, or
    uint8_t *own;        // those of the channels that are still left
    uint32_t fours;
};

// A coefficient is its byte in the first panel, 64 times the one in the second, 64^2 times the one
// in the third: all but a few have only the first.
enum { PANELS = 3, DIGIT_BITS = 6, DIGIT = 1 << DIGIT_BITS };

struct room {         // of a group
    uint8_t *symbols; // [padded] of a channel
    int8_t *levels;   // [4][padded] of channels that lie together, or one of more digits each
    int32_t *sum;     // [2][MIX_TOKENS][panel_width]
    struct panel panels[PANELS];
    int32_t *q;     // [n_live][padded] what is left of the coefficients of the channels below
    uint32_t *wide; // [n_wide] channels with coefficients that a byte cannot hold
    uint32_t n_wide;
    size_t np; // tokens, padded
};

// All rests of a chunk.
static uint64_t all_rests(const struct basis *b, uint32_t layer, uint32_t n_tokens)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < 2 * b->n_groups; i++) {
        const struct basis_group *g =
            &b->parts[2 * layer + i / b->n_groups].groups[i % b->n_groups];
        for (uint32_t c = 0; c < g->n_live; c++)
            sum += coded_rest_bytes(b->tables[g->table[c]].shift, n_tokens);
    }
    return sum;
}

// ------------------------------------------------------------------------- coefficients to
// elements

// x = mean + scale * sum, for tokens FROM.. of a group; SUM [..][sum_stride] whole numbers, or
// floats.
static inline __attribute__((always_inline)) void
put(const struct codec_shape *s, const struct basis_part *p, uint32_t group, const void *sum,
    int whole, size_t sum_stride, size_t from, size_t n, float *x, uint32_t stride)
{
    const size_t dim = s->head_dim, heads = s->basis->group;
    const float scale = p->step * p->unit;
    for (size_t t = 0; t < n; t++)
        for (size_t h = 0; h < heads; h++) {
            const float *mean = p->mean + (group * heads + h) * dim;
            const char *in = (const char *)sum + (t * sum_stride + h * dim) * 4;
            float *to = x + ((group * heads + h) * stride + from + t) * dim;
            size_t d = 0;
            for (; d + 4 <= dim; d += 4) {
                floats4 a, b;
                ints4 i;
                memcpy(&a, mean + d, sizeof a);
                memcpy(&b, in + 4 * d, sizeof b);
                memcpy(&i, in + 4 * d, sizeof i);
                a += (whole ? __builtin_convertvector(i, floats4) : b) * scale;
                memcpy(to + d, &a, sizeof a);
            }
            for (; d < dim; d++) {
                float b;
                int32_t i;
                memcpy(&b, in + 4 * d, sizeof b);
                memcpy(&i, in + 4 * d, sizeof i);
                to[d] = mean[d] + scale * (whole ? (float)i : b);
            }
        }
}

static void put_whole(const struct codec_shape *s, const struct basis_part *p, uint32_t group,
                      const int32_t *sum, size_t sum_stride, size_t from, size_t n, float *x,
                      uint32_t stride)
{
    put(s, p, group, sum, 1, sum_stride, from, n, x, stride);
}

static void put_floats(const struct codec_shape *s, const struct basis_part *p, uint32_t group,
                       const float *sum, size_t sum_stride, float *x, uint32_t stride)
{
    put(s, p, group, sum, 0, sum_stride, 0, s->n_tokens, x, stride);
}

// Four channels side by side, [np][4]; 128 times what they add up to is taken from LESS.
static void lay_side_by_side(const int8_t *levels, size_t np, int8_t *panel, int32_t *less)
{
    for (size_t t = 0; t < np; t += LANES) {
        bytes16 pairs[4], all[4];
        zip_bytes16(load_bytes16(levels + t), load_bytes16(levels + np + t), pairs);
        zip_bytes16(load_bytes16(levels + 2 * np + t), load_bytes16(levels + 3 * np + t), pairs + 2);
        zip_pairs16(pairs[0], pairs[2], all);
        zip_pairs16(pairs[1], pairs[3], all + 2);
        for (int i = 0; i < 4; i++) {
            ints4 x = (ints4)all[i], y;
            memcpy(&y, less + t + 4 * (size_t)i, sizeof y);
            y -= (((ints4)((words4)x << 24) >> 24) + ((ints4)((words4)x << 16) >> 24) +
                  ((ints4)((words4)x << 8) >> 24) + (x >> 24)) *
                 128;
            memcpy(less + t + 4 * (size_t)i, &y, sizeof y);
        }
        memcpy(panel + 4 * t, all, sizeof all);
    }
}

// The lowest bytes of 16 numbers.
static inline bytes16 low_bytes(const ints4 x[4])
{
    words8 a = __builtin_shufflevector((words8)x[0], (words8)x[1], 0, 2, 4, 6, 8, 10, 12, 14);
    words8 b = __builtin_shufflevector((words8)x[2], (words8)x[3], 0, 2, 4, 6, 8, 10, 12, 14);
    return __builtin_shufflevector((bytes16)a, (bytes16)b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20,
                                   22, 24, 26, 28, 30);
}

// Takes from Q [np] the bytes of a panel; returns whether something is left, which is then in Q.
static int take_bytes(int32_t *q, size_t np, int8_t *out)
{
    ints4 beyond = {0};
    for (size_t t = 0; t < np; t += 4) {
        ints4 x;
        memcpy(&x, q + t, sizeof x);
        beyond |= (x > MIX_Q_MAX) | (x < -MIX_Q_MAX);
    }
    const int fits = !(beyond[0] | beyond[1] | beyond[2] | beyond[3]);
    for (size_t t = 0; t < np; t += LANES) {
        ints4 x[4], low[4];
        memcpy(x, q + t, sizeof x);
        for (int i = 0; i < 4; i++) {
            low[i] = fits ? x[i] : ((x[i] + DIGIT / 2) & (DIGIT - 1)) - DIGIT / 2;
            x[i] = (x[i] - low[i]) >> DIGIT_BITS;
        }
        bytes16 bytes = low_bytes(low);
        memcpy(out + t, &bytes, sizeof bytes);
        memcpy(q + t, x, sizeof x);
    }
    return !fits;
}

// Asks for what will be wanted when all channels are read: the processor has time for it now.
static void fetch(const uint8_t *p, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += 64)
        __builtin_prefetch(p + i, 0, 2);
}

// Reads all channels of a group to the first panel, and what it cannot hold to W->q.
static void get_panel(struct coded_reader *r, const struct basis *b, const struct basis_group *g,
                      size_t n, struct room *w)
{
    struct panel *p = &w->panels[0];
    w->n_wide = 0;
    p->rows = g->panel;
    p->fours = (g->n_live + 3) / 4;
    memset(p->less, 0, w->np * sizeof *p->less);
    for (uint32_t c = 0; c < 4 * p->fours; c++) {
        int8_t *levels = w->levels + c % 4 * w->np;
        int32_t *q = w->q + w->n_wide * w->np;
        fetch(p->rows + (size_t)c * b->panel_width, b->panel_width);
        if (c >= g->n_live)
            memset(levels, 0, w->np);
        else if (coded_channel(r, &b->tables[g->table[c]], n, w->symbols, levels, q) &&
                 take_bytes(q, w->np, levels))
            w->wide[w->n_wide++] = c;
        if (c % 4 == 3)
            lay_side_by_side(w->levels, w->np, p->q + c / 4 * 4 * w->np, p->less);
    }
}

// Rows of the channels that are left, side by side.
static void pick_rows(const struct room *w, const uint8_t *from, size_t width, size_t panel_width,
                      uint8_t *to)
{
    for (uint32_t i = 0; i < w->n_wide; i++)
        for (size_t d = 0; d < width; d++)
            to[(i / 4 * panel_width + d) * 4 + i % 4] =
                from[(w->wide[i] / 4 * panel_width + d) * 4 + w->wide[i] % 4];
}

// The next panel, of what the one before it could not hold: of few channels, or, where most have
// something left, of all.
static int get_rest_of_panel(struct panel *p, const struct basis_group *g, size_t width,
                             size_t panel_width, struct room *w, struct err *e)
{
    const int all = 2 * w->n_wide > g->n_live;
    const uint32_t n_rows = all ? g->n_live : w->n_wide;
    uint32_t next = 0, n_wide = 0;
    p->fours = (n_rows + 3) / 4;
    if (!p->q && (!(p->q = mem_new(panel_width + 3, w->np, e)) ||
                  !(p->own = mem_new(panel_width + 3, panel_width, e)) ||
                  !(p->less = mem_new(w->np, sizeof *p->less, e))))
        return ERR_NOMEM;
    p->rows = all ? g->panel : p->own;
    if (!all)
        pick_rows(w, g->panel, width, panel_width, p->own);
    memset(p->less, 0, w->np * sizeof *p->less);
    for (uint32_t i = 0; i < 4 * p->fours; i++) {
        int8_t *levels = w->levels + i % 4 * w->np;
        if (next == w->n_wide || (all && w->wide[next] != i)) {
            memset(levels, 0, w->np);
        } else {
            int32_t *q = w->q + next * w->np;
            if (take_bytes(q, w->np, levels)) {
                memmove(w->q + n_wide * w->np, q, w->np * sizeof *w->q);
                w->wide[n_wide++] = w->wide[next];
            }
            next++;
        }
        if (i % 4 == 3)
            lay_side_by_side(w->levels, w->np, p->q + i / 4 * 4 * w->np, p->less);
    }
    w->n_wide = n_wide;
    return 0;
}

// Sums of MIX_TOKENS tokens from T on, in W->sum, from N_PANELS panels.
static void mix_panels(const struct room *w, int n_panels, size_t t, size_t panel_width)
{
    const size_t n = MIX_TOKENS * panel_width;
    for (int i = 0; i < n_panels; i++) {
        const struct panel *p = &w->panels[i];
        mix_bytes(p->q + 4 * t, 4 * w->np, p->fours, p->rows, panel_width, p->less + t,
                  w->sum + (i ? n : 0));
        for (size_t j = 0; j < n && i; j += 4) {
            words4 a, b; // modulo 2^32
            memcpy(&a, w->sum + j, sizeof a);
            memcpy(&b, w->sum + n + j, sizeof b);
            a += b << 6 * i;
            memcpy(w->sum + j, &a, sizeof a);
        }
    }
}

static int mix_group(const struct codec_shape *s, const struct basis_part *p, uint32_t group,
                     struct room *w, float *x, uint32_t stride, struct err *e)
{
    const struct basis *b = s->basis;
    const size_t n = s->n_tokens;
    int n_panels = 1;
    while (w->n_wide && n_panels < PANELS) {
        int rc = get_rest_of_panel(&w->panels[n_panels], &p->groups[group], coded_group_width(b),
                                   b->panel_width, w, e);
        if (rc)
            return rc;
        n_panels++;
    }
    for (size_t t = 0; t < n; t += MIX_TOKENS) {
        mix_panels(w, n_panels, t, b->panel_width);
        put_whole(s, p, group, w->sum, b->panel_width, t, n - t < MIX_TOKENS ? n - t : MIX_TOKENS,
                  x, stride);
    }
    return 0;
}

// Reads all channels of a group into W->q.
static void get_all(struct coded_reader *r, const struct basis *b, const struct basis_group *g, size_t n,
                    struct room *w)
{
    for (uint32_t c = 0; c < g->n_live; c++) {
        int32_t *q = w->q + c * w->np;
        if (!coded_channel(r, &b->tables[g->table[c]], n, w->symbols, w->levels, q))
            for (size_t t = 0; t < n; t++)
                q[t] = w->levels[t];
    }
}

// Channels without a matrix are elements.
static void spread_group(const struct codec_shape *s, const struct basis_part *p, uint32_t group,
                         const struct room *w, float *x, uint32_t stride)
{
    const struct basis_group *g = &p->groups[group];
    for (size_t t = 0; t < s->n_tokens; t++) {
        memset(w->sum, 0, s->basis->panel_width * sizeof *w->sum);
        for (uint32_t c = 0; c < g->n_live; c++)
            w->sum[g->channel[c]] = w->q[c * w->np + t];
        put_whole(s, p, group, w->sum, 0, t, 1, x, stride);
    }
}

// Codec 3: sums of floats, in the order of the channels.
static int mix_group_in_order(const struct codec_shape *s, const struct basis_part *p,
                              uint32_t group, const struct room *w, float *x, uint32_t stride,
                              struct err *e)
{
    const struct basis_group *g = &p->groups[group];
    const size_t width = coded_group_width(s->basis), n = s->n_tokens;
    float *q = mem_new(g->n_live * w->np, sizeof *q, e), *sum = mem_new(n, width * sizeof *sum, e);
    int rc = q && sum ? 0 : ERR_NOMEM;
    if (!rc) {
        for (size_t i = 0; i < g->n_live * w->np; i += 4) {
            ints4 x4;
            memcpy(&x4, w->q + i, sizeof x4);
            floats4 y4 = __builtin_convertvector(x4, floats4);
            memcpy(q + i, &y4, sizeof y4);
        }
        mix_rows(q, n, w->np, g->n_live, g->rows, width, sum, width);
        put_floats(s, p, group, sum, width, x, stride);
    }
    free(q);
    free(sum);
    return rc;
}

static int decode_part(const struct codec_shape *s, int is_v, struct coded_reader *r, struct room *w,
                       float *x, uint32_t stride, struct err *e)
{
    const struct basis *b = s->basis;
    const struct basis_part *p = &b->parts[2 * s->layer + (uint32_t)is_v];
    int rc = 0;
    for (uint32_t i = 0; i < b->n_groups && !rc; i++) {
        const struct basis_group *g = &p->groups[i];
        if (g->panel) {
            get_panel(r, b, g, s->n_tokens, w);
            rc = mix_group(s, p, i, w, x, stride, e);
            continue;
        }
        get_all(r, b, g, s->n_tokens, w);
        if (g->rows)
            rc = mix_group_in_order(s, p, i, w, x, stride, e);
        else
            spread_group(s, p, i, w, x, stride);
    }
    return rc;
}

static int new_room(struct room *w, const struct codec_shape *s, struct err *e)
{
    const size_t wide = s->basis->panel_width, np = basis_padded(s->n_tokens);
    *w = (struct room){.np = np,
                       .symbols = mem_new(np + LANES, 1, e),
                       .levels = mem_new(4 * np + 4 * LANES, 1, e),
                       .sum = malloc(2 * MIX_TOKENS * wide * sizeof *w->sum),
                       .panels[0] = {.q = mem_new(wide + 3, np, e),
                                     .less = mem_new(np, sizeof *w->panels->less, e)},
                       .q = malloc(wide * np * sizeof *w->q),
                       .wide = mem_new(wide, sizeof *w->wide, e)};
    if (!w->q || !w->sum)
        err_set(e, ERR_NOMEM, "out of memory (block)");
    return w->symbols && w->levels && w->panels[0].q && w->panels[0].less && w->sum && w->q &&
                   w->wide
               ? 0
               : ERR_NOMEM;
}

static void free_room(struct room *w)
{
    free(w->symbols);
    free(w->levels);
    for (int i = 0; i < PANELS; i++) {
        free(w->panels[i].q);
        free(w->panels[i].less);
        free(w->panels[i].own);
    }
    free(w->sum);
    free(w->q);
    free(w->wide);
}

// Where the parts of a chunk lie.
static int take_apart(const struct codec_shape *s, const uint8_t *data, uint64_t bytes,
                      struct coded_reader *r)
{
    const uint32_t n_states = coded_states(s->basis);
    const size_t head = coded_head(n_states);
    const uint64_t rests = all_rests(s->basis, s->layer, s->n_tokens);
    uint32_t n_words;
    if (bytes < head)
        return -1;
    memcpy(&n_words, data, 4);
    bytes -= head;
    if (bytes < 2 * (uint64_t)n_words || bytes - 2 * (uint64_t)n_words < rests ||
        (bytes - 2 * (uint64_t)n_words - rests) % 4)
        return -1;
    *r = (struct coded_reader){.words = {.n_states = n_states, .at = data + head}};
    memcpy(r->words.state, data + 4, 4 * n_states);
    r->words.end = r->rest = data + head + 2 * (size_t)n_words;
    r->escape = r->rest + rests;
    r->last = data + head + bytes;
    return 0;
}

// Nothing is read but the lengths: what the symbols are, the device finds out.
static int coded_stored(const struct codec_shape *s, const uint8_t *data, uint64_t bytes,
                        struct kvz_stored *out, struct err *e)
{
    struct coded_reader r;
    if (take_apart(s, data, bytes, &r))
        return err_set(e, ERR_FORMAT, "its keys and values have the wrong length");
    out->coded = (struct coded){.basis = &s->basis->device,
                                .layer = (int)s->layer,
                                .n = (int)s->n_tokens,
                                .data = data,
                                .bytes = bytes,
                                .n_words = (size_t)(r.words.end - r.words.at) / 2,
                                .rest_bytes = (size_t)(r.escape - r.rest)};
    return 0;
}

static int decode(const struct codec_shape *s, const uint8_t *data, uint64_t bytes, float *k,
                  float *v, uint32_t stride, struct err *e)
{
    struct coded_reader r;
    struct room w;
    if (take_apart(s, data, bytes, &r))
        return err_set(e, ERR_FORMAT, "its keys and values have the wrong length");
    int rc = new_room(&w, s, e);
    if (!rc)
        rc = decode_part(s, 0, &r, &w, k, stride, e);
    if (!rc)
        rc = decode_part(s, 1, &r, &w, v, stride, e);
    for (uint32_t i = 0; i < r.words.n_states; i++)
        r.bad |= r.words.state[i] != RANS_LEAST;
    if (!rc && (r.bad || r.words.bad || r.words.at != r.words.end || r.escape != r.last))
        rc = err_set(e, ERR_FORMAT, "its symbols are damaged");
    free_room(&w);
    return rc;
}

int coded_shares(const struct codec_shape *s, const uint8_t *data, uint64_t bytes, uint64_t *out, struct err *e)
{
    const struct basis *b = s->basis;
    struct coded_reader r;
    struct room w;
    if (take_apart(s, data, bytes, &r))
        return err_set(e, ERR_FORMAT, "its keys and values have the wrong length");
    int rc = new_room(&w, s, e);
    for (uint32_t i = 0; !rc && i < 2 * b->n_groups; i++) {
        const uint32_t is_v = i / b->n_groups, group = i % b->n_groups;
        const struct coded_reader was = r;
        get_all(&r, b, &b->parts[2 * s->layer + is_v].groups[group], s->n_tokens, &w);
        out[2 * group + is_v] += (uint64_t)((r.words.at - was.words.at) + (r.rest - was.rest) + (r.escape - was.escape));
    }
    free_room(&w);
    return rc;
}

const struct codec codec_coded = {CODEC_CODED,  "coded", coded_recipe_ok, coded_bound,
                                  coded_encode, decode,  coded_stored};
const struct codec codec_coded_wide = {CODEC_CODED_WIDE, "coded", coded_recipe_ok, coded_bound,
                                       coded_encode,     decode,  coded_stored};
