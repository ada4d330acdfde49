#include "engine/stream/stream_impl.h"

#include <stdlib.h>
#include <string.h>

#include "engine/stream/scratch.h"
#include "io/mem.h"
#include "kernels/pool.h"

// Floats of a slab of TOKENS tokens, rounded up so that the next slab begins on a cache line.
static size_t slab_n(const struct stream *s, int tokens)
{
    enum { LINE = 64 / sizeof(float) };
    size_t n = (size_t)tokens * (size_t)s->m->info.n_kv_heads * (size_t)s->m->info.head_dim;
    return (n + LINE - 1) / LINE * LINE;
}

// Rows of a kv head that have room for 8-bit copies (kept_rows.cap).
static size_t kept_cap(const struct stream *s)
{
    return ((size_t)s->cap + KEPT_PANEL - 1) / KEPT_PANEL * KEPT_PANEL;
}

// Bytes of the 8-bit copies of a layer's keys, or values.
static size_t kept_numbers(const struct stream *s)
{
    return (size_t)s->m->info.n_kv_heads * kept_cap(s) * kept_width(s->m->info.head_dim);
}

// Floats that both and their scales take, rounded up to a cache line.
static size_t kept_slab_n(const struct stream *s)
{
    enum { LINE = 64 / sizeof(float) };
    const size_t n = kept_numbers(s);
    return (2 * (n / KEPT_BLOCK + n / sizeof(float)) + LINE - 1) / LINE * LINE;
}

static void kept_slab(const struct stream *s, float *at, struct stream_layer *y)
{
    const size_t n = kept_numbers(s);
    int8_t *k = (int8_t *)at;
    float *scale = (float *)(void *)(k + 2 * n);
    y->kept = (struct kept_rows){.k = k,
                                 .v = k + n,
                                 .k_scale = scale,
                                 .v_scale = scale + n / KEPT_BLOCK,
                                 .cap = (int)kept_cap(s),
                                 .n = &y->n_kept};
}

// Allocates the slabs of all layers in one piece; pages that are never touched cost nothing.
static int slabs_new(struct stream *s, struct err *e)
{
    size_t local = slab_n(s, s->cap), sinks = slab_n(s, s->o.sinks), far = slab_n(s, s->o.far);
    const size_t kept = s->o.room && s->d->ops->keeps_rows ? kept_slab_n(s) : 0;
    const size_t layer = 2 * (local + sinks + far), layers = (size_t)s->m->info.n_layers,
                 n = layers * (layer + kept);
    if (!(s->slabs = s->d->ops->alloc(s->d, n * sizeof *s->slabs, e)))
        return ERR_NOMEM;
    for (int i = 0; i < s->m->info.n_layers; i++) {
        struct stream_layer *y = &s->layers[i];
        y->k = s->slabs + (size_t)i * layer;
        y->v = y->k + local;
        y->sink_k = y->v + local;
        y->sink_v = y->sink_k + sinks;
        y->far_k = y->sink_v + sinks;
        y->far_v = y->far_k + far;
        if (kept)
            kept_slab(s, s->slabs + layers * layer + (size_t)i * kept, y);
    }
    return 0;
}

// *OUT [n_heads][tokens], zeros: no attention received yet.
static int mass_new(struct stream *s, int tokens, float **out, struct err *e)
{
    const int heads = s->m->info.n_heads;
    const size_t n = (size_t)tokens * (size_t)heads;
    if (!(*out = s->d->ops->alloc(s->d, (n ? n : 1) * sizeof **out, e)))
        return ERR_NOMEM;
    s->d->ops->clear_rows(s->d, *out, &(struct rows){heads, tokens, 1, tokens, 0});
    return 0;
}

static int layer_new(struct stream *s, struct stream_layer *y, struct err *e)
{
    if (!(y->far_pos = mem_new((size_t)s->o.far, sizeof *y->far_pos, e)) ||
        !(y->far_place = mem_new((size_t)s->o.far, sizeof *y->far_place, e)))
        return ERR_NOMEM;
    y->rope_n = -1;
    if (s->o.positions != POSITIONS_WINDOW) {
        size_t n = (size_t)(s->o.sinks + s->o.far) * (size_t)s->m->rope[0].dim;
        if (!(y->rope_far = s->d->ops->alloc(s->d, (n ? n : 1) * sizeof(float), e)))
            return ERR_NOMEM;
    }
    int rc = s->d->ops->worth || s->o.far_mass ? mass_new(s, s->o.far, &y->far_mass, e) : 0;
    return rc || !s->o.mass ? rc : mass_new(s, s->cap, &y->mass, e);
}

int stream_new(struct stream **out, const struct model *m, const struct stream_options *o,
               struct err *e)
{
    *out = NULL;
    struct stream *s = mem_new(1, sizeof *s, e);
    if (!s)
        return ERR_NOMEM;
    s->m = m;
    s->d = m->device;
    s->o = *o;
    if (!s->o.distance)
        s->o.distance = o->window;
    if (!s->o.layers)
        s->o.layers = m->info.n_layers;
    if (!s->o.reach)
        s->o.reach =
            o->window + o->chunk + (o->positions == POSITIONS_CONTIGUOUS ? o->sinks + o->far : 0);
    s->cap = o->room ? o->room : 2 * o->window + o->chunk;
    s->n_rope = s->cap > o->window + o->chunk ? s->cap : o->window + o->chunk;
    int rc = positions_check(m, o, e);
    if (!rc && !(s->layers = mem_new((size_t)m->info.n_layers, sizeof *s->layers, e)))
        rc = ERR_NOMEM;
    rc = rc ? rc : slabs_new(s, e);
    for (int i = 0; !rc && i < m->info.n_layers; i++)
        rc = layer_new(s, &s->layers[i], e);
    if (!rc)
        rc = positions_tables(s, e);
    if (!rc)
        rc = forward_scratch_new(&s->scratch, m, o->chunk, e);
    if (rc) {
        stream_free(s);
        return rc;
    }
    *out = s;
    return 0;
}

void stream_free(struct stream *s)
{
    if (!s)
        return;
    struct device *d = s->d;
    if (s->o.art.patience)
        d->ops->sync(d, NULL); // what it has still to count goes to art_read
    for (int i = 0; s->layers && i < s->m->info.n_layers; i++) {
        struct stream_layer *y = &s->layers[i];
        d->ops->free(d, y->mass);
        d->ops->free(d, y->trial_mass);
        d->ops->free(d, y->far_mass);
        d->ops->free(d, y->rope_far);
        free(y->far_pos);
        free(y->brought);
        free(y->far_place);
    }
    for (int i = 0; i < s->m->n_ropes; i++) {
        d->ops->free(d, s->rope_local[i]);
        d->ops->free(d, s->rope_fixed[i]);
    }
    forward_scratch_free(s->scratch, d);
    // Last: what comes back last is taken first, and most of these is real memory.
    d->ops->free(d, s->slabs);
    pool_free(s->pool);
    free(s->layers);
    free(s->rope_host);
    free(s);
}

void stream_move(struct stream *s, float *slab, int heads, int cap, int width, int from, int to,
                 int n)
{
    for (int h = 0; h < heads; h++) {
        float *base = slab + (size_t)h * (size_t)cap * (size_t)width;
        s->d->ops->copy(s->d, base + (size_t)to * (size_t)width,
                        base + (size_t)from * (size_t)width,
                        (size_t)n * (size_t)width * sizeof(float));
    }
}

// Drops the 8-bit copies: the local keys have changed, or their positions have.
static void forget_kept(struct stream *s)
{
    for (int i = 0; i < s->m->info.n_layers; i++)
        s->layers[i].n_kept = 0;
}

static void slide(struct stream *s)
{
    int kv = s->m->info.n_kv_heads, d = s->m->info.head_dim;
    for (int i = 0; i < s->m->info.n_layers; i++) {
        struct stream_layer *y = &s->layers[i];
        stream_move(s, y->k, kv, s->cap, d, s->off, 0, s->n_local);
        stream_move(s, y->v, kv, s->cap, d, s->off, 0, s->n_local);
        if (y->mass)
            stream_move(s, y->mass, s->m->info.n_heads, s->cap, 1, s->off, 0, s->n_local);
    }
    s->off = 0;
    forget_kept(s);
}

int stream_reserve(struct stream *s, int n, struct err *e)
{
    if (n > s->o.chunk || s->n_local + n > s->cap)
        return err_set(e, ERR_USAGE, "%d tokens do not fit a window of %d and a chunk of %d",
                       s->n_local + n, s->o.window, s->o.chunk);
    if (s->off + s->n_local + n > s->cap)
        slide(s);
    const struct rows masses = {s->m->info.n_heads, n, 1, s->cap, 0};
    for (int i = 0; i < s->m->info.n_layers; i++)
        if (s->layers[i].mass)
            s->d->ops->clear_rows(s->d, s->layers[i].mass + s->off + s->n_local, &masses);
    return 0;
}

int stream_watch(struct stream *s, int layer, struct err *e)
{
    struct stream_layer *y = &s->layers[layer];
    if (!y->mass)
        return mass_new(s, s->cap, &y->mass, e);
    s->d->ops->clear_rows(s->d, y->mass, &(struct rows){s->m->info.n_heads, s->cap, 1, s->cap, 0});
    return 0;
}

int stream_evict(struct stream *s, int n, int sinks, struct err *e)
{
    if (n > s->n_local || (sinks && s->n_sinks + n > s->o.sinks))
        return err_set(e, ERR_USAGE, "%d tokens cannot leave a window of %d", n, s->n_local);
    size_t d = (size_t)s->m->info.head_dim;
    for (int i = 0; sinks && i < s->m->info.n_layers; i++) {
        struct stream_layer *y = &s->layers[i];
        for (size_t h = 0; h < (size_t)s->m->info.n_kv_heads; h++) {
            size_t from = (h * (size_t)s->cap + (size_t)s->off) * d;
            size_t to = (h * (size_t)s->o.sinks + (size_t)s->n_sinks) * d;
            size_t bytes = (size_t)n * d * sizeof(float);
            s->d->ops->copy(s->d, y->sink_k + to, y->k + from, bytes);
            s->d->ops->copy(s->d, y->sink_v + to, y->v + from, bytes);
        }
    }
    forget_kept(s);
    s->n_sinks += sinks ? n : 0;
    s->off += n;
    s->n_local -= n;
    return 0;
}

void stream_set_seen(struct stream *s, enum stream_part part, int n, int64_t seen)
{
    *(part == STREAM_SINKS ? &s->n_sinks : &s->n_local) = n;
    s->n_seen = seen;
}

void stream_rewind(struct stream *s, int n)
{
    s->n_local -= n;
    s->n_seen -= n;
    for (int i = 0; i < s->m->info.n_layers; i++)
        if (s->layers[i].n_kept > s->n_local)
            s->layers[i].n_kept = s->n_local;
}

int stream_append(struct stream *s, const struct stream *from, int first, int n, struct err *e)
{
    const struct model_info *f = &s->m->info;
    const size_t d = (size_t)f->head_dim;
    int rc = stream_reserve(s, n, e);
    for (int i = 0; !rc && i < f->n_layers; i++)
        for (size_t h = 0; h < (size_t)f->n_kv_heads; h++) {
            const size_t at = (h * (size_t)from->cap + (size_t)(from->off + first)) * d,
                         to = (h * (size_t)s->cap + (size_t)(s->off + s->n_local)) * d,
                         bytes = (size_t)n * d * sizeof(float);
            s->d->ops->copy(s->d, s->layers[i].k + to, from->layers[i].k + at, bytes);
            s->d->ops->copy(s->d, s->layers[i].v + to, from->layers[i].v + at, bytes);
        }
    s->n_local += rc ? 0 : n;
    s->n_seen += rc ? 0 : n;
    return rc;
}

int stream_widen(struct stream *s, int room, struct err *e)
{
    struct stream *wide;
    struct stream_options o = s->o;
    o.room = room;
    int n = s->n_local, rc = stream_new(&wide, s->m, &o, e);
    for (int at = 0; !rc && at < n; at += o.chunk)
        rc = stream_append(wide, s, at, n - at < o.chunk ? n - at : o.chunk, e);
    if (rc) {
        stream_free(wide);
        return rc;
    }
    memcpy(wide->art_read, s->art_read, sizeof s->art_read);
    const struct stream narrow = *s;
    *s = *wide;
    *wide = narrow;
    stream_free(wide);
    return 0;
}

struct row_copy row_copy_of(const float *src, int heads, int cap, int width, int from, int n,
                            float *out)
{
    return (struct row_copy){out, src + (size_t)from * (size_t)width, {heads, n, width, cap, n}};
}

// Copies of keys and values of N local tokens of LAYER from FROM on.
static int local_rows(const struct stream *s, int layer, int from, int n, float *k, float *v,
                      struct row_copy *c)
{
    const struct stream_layer *y = &s->layers[layer];
    int heads = s->m->info.n_kv_heads, d = s->m->info.head_dim;
    c[0] = row_copy_of(y->k, heads, s->cap, d, s->off + from, n, k);
    c[1] = row_copy_of(y->v, heads, s->cap, d, s->off + from, n, v);
    return 2;
}

static struct row_copy local_masses(const struct stream *s, int layer, int from, int n, float *mass)
{
    return row_copy_of(s->layers[layer].mass, s->m->info.n_heads, s->cap, 1, s->off + from, n,
                       mass);
}

int stream_get(struct stream *s, int layer, int from, int n, float *k, float *v, struct err *e)
{
    struct row_copy c[2];
    return s->d->ops->get_rows(s->d, c, local_rows(s, layer, from, n, k, v, c), e);
}

int stream_get_all(struct stream *s, int from, int n, float **k, float **v, float **mass,
                   struct err *e)
{
    struct row_copy *c = mem_new(3 * (size_t)s->m->info.n_layers, sizeof *c, e);
    int count = 0;
    if (!c)
        return ERR_NOMEM;
    for (int l = 0; l < s->m->info.n_layers; l++) {
        if (k)
            count += local_rows(s, l, from, n, k[l], v[l], c + count);
        if (mass)
            c[count++] = local_masses(s, l, from, n, mass[l]);
    }
    int rc = s->d->ops->get_rows(s->d, c, count, e);
    free(c);
    return rc;
}

int stream_rows(const struct stream *s, int from, float **k, float **v)
{
    const size_t at = (size_t)(s->off + from) * (size_t)s->m->info.head_dim;
    for (int l = 0; l < s->m->info.n_layers; l++) {
        k[l] = s->layers[l].k + at;
        v[l] = s->layers[l].v + at;
    }
    return s->cap;
}

int stream_get_sinks(struct stream *s, int layer, float *k, float *v, struct err *e)
{
    const struct stream_layer *y = &s->layers[layer];
    int heads = s->m->info.n_kv_heads, d = s->m->info.head_dim;
    const struct row_copy c[] = {row_copy_of(y->sink_k, heads, s->o.sinks, d, 0, s->n_sinks, k),
                                 row_copy_of(y->sink_v, heads, s->o.sinks, d, 0, s->n_sinks, v)};
    return s->d->ops->get_rows(s->d, c, 2, e);
}

int stream_get_mass(struct stream *s, int layer, int from, int n, float *mass, struct err *e)
{
    const struct row_copy c = local_masses(s, layer, from, n, mass);
    return s->d->ops->get_rows(s->d, &c, 1, e);
}

int stream_take_far_mass(struct stream *s, int layer, float *mass, struct err *e)
{
    const struct stream_layer *y = &s->layers[layer];
    const int heads = s->m->info.n_heads;
    const struct row_copy c = row_copy_of(y->far_mass, heads, s->o.far, 1, 0, y->n_far, mass);
    int rc = s->d->ops->get_rows(s->d, &c, 1, e);
    if (!rc)
        s->d->ops->clear_rows(s->d, y->far_mass, &(struct rows){heads, s->o.far, 1, s->o.far, 0});
    return rc;
}

int slabs_at(struct stream *s, enum stream_part part, int layer, int at, int n, struct slabs *to,
             struct err *e)
{
    struct stream_layer *y = &s->layers[layer];
    int first = at + (part == STREAM_LOCAL ? s->off : 0);
    size_t skip = (size_t)first * (size_t)s->m->info.head_dim;
    to->cap = part == STREAM_LOCAL ? s->cap : part == STREAM_SINKS ? s->o.sinks : s->o.far;
    if (first + n > to->cap)
        return err_set(e, ERR_USAGE, "%d tokens at %d do not fit a context part of %d", n, at,
                       to->cap);
    if (part == STREAM_LOCAL && at < y->n_kept)
        y->n_kept = at;
    to->k = (part == STREAM_LOCAL ? y->k : part == STREAM_SINKS ? y->sink_k : y->far_k) + skip;
    to->v = (part == STREAM_LOCAL ? y->v : part == STREAM_SINKS ? y->sink_v : y->far_v) + skip;
    return 0;
}

int stream_put(struct stream *s, enum stream_part part, int layer, int at, int n, int stride,
               const float *k, const float *v, struct err *e)
{
    struct slabs to;
    int rc = slabs_at(s, part, layer, at, n, &to, e);
    const struct rows r = {s->m->info.n_kv_heads, n, s->m->info.head_dim, to.cap, stride};
    if (!rc)
        rc = s->d->ops->put_rows(s->d, to.k, k, &r, e);
    return rc ? rc : s->d->ops->put_rows(s->d, to.v, v, &r, e);
}

int stream_put_mass(struct stream *s, int layer, int at, int n, const float *mass, struct err *e)
{
    return s->d->ops->put_rows(s->d, s->layers[layer].mass + s->off + at, mass,
                               &(struct rows){s->m->info.n_heads, n, 1, s->cap, n}, e);
}

int stream_pieces(struct stream *s, int layer, int n, struct attend_piece *p)
{
    struct stream_layer *y = &s->layers[layer];
    const struct layer *w = &s->m->layers[layer];
    size_t dim = (size_t)s->m->rope[0].dim, d = (size_t)s->m->info.head_dim;
    int fixed = s->o.positions == POSITIONS_WINDOW, count = 0, before = s->n_local - n;
    int rope = w->rope < 0 ? 0 : w->rope,
        unseen = fixed && w->sliding && s->o.distance >= w->sliding;
    const float *local = s->rope_local[rope];
    struct attend_piece far = {
        .q_rope = fixed ? s->rope_fixed[rope] : local + (size_t)before * dim,
        .q_rope_step = !fixed,
        .max_distance = fixed ? 0 : w->sliding,
    };
    if (s->n_sinks && !unseen) {
        far.k = y->sink_k;
        far.v = y->sink_v;
        far.n = s->n_sinks;
        far.stride = s->o.sinks;
        far.k_rope = fixed ? NULL : y->rope_far;
        far.gap = y->n_far + before;
        p[count++] = far;
    }
    if (y->n_far && !unseen) {
        far.art = s->o.art.patience > 0;
        far.q_rope += fixed && s->o.sharpen > 0 ? dim : 0;
        far.k = y->far_k;
        far.v = y->far_v;
        far.n = y->n_far;
        far.stride = s->o.far;
        far.k_rope = fixed ? NULL : y->rope_far + (size_t)s->n_sinks * dim;
        far.gap = before;
        // Else of a question, not of each token of its answer.
        far.mass = (n > 1 && !s->on_trial) || s->o.far_mass ? y->far_mass : NULL;
        p[count++] = far;
    }
    p[count++] = (struct attend_piece){
        .k = y->k + (size_t)s->off * d,
        .v = y->v + (size_t)s->off * d,
        .n = s->n_local,
        .stride = s->cap,
        .k_rope = local,
        .q_rope = local + (size_t)before * dim,
        .q_rope_step = 1,
        .causal = 1,
        .max_distance = w->sliding,
        .kept = y->kept,
        .mass = y->mass ? (s->on_trial ? y->trial_mass : y->mass) + s->off : NULL,
        .mass_step = s->on_trial ? (size_t)s->m->info.n_heads * (size_t)s->cap : 0,
    };
    for (int i = 0; i < count && w->rope < 0; i++)
        p[i].k_rope = p[i].q_rope = NULL;
    return count;
}
