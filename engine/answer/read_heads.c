// Blocks of each kv head's own choice, side by side: a far token of a layer is another one for
// every kv head.
#include <stdlib.h>
#include <string.h>

#include "engine/answer/reading.h"
#include "io/mem.h"

struct heads_room {
    float *k, *v;   // [n_kv_heads][n][head_dim]: what goes into the layer
    float *bk, *bv; // [n_kv_heads][most][head_dim]: one block
    int n, most;
};

// The first tokens of P's blocks, N in all, as those of kv head H.
static int gather(const struct heads_room *r, const struct model_info *f, int layer, int h,
                  const struct places *p, struct err *e)
{
    size_t dim = (size_t)f->head_dim, most = (size_t)r->most;
    for (int i = 0, at = 0; i < p->n && at < r->n; i++) {
        struct kvz_block b;
        int rc = kvz_block(p->v[i].k, p->v[i].block, &b, e);
        if (!rc)
            rc = kvz_read_kv(p->v[i].k, p->v[i].block, (uint32_t)layer, r->bk, r->bv,
                             (uint32_t)r->most, e);
        if (rc)
            return rc;
        int take = (int)b.n_tokens < r->n - at ? (int)b.n_tokens : r->n - at;
        size_t to = ((size_t)h * (size_t)r->n + (size_t)at) * dim, from = (size_t)h * most * dim;
        memcpy(r->k + to, r->bk + from, (size_t)take * dim * sizeof *r->k);
        memcpy(r->v + to, r->bv + from, (size_t)take * dim * sizeof *r->v);
        at += take;
    }
    return 0;
}

int read_far_heads(struct stream *s, int layer, const struct places *p, struct err *e)
{
    const struct model_info *f = &s->m->info;
    struct heads_room r = {.n = p[0].tokens};
    for (int h = 0; h < f->n_kv_heads; h++) {
        r.n = p[h].tokens < r.n ? p[h].tokens : r.n;
        for (int i = 0; i < p[h].n; i++) {
            int size = (int)kvz_meta(p[h].v[i].k)->block;
            r.most = size > r.most ? size : r.most;
        }
    }
    if (r.n > s->o.far)
        return err_set(e, ERR_USAGE, "%d tokens do not fit a context of %d far tokens", r.n,
                       s->o.far);
    size_t rows = (size_t)f->n_kv_heads * (size_t)f->head_dim;
    r.k = mem_new(rows * (size_t)r.n, sizeof *r.k, e);
    r.v = mem_new(rows * (size_t)r.n, sizeof *r.v, e);
    r.bk = mem_new(rows * (size_t)r.most, sizeof *r.bk, e);
    r.bv = mem_new(rows * (size_t)r.most, sizeof *r.bv, e);
    int64_t *pos = mem_new((size_t)r.n, sizeof *pos, e);
    int rc = r.k && r.v && r.bk && r.bv && pos ? 0 : ERR_NOMEM;
    for (int h = 0; !rc && h < f->n_kv_heads; h++)
        rc = gather(&r, f, layer, h, &p[h], e);
    if (!rc && r.n)
        rc = stream_put(s, STREAM_FAR, layer, 0, r.n, r.n, r.k, r.v, e);
    // Only the order is known to all heads, so they stand in a row.
    for (int i = 0; !rc && i < r.n; i++)
        pos[i] = s->n_sinks + i;
    if (!rc)
        stream_set_far(s, layer, r.n, pos);
    free(r.k);
    free(r.v);
    free(r.bk);
    free(r.bv);
    free(pos);
    return rc;
}
