// The transformer, written once against the table of operations.
#include <stdlib.h>
#include <string.h>

#include "engine/stream/scratch.h"
#include "engine/stream/stream_impl.h"
#include "io/mem.h"

// How many first tokens of the pass join the local part: all, or with groups the shared tokens and
// those that may stay.
static int joining(const struct forward *f)
{
    return !f->groups ? f->n : f->stay > f->groups[0] ? f->stay : f->groups[0];
}

// Where keys and values of the pass go: to the end of the local part, those of other groups to
// scratch.
static void key_places(const struct stream *s, int i, int n, const struct forward *f,
                       struct heads_to *k, struct heads_to *v)
{
    const struct model_info *in = &s->m->info;
    const struct forward_scratch *x = s->scratch;
    const size_t at = (size_t)(s->off + s->n_local - n) * (size_t)in->head_dim;
    *k = *v =
        (struct heads_to){.stride = {s->cap, x->n}, .split = joining(f), .head_dim = in->head_dim};
    k->cache[0] = s->layers[i].k + at;
    k->cache[1] = x->group_k;
    v->cache[0] = s->layers[i].v + at;
    v->cache[1] = x->group_v;
}

// Host memory for queries of N rows, scratch.q_host.
static int q_host_room(struct stream *s, int n, struct err *e)
{
    struct forward_scratch *x = s->scratch;
    const size_t wide = (size_t)(s->m->info.n_heads * s->m->info.head_dim);
    return MEM_GROW(x->q_host, x->q_host_cap, (size_t)n * wide, e);
}

// The mean of N tokens' queries, in scratch: [n_heads][head_dim] at q_host.
static int mean_queries(struct stream *s, int n, struct err *e)
{
    const struct device_ops *ops = s->d->ops;
    struct forward_scratch *x = s->scratch;
    const size_t wide = (size_t)(s->m->info.n_heads * s->m->info.head_dim);
    int rc = q_host_room(s, ops->mean ? 1 : n, e);
    float *q = x->q_host;
    if (rc)
        return rc;
    if (ops->mean) {
        if (!x->mean && !(x->mean = ops->alloc(s->d, wide * sizeof *x->mean, e)))
            return ERR_NOMEM;
        ops->mean(s->d, x->mean, x->q, n, (int)wide);
        return ops->download(s->d, q, x->mean, wide * sizeof *q, e);
    }
    rc = ops->download(s->d, q, x->q, (size_t)n * wide * sizeof *q, e);
    for (size_t j = 0; !rc && j < wide; j++) {
        float sum = 0;
        for (size_t i = 0; i < (size_t)n; i++)
            sum += q[i * wide + j] / (float)n;
        q[j] = sum; // the first row's, which is read
    }
    return rc;
}

// Queries, keys and values of one layer.
static int project_layer(struct stream *s, int i, int n, const struct forward *f, struct err *e)
{
    const struct model *m = s->m;
    const struct model_info *in = &m->info;
    const struct device_ops *ops = s->d->ops;
    const struct layer *y = &m->layers[i];
    struct forward_scratch *x = s->scratch;
    struct heads_to k, v;
    int rc = 0;
    key_places(s, i, n, f, &k, &v);
    device_project(s->d, &(struct project){
                             .x = x->x,
                             .norm = y->attn_norm,
                             .eps = m->norm_eps,
                             .n = n,
                             .n_to = 3,
                             .to = {{x->q, &y->q, y->q_bias, NULL, NULL},
                                    {x->k, &y->k, y->k_bias, NULL, y->k_norm ? NULL : &k},
                                    {x->v, &y->v, y->v_bias, NULL, &v}},
                             .h = x->h,
                         });
    if (y->q_norm)
        ops->rmsnorm(s->d, x->q, x->q, y->q_norm, NULL, n * in->n_heads, in->head_dim, m->norm_eps);
    if (y->k_norm) {
        ops->rmsnorm(s->d, x->k, x->k, y->k_norm, NULL, n * in->n_kv_heads, in->head_dim,
                     m->norm_eps);
        device_put_heads(s->d, &k, x->k, n, in->n_kv_heads * in->head_dim);
    }
    float *q = f->queries ? f->queries[i] : NULL;
    if (f->retrieve && f->mean)
        return (rc = mean_queries(s, n, e)) ? rc : f->retrieve(f->arg, s, i, x->q_host, e);
    if (!q && f->retrieve) {
        if ((rc = q_host_room(s, n, e)))
            return rc;
        q = x->q_host;
    }
    if (!q)
        return 0;
    size_t bytes = (size_t)n * (size_t)(in->n_heads * in->head_dim) * sizeof *q;
    rc = ops->download(s->d, q, x->q, bytes, e);
    return rc || !f->retrieve ? rc : f->retrieve(f->arg, s, i, q, e);
}

// Bytes of the attention within groups of tokens (forward.self) that F wants of layer I; 0: none.
static size_t self_bytes(const struct forward *f, int i)
{
    if (!(f->self && f->self[i]) && !(f->cut && f->cut[i]))
        return 0;
    size_t b = (size_t)f->self_block;
    return (size_t)f->n / b * b * b * sizeof(float);
}

// Makes room for BYTES at *P, which has *CAP bytes now.
static int room(struct stream *s, void **p, size_t *cap, size_t bytes, struct err *e)
{
    if (bytes <= *cap)
        return 0;
    s->d->ops->free(s->d, *p);
    *cap = 0;
    if (!(*p = s->d->ops->alloc(s->d, bytes, e)))
        return ERR_NOMEM;
    *cap = bytes;
    return 0;
}

static int self_begin(struct stream *s, const struct forward *f, int i, struct err *e)
{
    struct forward_scratch *x = s->scratch;
    size_t bytes = self_bytes(f, i);
    int n = (int)(bytes / sizeof(float));
    void *self = x->self;
    int rc = room(s, &self, &x->self_cap, bytes, e);
    x->self = self;
    if (n && !rc)
        s->d->ops->clear_rows(s->d, x->self, &(struct rows){1, n, 1, n, 0});
    return rc;
}

// Downloads the attention within groups of layer I, or divides it into spans, which stay on the
// device with those of other layers.
static int self_end(struct stream *s, const struct forward *f, int i, struct err *e)
{
    struct forward_scratch *x = s->scratch;
    size_t bytes = self_bytes(f, i), blocks = bytes ? (size_t)(f->n / f->self_block) : 0;
    if (!bytes || !f->cut)
        return bytes ? s->d->ops->download(s->d, f->self[i], x->self, bytes, e) : 0;
    void *p = x->spans;
    int rc = room(s, &p, &x->spans_cap, (size_t)s->m->info.n_layers * blocks * sizeof *x->spans, e);
    x->spans = p;
    if (!rc)
        s->d->ops->divide(s->d, &(struct divide){.a = x->self,
                                                 .n_blocks = (int)blocks,
                                                 .block = f->self_block,
                                                 .cut = *f->cut[i],
                                                 .out = x->spans + x->n_spans});
    x->n_spans += blocks;
    return rc;
}

// Sets keys and values of piece P, the local one of pass F, to those of the pass's tokens FROM ..
// TO - 1, whose group ends at GROUP_TO and joins the local part as a whole or not at all.
static void own_keys(const struct stream *s, const struct forward *f, int from, int to,
                     int group_to, struct attend_piece *p)
{
    const size_t d = (size_t)s->m->info.head_dim;
    const int start = s->n_local - f->n, join = joining(f);
    if (group_to <= join) {
        p->k += (size_t)(start + from) * d;
        p->v += (size_t)(start + from) * d;
    } else {
        p->k = s->scratch->group_k + (size_t)(from - join) * d;
        p->v = s->scratch->group_v + (size_t)(from - join) * d;
        p->stride = s->scratch->n;
    }
    p->n = to - from;
}

// Where the group of the pass's token AT ends.
static int group_end(const struct forward *f, int at)
{
    int g = 0;
    while (f->groups[g + 1] <= at)
        g++;
    return f->groups[g + 1];
}

// Turns the pieces of pass F, the local one last, into those of its group G: what was local before
// the pass, the shared tokens, those lent to the group, and the group, positioned right after them.
// G -1: those of the shared tokens.
static int group_pieces(const struct stream *s, const struct forward *f, int g,
                        struct attend_piece *p, int count)
{
    const size_t dim = (size_t)s->m->rope[0].dim;
    const struct lent lent = g >= 0 && f->lent ? f->lent[g] : (struct lent){0};
    const int start = s->n_local - f->n, shared = g < 0 ? 0 : f->groups[0], before = start + shared,
              ahead = shared + lent.n;
    for (int i = 0; i < count; i++) { // as if the tokens ahead had been there before
        if (p[i].q_rope && p[i].q_rope_step)
            p[i].q_rope += (size_t)ahead * dim;
        p[i].gap += ahead;
    }
    struct attend_piece *old = &p[count - 1], own = *old;
    own.mass = NULL;
    own.kept.k = NULL; // the keys of different groups stand at the same positions
    own.k_rope = own.q_rope;
    struct attend_piece theirs = own;
    const int from = g < 0 ? 0 : f->groups[g], to = f->groups[g + 1];
    own_keys(s, f, from, to, to, &own);
    old->mass = NULL;
    old->kept.k = NULL; // several groups at once would keep them
    old->n = before;
    old->causal = 0;
    old->gap = lent.n;
    if (!before)
        count--;
    if (lent.n) {
        own_keys(s, f, lent.from, lent.from + lent.n, group_end(f, lent.from), &theirs);
        theirs.causal = theirs.gap = 0;
        theirs.k_rope -= theirs.k_rope ? (size_t)lent.n * dim : 0;
        p[count++] = theirs;
    }
    p[count++] = own;
    return count;
}

// Turns the pieces of a pass of N tokens, the local one last, into those of its tokens FROM .. TO -
// 1, which do not see the oldest GONE local tokens.
static void part_pieces(const struct stream *s, int n, int from, int to, int gone,
                        struct attend_piece *own)
{
    size_t d = (size_t)s->m->info.head_dim, dim = (size_t)s->m->rope[0].dim;
    own->k += (size_t)gone * d;
    own->v += (size_t)gone * d;
    own->n = s->n_local - n + to - gone;
    if (own->k_rope) {
        own->k_rope += (size_t)gone * dim;
        own->q_rope += (size_t)from * dim;
    }
    own->mass = own->mass ? own->mass + gone : NULL;
    own->kept.k = NULL; // its keys are at other places
}

// The attention of the tokens FROM .. TO - 1 of the pass in layer I.
static struct attend attend_of(const struct stream *s, int i, const struct forward *f, int from,
                               int to, const struct attend_piece *pieces, int n_pieces)
{
    const struct model *m = s->m;
    size_t bytes = self_bytes(f, i), wide = (size_t)(m->info.n_heads * m->info.head_dim);
    size_t self_at = bytes ? (size_t)from * (size_t)f->self_block : 0;
    return (struct attend){
        .q = s->scratch->q + (size_t)from * wide,
        .out = s->scratch->att + (size_t)from * wide,
        .n_q = to - from,
        .n_heads = m->info.n_heads,
        .n_kv_heads = m->info.n_kv_heads,
        .head_dim = m->info.head_dim,
        .rope_dim = m->rope[0].dim,
        .rope_style = m->rope[0].style,
        .scale = m->attn_scale,
        .softcap = m->softcap,
        .pieces = pieces,
        .n_pieces = n_pieces,
        .self_mass = bytes ? s->scratch->self + self_at : NULL,
        .self_block = bytes ? f->self_block : 0,
        .art = f->n == 1 && s->o.art.patience > 0 ? &s->o.art : NULL,
    };
}

// Attention of all groups, which do not see one another, many at once; the shared tokens are one
// more.
static void attend_groups(struct stream *s, int i, const struct forward *f)
{
    enum { MANY = 32 };
    struct attend all[MANY];
    struct attend_piece pieces[MANY][STREAM_PIECES + 2];
    int shared = f->groups[0], n = 0;
    for (int g = shared ? -1 : 0; g < f->n_groups; g++) {
        int from = g >= 0 ? f->groups[g] : 0, to = f->groups[g + 1];
        int n_pieces = stream_pieces(s, i, f->n, pieces[n]);
        n_pieces = group_pieces(s, f, g, pieces[n], n_pieces);
        all[n] = attend_of(s, i, f, from, to, pieces[n], n_pieces);
        if (++n == MANY || g + 1 == f->n_groups) {
            device_attend_all(s->d, all, n);
            n = 0;
        }
    }
}

static int attend_layer(struct stream *s, int i, const struct forward *f, struct err *e)
{
    int rc = self_begin(s, f, i, e);
    int part = f->part > 0 ? f->part : f->n, n_parts = f->groups ? 0 : (f->n + part - 1) / part;
    if (!rc && f->groups)
        attend_groups(s, i, f);
    for (int g = 0; !rc && g < n_parts; g++) {
        struct attend_piece pieces[STREAM_PIECES];
        int from = g * part, to = from + part < f->n ? from + part : f->n;
        int n_pieces = stream_pieces(s, i, f->n, pieces);
        if (f->part > 0)
            part_pieces(s, f->n, from, to, f->gone[g], &pieces[n_pieces - 1]);
        struct attend a = attend_of(s, i, f, from, to, pieces, n_pieces);
        s->d->ops->attend(s->d, &a);
    }
    return rc ? rc : self_end(s, f, i, e);
}

// x += att W_o (+ bias), or the norm of that.
static void add_attention(struct stream *s, int i, int n)
{
    const struct device_ops *ops = s->d->ops;
    const struct layer *y = &s->m->layers[i];
    struct forward_scratch *x = s->scratch;
    const float *post = y->attn_post_norm;
    ops->matmul(s->d, post ? x->h : x->x, &y->o, x->att, y->o_bias, post ? NULL : x->x, n);
    if (post)
        ops->rmsnorm(s->d, x->x, x->h, post, x->x, n, s->m->info.n_embd, s->m->norm_eps);
}

static void feed_forward(struct stream *s, int i, int n)
{
    const struct model *m = s->m;
    const struct layer *y = &m->layers[i];
    struct forward_scratch *x = s->scratch;
    const float *post = y->ffn_post_norm;
    device_ffn(s->d, &(struct ffn){
                         .x = x->x,
                         .norm = y->ffn_norm,
                         .eps = m->norm_eps,
                         .n = n,
                         .gate = &y->gate,
                         .up = &y->up,
                         .down = &y->down,
                         .out = post ? x->h : x->x,
                         .add = post ? NULL : x->x,
                         .h = x->h,
                         .g = x->gate,
                         .u = x->up,
                         .act = m->act,
                     });
    if (post)
        s->d->ops->rmsnorm(s->d, x->x, x->h, post, x->x, n, m->info.n_embd, m->norm_eps);
}

// Makes room for the logits of N tokens.
static int logits_room(struct stream *s, int n, struct err *e)
{
    struct forward_scratch *x = s->scratch;
    size_t bytes = (size_t)n * (size_t)s->m->info.n_vocab * sizeof(float);
    if (x->logits_rows < n) {
        s->d->ops->free(s->d, x->logits);
        x->logits_rows = 0;
        if (!(x->logits = s->d->ops->alloc(s->d, bytes, e)))
            return ERR_NOMEM;
        x->logits_rows = n;
    }
    return 0;
}

// Uploads what F adds to logits before the pass begins: an upload in the middle of a pass over one
// token would keep the device from launching it as one (device_ops.step).
static int put_favour(struct stream *s, const struct forward *f, struct err *e)
{
    struct forward_scratch *x = s->scratch;
    const size_t bytes = (size_t)f->n_favour * sizeof *f->favour;
    void *p = x->favour;
    int rc = room(s, &p, &x->favour_cap, bytes, e);
    x->favour = p;
    return rc || !bytes ? rc : s->d->ops->upload(s->d, x->favour, f->favour, bytes, e);
}

static int logits_wanted(const struct forward *f)
{
    return f->best ? 1 : f->logits || f->log_probs ? f->n_logits : 0;
}

// Moves the rows of X [f->n][wide] whose logits are wanted to the front.
static void narrow(struct stream *s, const struct forward *f, float *x, int wide)
{
    const size_t row = (size_t)wide;
    for (int i = 0, n = logits_wanted(f); i < n; i++) {
        const int from = f->rows ? f->rows[i] : f->n - n + i;
        if (from != i)
            s->d->ops->copy(s->d, x + (size_t)i * row, x + (size_t)from * row, row * sizeof *x);
    }
}

// The logits of the first rows of scratch.x, and the best one if wanted; or, if log probabilities
// are wanted instead, these rows normed, in scratch.h.
static int logits(struct stream *s, const struct forward *f, struct err *e)
{
    const struct model *m = s->m;
    const struct device_ops *ops = s->d->ops;
    struct forward_scratch *x = s->scratch;
    const int n = logits_wanted(f);
    ops->rmsnorm(s->d, x->h, x->x, m->output_norm, NULL, n, m->info.n_embd, m->norm_eps);
    if (f->log_probs)
        return 0;
    int rc = logits_room(s, n, e);
    if (rc)
        return rc;
    ops->matmul(s->d, x->logits, &m->output, x->h, NULL, NULL, n);
    if (!f->best)
        return 0;
    if (!x->chosen && !(x->chosen = ops->alloc(s->d, sizeof *x->chosen, e)))
        return ERR_NOMEM;
    if (f->n_favour)
        ops->favour(s->d, x->logits, x->favour, f->n_favour);
    if (f->draw)
        ops->draw(s->d, &x->chosen->best, x->logits, m->info.n_vocab, f->draw);
    else
        ops->best(s->d, &x->chosen->best, x->logits, m->info.n_vocab);
    if (f->cost)
        ops->cost(s->d, &x->chosen->cost, &x->chosen->best, x->logits, m->info.n_vocab);
    return 0;
}

static int get_chosen(struct stream *s, const struct forward *f, struct err *e)
{
    struct chosen c;
    int rc = s->d->ops->download(s->d, &c, s->scratch->chosen, sizeof c, e);
    if (rc)
        return rc;
    *f->best = c.best;
    if (f->cost)
        *f->cost = c.cost;
    return 0;
}

// Downloads the results, and waits for them.
static int bring_back(struct stream *s, const struct forward *f, struct err *e)
{
    const struct device_ops *ops = s->d->ops;
    struct forward_scratch *x = s->scratch;
    int rc = 0;
    if (f->best)
        rc = get_chosen(s, f, e);
    else if (f->log_probs)
        rc = device_log_probs(s->d, f->log_probs, &s->m->output, x->h, f->targets, f->n_logits, e);
    else if (f->logits)
        rc = ops->download(s->d, f->logits, x->logits,
                           (size_t)f->n_logits * (size_t)s->m->info.n_vocab * sizeof *f->logits, e);
    if (!rc && x->n_spans)
        rc = ops->download(s->d, f->spans, x->spans, x->n_spans * sizeof *x->spans, e);
    return rc ? rc : ops->sync(s->d, e);
}

static int run_layers(struct stream *s, const struct forward *f, struct err *e)
{
    const struct model *m = s->m;
    int n_layers = f->n_layers ? f->n_layers : m->info.n_layers, rc;
    s->d->ops->embed(s->d, s->scratch->x, &m->embd, f->tokens, f->n, m->embd_scale);
    for (int i = 0; i < n_layers; i++) {
        if ((rc = project_layer(s, i, f->n, f, e)) || (rc = stream_positions(s, i, e)))
            return rc;
        if (i == n_layers - 1 && i < m->info.n_layers - 1)
            break; // only its queries were asked for
        if ((rc = attend_layer(s, i, f, e)))
            return rc;
        // Of the last hidden states those are made that somebody asks for.
        const int last = i == m->info.n_layers - 1, n = last ? logits_wanted(f) : f->n;
        if (!n)
            return 0;
        if (last) {
            narrow(s, f, s->scratch->x, m->info.n_embd);
            narrow(s, f, s->scratch->att, m->info.n_heads * m->info.head_dim);
        }
        add_attention(s, i, n);
        feed_forward(s, i, n);
    }
    return logits_wanted(f) ? logits(s, f, e) : 0;
}

int forward(struct stream *s, const struct forward *f, struct err *e)
{
    const struct model *m = s->m;
    const struct device_ops *ops = s->d->ops;
    int rc, is_step = f->n == 1 && ops->step;
    if (f->n < 1 || f->n > s->o.chunk || f->n_logits > f->n)
        return err_set(e, ERR_USAGE, "a forward pass of %d tokens; the chunk is %d", f->n,
                       s->o.chunk);
    for (int i = 0; i < f->n; i++)
        if (f->tokens[i] >= (uint32_t)m->info.n_vocab)
            return err_set(e, ERR_FORMAT, "token %u is outside the vocabulary of %d", f->tokens[i],
                           m->info.n_vocab);
    if (f->groups && s->n_local + f->n > s->n_rope)
        return err_set(e, ERR_USAGE, "%d tokens do not fit %d positions", s->n_local + f->n,
                       s->n_rope);
    if ((rc = stream_reserve(s, joining(f), e)) || (rc = put_favour(s, f, e)) ||
        (f->on_trial && (rc = stream_try(s, f->n, e))))
        return rc;
    s->n_local += f->n;
    s->n_chunk = f->n;
    s->on_trial = f->on_trial;
    s->n_seen += f->n;
    s->scratch->n_spans = 0;
    forward_scratch_for(s->scratch, s->m, f->n);
    if (is_step)
        ops->step(s->d, 1);
    rc = run_layers(s, f, e);
    if (is_step)
        ops->step(s->d, 0);
    return rc ? rc : bring_back(s, f, e);
}
