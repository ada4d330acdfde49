// Codecs 3 to 5 of kvz.5, reading: coefficients along the directions in which keys and values vary,
// in equal steps, entropy coded. In codec 5 the directions are those of keys and values together.
//
// Equal steps in an orthogonal basis with entropy coding spend the bits where the variance is
// (reverse water-filling; KVTC, arXiv 2511.01815, does this for caches). The coder is range
// asymmetric numeral systems (Duda, arXiv 1311.2540), whose states take turns: four states in codec
// 3, sixteen in codecs 4 and 5, which fit a vector.
#include <stdlib.h>
#include <string.h>

#include "cache/codec_impl.h"
#include "cache/coded_panel.h"
#include "io/mem.h"
#include "kernels/codec/mix.h"
#include "kernels/codec/mix_bytes.h"
#include "kernels/codec/mix_place.h"

_Static_assert((int)CODEC_SIDE <= (int)RANS_SIDE, "chunks side by side are read so");

// Bytes of all rests of a chunk.
static uint64_t all_rests(const struct basis *b, uint32_t layer, uint32_t n_tokens)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < coded_parts(b) * b->n_groups; i++) {
        const struct basis_group *g =
            &b->parts[2 * layer + i / b->n_groups].groups[i % b->n_groups];
        for (uint32_t c = 0; c < g->n_live; c++)
            sum += coded_rest_bytes(b->tables[g->table[c]].shift, n_tokens);
    }
    return sum;
}

// ----------------------------------------------------------------------- coefficients to elements

// Where N tokens of a group, from FROM on, go; the sums are filled in later.
static struct mix_place place_of(const struct codec_shape *s, const struct basis_part *p,
                                 uint32_t group, size_t from, size_t n, float *x, uint32_t stride)
{
    const size_t dim = s->head_dim, heads = s->basis->group;
    return (struct mix_place){.n = n,
                              .heads = heads,
                              .dim = dim,
                              .mean = p->mean + group * heads * dim,
                              .scale = p->step * p->unit,
                              .x = x + (group * heads * stride + from) * dim,
                              .stride = stride};
}

// x = mean + scale * sum, for float sums [n][width].
static void put_floats(const struct mix_place *p, const float *sum)
{
    for (size_t t = 0; t < p->n; t++)
        for (size_t h = 0; h < p->heads; h++)
            for (size_t d = 0; d < p->dim; d++)
                p->x[(h * p->stride + t) * p->dim + d] =
                    p->mean[h * p->dim + d] + p->scale * sum[(t * p->heads + h) * p->dim + d];
}

// PART: index of the group among those whose channels were read.
static void mix_group(const struct codec_shape *s, const struct basis_part *p, uint32_t group,
                      size_t part, int is_v, struct coded_room *w, const struct codec_chunk *c)
{
    const size_t n = s->n_tokens;
    for (size_t i = 0; i < w->n_side; i++)
        for (size_t t = 0, some; t < w->np; t += some) {
            some = w->np - t < MIX_TOKENS ? w->np - t : MIX_TOKENS;
            coded_sums(w, s->basis, part, i * w->np + t, some);
            struct mix_place to = place_of(s, p, group, t, n - t < some ? n - t : some,
                                           is_v ? c[i].v : c[i].k, c[i].stride);
            to.sum = w->sum;
            to.sum_stride = s->basis->panel_width;
            mix_place(&to);
        }
}

// Reads all channels of a group into W->q.
static void get_all(struct coded_reader *r, const struct basis *b, const struct basis_group *g,
                    struct coded_room *w)
{
    for (uint32_t c = 0; c < g->n_live; c++) {
        int32_t *q = w->q + c * w->all;
        if (!coded_channel(r, w->n_side, &b->tables[g->table[c]], w->n, w->np, w->symbols,
                           w->levels, q))
            for (size_t t = 0; t < w->all; t++)
                q[t] = w->levels[t];
    }
}

// Without a matrix, channels are elements. Q [n_live][stride]; X: those of one chunk.
static void spread_group(const struct codec_shape *s, const struct basis_part *p, uint32_t group,
                         const struct coded_room *w, const int32_t *q, float *x, uint32_t stride)
{
    const struct basis_group *g = &p->groups[group];
    for (size_t t = 0; t < s->n_tokens; t++) {
        memset(w->sum, 0, s->basis->panel_width * sizeof *w->sum);
        for (uint32_t c = 0; c < g->n_live; c++)
            w->sum[g->channel[c]] = q[c * w->all + t];
        struct mix_place to = place_of(s, p, group, t, 1, x, stride);
        to.sum = w->sum;
        mix_place(&to);
    }
}

// Codec 3: float sums, in the order of the channels.
static int mix_group_in_order(const struct codec_shape *s, const struct basis_part *p,
                              uint32_t group, const struct coded_room *w, const int32_t *q,
                              float *x, uint32_t stride, struct err *e)
{
    const struct basis_group *g = &p->groups[group];
    const size_t width = coded_group_width(s->basis), n = s->n_tokens, np = w->np;
    float *f = mem_new(g->n_live * np, sizeof *f, e), *sum = mem_new(n, width * sizeof *sum, e);
    int rc = f && sum ? 0 : ERR_NOMEM;
    for (size_t c = 0; c < g->n_live && !rc; c++)
        for (size_t t = 0; t < np; t++)
            f[c * np + t] = (float)q[c * w->all + t];
    if (!rc) {
        mix_rows(f, n, np, g->n_live, g->rows, width, sum, width);
        struct mix_place to = place_of(s, p, group, 0, n, x, stride);
        put_floats(&to, sum);
    }
    free(f);
    free(sum);
    return rc;
}

static int decode_group(const struct codec_shape *s, const struct basis_part *p, uint32_t group,
                        int is_v, struct coded_reader *r, struct coded_room *w,
                        const struct codec_chunk *c, struct err *e)
{
    const struct basis_group *g = &p->groups[group];
    int rc = 0;
    if (g->panel) {
        const struct basis_group *const both[] = {g, &p[s->basis->paired].groups[group]};
        const size_t n_parts = s->basis->paired ? 2 : 1;
        rc = coded_panels(w, r, s->basis, both, n_parts, e);
        for (size_t i = 0; i < n_parts && !rc; i++)
            mix_group(s, p + i, group, i, is_v || i, w, c);
        return rc;
    }
    get_all(r, s->basis, g, w);
    for (size_t i = 0; i < w->n_side && !rc; i++) {
        float *x = is_v ? c[i].v : c[i].k;
        if (g->rows)
            rc = mix_group_in_order(s, p, group, w, w->q + i * w->np, x, c[i].stride, e);
        else
            spread_group(s, p, group, w, w->q + i * w->np, x, c[i].stride);
    }
    return rc;
}

// Finds the parts of a chunk.
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

static int check(const struct codec_shape *s, const uint8_t *data, uint64_t bytes, struct err *e)
{
    struct coded_reader r;
    return take_apart(s, data, bytes, &r)
               ? err_set(e, ERR_FORMAT, "its keys and values have the wrong length")
               : 0;
}

// Only the lengths are checked; the device decodes the symbols.
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

// Whether everything was used, and nothing beyond it.
static int is_whole(const struct coded_reader *r)
{
    int bad = r->bad | r->words.bad;
    for (uint32_t i = 0; i < r->words.n_states; i++)
        bad |= r->words.state[i] != RANS_LEAST;
    return !bad && r->words.at == r->words.end && r->escape == r->last;
}

static int decode_side(const struct codec_shape *s, const struct codec_chunk *c, size_t n,
                       struct err *e)
{
    const uint32_t groups = s->basis->n_groups;
    struct coded_reader r[CODEC_SIDE];
    struct coded_room w;
    for (size_t i = 0; i < n; i++)
        if (take_apart(s, c[i].data, c[i].bytes, &r[i]))
            return err_set(e, ERR_FORMAT, "its keys and values have the wrong length");
    int rc = coded_room_new(&w, s->basis, s->n_tokens, n, e);
    for (uint32_t i = 0; i < coded_parts(s->basis) * groups && !rc; i++) {
        const struct basis_part *p = &s->basis->parts[2 * s->layer + i / groups];
        rc = decode_group(s, p, i % groups, i >= groups, r, &w, c, e);
    }
    for (size_t i = 0; i < n && !rc; i++)
        if (!is_whole(&r[i]))
            rc = err_set(e, ERR_FORMAT, "its symbols are damaged");
    coded_room_done(&w);
    return rc;
}

static int decode(const struct codec_shape *s, const uint8_t *data, uint64_t bytes, float *k,
                  float *v, uint32_t stride, struct err *e)
{
    return decode_side(s, &(struct codec_chunk){data, bytes, k, v, stride}, 1, e);
}

int coded_shares(const struct codec_shape *s, const uint8_t *data, uint64_t bytes, uint64_t *out,
                 struct err *e)
{
    const struct basis *b = s->basis;
    struct coded_reader r;
    struct coded_room w;
    if (take_apart(s, data, bytes, &r))
        return err_set(e, ERR_FORMAT, "its keys and values have the wrong length");
    int rc = coded_room_new(&w, b, s->n_tokens, 1, e);
    for (uint32_t i = 0; !rc && i < coded_parts(b) * b->n_groups; i++) {
        const uint32_t is_v = i / b->n_groups, group = i % b->n_groups;
        const struct coded_reader was = r;
        get_all(&r, b, &b->parts[2 * s->layer + is_v].groups[group], &w);
        const uint64_t all =
            (uint64_t)((r.words.at - was.words.at) + (r.rest - was.rest) + (r.escape - was.escape));
        out[2 * group + is_v] += b->paired ? all - all / 2 : all;
        out[2 * group + 1] += b->paired ? all / 2 : 0;
    }
    coded_room_done(&w);
    return rc;
}

const struct codec codec_coded = {CODEC_CODED, "coded", coded_recipe_ok, coded_bound, coded_encode,
                                  check,       decode,  decode_side,     coded_stored};
const struct codec codec_coded_wide = {CODEC_CODED_WIDE, "coded",      coded_recipe_ok,
                                       coded_bound,      coded_encode, check,
                                       decode,           decode_side,  coded_stored};
const struct codec codec_coded_paired = {CODEC_CODED_PAIRED, "coded", coded_recipe_ok, coded_bound,
                                         coded_encode,       check,   decode,          decode_side,
                                         coded_stored};
