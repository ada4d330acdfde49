// Positions of what is not local: the rope rows of sinks and far tokens, and which of these are in
// sight.
#include "engine/stream/stream_impl.h"

#include <string.h>

#include "io/mem.h"

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
            positions_sharpen(s, s->rope_host + (size_t)i * dim);
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
