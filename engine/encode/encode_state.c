// Checkpoint, resume and append: what the encoder must remember between two runs.
#include "engine/encode/encode.h"

#include <stdlib.h>
#include <string.h>

#include "io/mem.h"

enum { STATE_VERSION = 6 };

static const char DAMAGED[] = "the saved state is damaged";

// Appends keys, values and masses of one layer's local tokens and sinks to B.
static int save_layer(struct encoder *x, int layer, float *k, float *v, struct bytes *b,
                      struct err *e)
{
    const struct model_info *f = &x->m->info;
    struct stream *s = x->s;
    size_t row = (size_t)(f->n_kv_heads * f->head_dim) * sizeof(float);
    int rc = stream_get(s, layer, 0, s->n_local, k, v, e);
    if (rc || (rc = bytes_put(b, k, (size_t)s->n_local * row, e)) ||
        (rc = bytes_put(b, v, (size_t)s->n_local * row, e)) ||
        (rc = stream_get_mass(s, layer, 0, s->n_local, k, e)) ||
        (rc = bytes_put(b, k, (size_t)(s->n_local * f->n_heads) * sizeof(float), e)) ||
        (rc = stream_get_sinks(s, layer, k, v, e)) ||
        (rc = bytes_put(b, k, (size_t)s->n_sinks * row, e)))
        return rc;
    return bytes_put(b, v, (size_t)s->n_sinks * row, e);
}

// Scratch for the largest part of a layer that is saved.
static int scratch(struct encoder *x, float **k, float **v, struct err *e)
{
    const struct model_info *f = &x->m->info;
    int wide = f->n_kv_heads * f->head_dim;
    size_t n = (size_t)x->s->cap * (size_t)(wide > f->n_heads ? wide : f->n_heads);
    *k = mem_new(n, sizeof **k, e);
    *v = mem_new(n, sizeof **v, e);
    return *k && *v ? 0 : ERR_NOMEM;
}

// Puts what B holds into the checkpoint and empties it.
static int flush(struct kvz_checkpoint *c, struct bytes *b, struct err *e)
{
    int rc = kvz_checkpoint_put(c, b->p, b->n, e);
    b->n = 0;
    return rc;
}

static int save(struct encoder *x, struct kvz_checkpoint *c, float *k, float *v, struct bytes *b,
                struct err *e)
{
    const uint64_t numbers[] = {
        STATE_VERSION,           (uint64_t)x->s->n_seen,  (uint64_t)x->s->n_local,
        (uint64_t)x->s->n_sinks, x->doc_ordinal,          x->doc_tokens,
        x->head_tokens,          hash_value(x->consumed), x->summary != NULL,
        (uint64_t)x->grows,
    };
    int rc = 0;
    for (size_t i = 0; !rc && i < sizeof numbers / sizeof *numbers; i++)
        rc = bytes_put_u64(b, numbers[i], e);
    if (!rc)
        rc = queue_save(&x->queue, b, e);
    for (int l = 0; !rc && l < x->m->info.n_layers; l++)
        if (!(rc = save_layer(x, l, k, v, b, e)))
            rc = flush(c, b, e);
    if (!rc && x->retriever)
        rc = retriever_save(x->retriever, b, e);
    if (!rc && x->cascade && !(rc = flush(c, b, e)))
        rc = keep_save(x->cascade, b, e);
    if (!rc && x->summary && !(rc = flush(c, b, e)))
        rc = keep_save(x->summary, b, e);
    return rc ? rc : flush(c, b, e);
}

int encoder_checkpoint(struct encoder *x, struct err *e)
{
    struct kvz_checkpoint *c = NULL;
    struct bytes b = {0};
    float *k = NULL, *v = NULL;
    int rc = block_writer_wait(x->writer, e);
    if (!rc)
        rc = scratch(x, &k, &v, e);
    if (!rc)
        rc = kvz_checkpoint_begin(&c, x->w, e);
    if (!rc)
        rc = save(x, c, k, v, &b, e);
    if (!rc)
        rc = kvz_checkpoint_end(c, e);
    else
        kvz_checkpoint_drop(c);
    free(k);
    free(v);
    free(b.p);
    return rc;
}

// N rows of WIDTH floats per head out of the state, aligned in OUT.
static void load_floats(struct cursor *c, float *out, size_t n)
{
    const uint8_t *p = cursor_bytes(c, n * sizeof *out);
    if (p)
        memcpy(out, p, n * sizeof *out);
}

static int load_layer(struct encoder *x, int layer, int n_local, int n_sinks, float *k, float *v,
                      struct cursor *c, struct err *e)
{
    const struct model_info *f = &x->m->info;
    size_t wide = (size_t)(f->n_kv_heads * f->head_dim);
    load_floats(c, k, (size_t)n_local * wide);
    load_floats(c, v, (size_t)n_local * wide);
    int rc = stream_put(x->s, STREAM_LOCAL, layer, 0, n_local, n_local, k, v, e);
    if (rc)
        return rc;
    load_floats(c, k, (size_t)(n_local * f->n_heads));
    if ((rc = stream_put_mass(x->s, layer, 0, n_local, k, e)))
        return rc;
    load_floats(c, k, (size_t)n_sinks * wide);
    load_floats(c, v, (size_t)n_sinks * wide);
    return stream_put(x->s, STREAM_SINKS, layer, 0, n_sinks, n_sinks, k, v, e);
}

// Drops the summary state: an index made before there was one grows without.
static void drop_summary(struct encoder *x)
{
    keep_free(x->summary);
    x->summary = NULL;
}

int encoder_restore(struct encoder *x, const void *state, size_t bytes, struct err *e)
{
    struct cursor c = {state, bytes, 0};
    struct stream *s = x->s;
    uint64_t version = cursor_u64(&c), n_seen = cursor_u64(&c), n_local = cursor_u64(&c);
    uint64_t n_sinks = cursor_u64(&c);
    x->doc_ordinal = cursor_u64(&c);
    x->doc_tokens = cursor_u64(&c);
    x->head_tokens = cursor_u64(&c);
    x->consumed_digest = cursor_u64(&c);
    uint64_t summary = cursor_u64(&c), grows = cursor_u64(&c);
    if (!c.bad && version != STATE_VERSION)
        return err_set(e, ERR_FORMAT, "%s: was begun by another version of lctool", x->o->out);
    if (c.bad || n_local > (uint64_t)s->cap || n_sinks > (uint64_t)s->o.sinks ||
        n_local + n_sinks > n_seen || summary > 1 || grows > 1)
        return err_set(e, ERR_FORMAT, "%s: %s", x->o->out, DAMAGED);
    if ((int)grows != x->o->append)
        return err_set(e, ERR_MISMATCH, "%s: was begun %s --append", x->o->out,
                       grows ? "with" : "without");
    x->grows = (int)grows;
    float *k, *v;
    int rc = scratch(x, &k, &v, e);
    if (!rc)
        rc = queue_load(&x->queue, &c, e);
    s->off = 0;
    for (int l = 0; !rc && l < x->m->info.n_layers; l++)
        rc = load_layer(x, l, (int)n_local, (int)n_sinks, k, v, &c, e);
    if (!rc && x->retriever)
        rc = retriever_load(x->retriever, &c, e);
    if (!rc && x->cascade)
        rc = keep_load(x->cascade, &c, e);
    if (!rc && summary)
        rc = keep_load(x->summary, &c, e);
    else if (!rc)
        drop_summary(x);
    free(k);
    free(v);
    if (!rc && (c.bad || c.left))
        rc = err_set(e, ERR_FORMAT, "%s: %s", x->o->out, DAMAGED);
    s->n_seen = (int64_t)n_seen;
    s->n_local = (int)n_local;
    s->n_sinks = (int)n_sinks;
    x->resuming = x->doc_tokens > 0; // else nothing was taken of any document
    x->skip_tokens = x->doc_tokens;
    return rc;
}

static int rejoin(struct encoder *x, const struct kvz *k, struct err *e)
{
    struct stream *s = x->s;
    struct kvz_block b;
    uint64_t n = kvz_n_blocks(k), first = n, sink_blocks, sinks;
    int rc = kvz_sinks(k, &sink_blocks, &sinks, e), tokens = 0; // there is no room for more
    if (rc)
        return rc;
    // The window holds the last blocks, as few as reach its size.
    while (first > 0 && tokens < s->o.window) {
        if ((rc = kvz_block(k, --first, &b, e)))
            return rc;
        tokens += (int)b.n_tokens;
    }
    for (uint64_t i = 0; i < n; i++) {
        if ((rc = kvz_block(k, i, &b, e)))
            return rc;
        if (i < first && i >= sink_blocks) {
            i = first - 1; // what lies between is not in memory
            continue;
        }
        if (i < first) {
            rc = stream_put_blocks(s, STREAM_SINKS, -1,
                                   &(struct stream_block){k, i, b.n_tokens, s->n_sinks}, 1, e);
            s->n_sinks += (int)b.n_tokens;
        } else {
            struct item *it = queue_push(&x->queue, ITEM_BLOCK, e);
            if (!it)
                return ERR_NOMEM;
            it->n_tokens = b.n_tokens;
            it->flags = b.flags;
            it->written = 1;
            rc = stream_put_blocks(s, STREAM_LOCAL, -1,
                                   &(struct stream_block){k, i, b.n_tokens, s->n_local}, 1, e);
            s->n_local += (int)b.n_tokens;
        }
        if (rc)
            return rc;
    }
    s->n_seen = (int64_t)kvz_n_tokens(k);
    return 0;
}

// Adds the representatives of the blocks in the index to the retriever.
static int rejoin_retriever(struct encoder *x, const struct kvz *k, struct err *e)
{
    struct represent_set *r = x->represent;
    uint32_t dim = (uint32_t)x->m->info.head_dim;
    for (uint64_t i = 0; i < kvz_n_blocks(k); i++) {
        struct kvz_block b;
        int rc = kvz_block(k, i, &b, e);
        if (rc)
            return rc;
        if (b.flags & KVZ_SINK)
            continue;
        for (uint32_t c = 0; c < r->n_channels; c++) {
            struct kvz_run run;
            if ((rc = kvz_run(k, c, &run, e)))
                return rc;
            float *v = r->store + (size_t)c * dim;
            uint64_t at = run.start[i];
            if (run.start[i + 1] == at || run.channel.dim != dim)
                return err_set(e, ERR_FORMAT, "%s: block %llu has no representatives", kvz_path(k),
                               (unsigned long long)i);
            for (uint32_t j = 0; j < dim; j++)
                v[j] = (float)run.vectors[at * dim + j] * run.scale[at];
            r->vectors[c] = v;
        }
        if ((rc = retriever_add(x->retriever, r, i, (int64_t)b.token, b.n_tokens, e)))
            return rc;
    }
    return 0;
}

int encoder_rejoin(struct encoder *x, struct err *e)
{
    struct kvz *k;
    int rc = kvz_open(&k, x->o->out, e);
    if (rc)
        return rc;
    rc = rejoin(x, k, e);
    if (!rc && x->retriever)
        rc = rejoin_retriever(x, k, e);
    int found = 0;
    if (!rc)
        rc = summary_state_take(x->summary, k, &found, e);
    if (!rc && !found)
        drop_summary(x);
    kvz_close(k);
    return rc;
}
