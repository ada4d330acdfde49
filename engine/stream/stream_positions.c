// Positions of what is not local: the rope rows of sinks and far tokens, and which of these are in
// sight.
#include "engine/stream/stream_impl.h"

#include <stdlib.h>
#include <string.h>

#include "io/mem.h"

static const char *const POSITIONS[] = {"window", "original", "contiguous"};

int positions_parse(const char *name, enum positions *p, struct err *e)
{
    *p = POSITIONS_WINDOW;
    if (!name || !*name)
        return 0;
    for (int i = 0; i < 3; i++)
        if (!strcmp(name, POSITIONS[i])) {
            *p = (enum positions)i;
            return 0;
        }
    return err_set(e, ERR_USAGE, "positions '%s' is not one of window, original, contiguous", name);
}

// Multiplies a rope row by options.sharpen: the scores of what it rotates grow by the same factor.
static void sharpen(const struct stream *s, float *row)
{
    for (int i = 0; s->o.sharpen > 0 && i < s->m->rope[0].dim; i++)
        row[i] *= s->o.sharpen;
}

static int table_new(struct stream *s, const float *rows, size_t n, float **out, struct err *e)
{
    if (!(*out = s->d->ops->alloc(s->d, n * sizeof *rows, e)))
        return ERR_NOMEM;
    return s->d->ops->upload(s->d, *out, rows, n * sizeof *rows, e);
}

int positions_tables(struct stream *s, struct err *e)
{
    size_t dim = (size_t)s->m->rope[0].dim, n_far = (size_t)(s->o.sinks + s->o.far);
    const size_t most = s->n_rope > 2 ? (size_t)s->n_rope : 2;
    float *rows = mem_new(most * dim, sizeof *rows, e);
    if (!rows)
        return ERR_NOMEM;
    int rc = 0;
    s->rope_host = mem_new(n_far * dim, sizeof *s->rope_host, e);
    if (!s->rope_host)
        rc = ERR_NOMEM;
    for (int i = 0; !rc && i < s->m->n_ropes; i++) {
        const struct rope *r = &s->m->rope[i];
        rope_rows(r, s->o.reach, 0, s->n_rope, rows);
        rc = table_new(s, rows, (size_t)s->n_rope * dim, &s->rope_local[i], e);
        for (int far = 0; far < 2; far++)
            rope_rows(r, s->o.reach, s->o.distance, 1, rows + (size_t)far * dim);
        sharpen(s, rows + dim);
        rc = rc ? rc : table_new(s, rows, 2 * dim, &s->rope_fixed[i], e);
    }
    free(rows);
    return rc;
}

int positions_check(const struct model *m, const struct stream_options *o, struct err *e)
{
    if (o->positions != POSITIONS_ORIGINAL || !(o->sinks + o->far))
        return 0;
    const char *why =
        m->rope[0].original != 0 ? "whose RoPE depends on the length of the text" : NULL;
    for (int i = 0; i < m->info.n_layers; i++)
        why = m->layers[i].sliding ? "that has a sliding window" : why;
    return why ? err_set(e, ERR_UNSUPPORTED,
                         "%s: positions 'original' are not supported for a model %s; use 'window'",
                         m->info.path, why)
               : 0;
}

// The first N far tokens, which stand in the order of the stream.
static void far_in_sight(struct stream_layer *y, int n)
{
    y->n_far = n;
    y->rope_n = -1;
    for (int i = 0; i < n; i++)
        y->far_place[i] = i;
}

void stream_set_far(struct stream *s, int layer, int n, const int64_t *pos)
{
    struct stream_layer *y = &s->layers[layer];
    if (n)
        memcpy(y->far_pos, pos, (size_t)n * sizeof *pos);
    far_in_sight(y, n);
}

int stream_set_places(struct stream *s, int layer, const int *place, struct err *e)
{
    struct stream_layer *y = &s->layers[layer];
    if (s->o.positions == POSITIONS_CONTIGUOUS && s->m->layers[layer].sliding)
        return err_set(
            e, ERR_UNSUPPORTED,
            "%s: contiguous positions and a sliding window want blocks in document order",
            s->m->info.path);
    memcpy(y->far_place, place, (size_t)y->n_far * sizeof *place);
    y->rope_n = -1;
    return 0;
}

int stream_positions(struct stream *s, int layer, struct err *e)
{
    struct stream_layer *y = &s->layers[layer];
    int64_t base = s->n_seen - s->n_local; // of the first local token, whose position is 0
    int n = s->n_sinks + y->n_far, rope = s->m->layers[layer].rope;
    if (s->o.positions == POSITIONS_WINDOW || rope < 0 || (y->rope_n == n && y->rope_base == base))
        return 0;
    size_t dim = (size_t)s->m->rope[0].dim;
    for (int i = 0; i < n; i++) {
        int64_t p = (i < s->n_sinks ? i : s->n_sinks + y->far_place[i - s->n_sinks]) - n;
        if (s->o.positions == POSITIONS_ORIGINAL)
            p = (i < s->n_sinks ? i : y->far_pos[i - s->n_sinks]) - base;
        rope_rows(&s->m->rope[rope], s->o.reach, p, 1, s->rope_host + (size_t)i * dim);
        if (i >= s->n_sinks)
            sharpen(s, s->rope_host + (size_t)i * dim);
    }
    y->rope_n = n;
    y->rope_base = base;
    return s->d->ops->upload(s->d, y->rope_far, s->rope_host, (size_t)n * dim * sizeof(float), e);
}

// How many of the tokens before N stay.
static int kept_before(const unsigned char *keep, int n)
{
    int count = 0;
    for (int i = 0; i < n; i++)
        count += keep[i] != 0;
    return count;
}

// Updates the blocks that were brought into a layer to what stays.
static void narrow_brought(struct stream_layer *y, const unsigned char *keep)
{
    for (struct brought *x = y->brought; x < y->brought + y->n_brought; x++)
        if (x->at >= 0) {
            const int at = kept_before(keep, x->at);
            x->n = kept_before(keep, x->at + x->n) - at;
            x->at = at;
        }
}

void stream_narrow(struct stream *s, const unsigned char *keep)
{
    const struct model_info *f = &s->m->info;
    for (int l = 0; l < f->n_layers; l++) {
        struct stream_layer *y = &s->layers[l];
        int to = 0;
        narrow_brought(y, keep);
        for (int i = 0, run; i < y->n_far; i += run) {
            for (run = 1; i + run < y->n_far && !keep[i + run] == !keep[i];)
                run++;
            if (!keep[i])
                continue;
            if (to < i) {
                stream_move(s, y->far_k, f->n_kv_heads, s->o.far, f->head_dim, i, to, run);
                stream_move(s, y->far_v, f->n_kv_heads, s->o.far, f->head_dim, i, to, run);
                memmove(y->far_pos + to, y->far_pos + i, (size_t)run * sizeof *y->far_pos);
            }
            to += run;
        }
        far_in_sight(y, to);
    }
}
