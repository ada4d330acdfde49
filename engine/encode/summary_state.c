#include "engine/encode/summary_state.h"

#include <stdlib.h>
#include <string.h>

#include "io/mem.h"

// 64 (2^12 - 1) tokens are spanned, 262,080: most books. What is older is lost. The state of FEW
// tokens or less is read from their blocks, within seconds: keys and values of its own would be
// more than a per cent of such an index.
enum { CACHES = 12, SLOTS = 64, FEW = 1 << 17 };

int summary_state_new(struct keep **out, const struct model *m, struct err *e)
{
    return keep_new(out, m, CACHES, SLOTS, 0, e);
}

int summary_state_put(struct keep *s, struct kvz_writer *w, struct err *e)
{
    const struct cascade *c = s->c;
    size_t held = (size_t)c->held, lanes = (size_t)c->n_lanes;
    size_t n = held * (size_t)(s->m->info.n_kv_heads * s->m->info.head_dim);
    struct kvz_summary is = {.n_caches = CACHES,
                             .slots = SLOTS,
                             .n = (uint32_t)held,
                             .seen = c->seen,
                             .own_kv = c->seen > FEW};
    if (!held)
        return 0;
    uint32_t *token = mem_new(lanes * held, sizeof *token, e);
    float *score = mem_new(lanes * held, sizeof *score, e), *kv = mem_new(2 * n, sizeof *kv, e);
    int rc = token && score && kv ? 0 : ERR_NOMEM;
    for (size_t l = 0; !rc && l < lanes; l++) {
        cascade_order(c, (int)l, s->order);
        for (size_t i = 0; i < held; i++) {
            token[l * held + i] = c->token[l * (size_t)c->n_rows + s->order[i]];
            score[l * held + i] = cascade_score(c, (int)l, s->order[i]);
        }
    }
    rc = rc ? rc : kvz_put_summary(w, &is, token, score, e);
    for (int l = 0; is.own_kv && !rc && l < s->m->info.n_layers; l++) {
        keep_rows(s, l, kv, kv + n);
        rc = kvz_put_summary_kv(w, kv, kv + n, e);
    }
    free(token);
    free(score);
    free(kv);
    return rc;
}

int summary_state_lacks(const struct kvz *k, struct err *e)
{
    struct kvz_summary is;
    struct kvz_block last;
    const uint64_t n = kvz_n_blocks(k);
    int rc = kvz_summary(k, &is, e);
    if (rc || is.n || !n)
        return rc;
    rc = kvz_block(k, n - 1, &last, e);
    return rc ? rc : !(last.flags & KVZ_SINK);
}

int summary_state_take(struct keep *s, const struct kvz *k, int *found, struct err *e)
{
    const struct model_info *f = &s->m->info;
    size_t lanes = (size_t)s->c->n_lanes, heads = (size_t)f->n_kv_heads, dim = (size_t)f->head_dim;
    struct kvz_summary is;
    int rc = kvz_summary(k, &is, e), lacks = rc ? rc : summary_state_lacks(k, e);
    *found = !lacks && (!is.n || (is.n_caches == CACHES && is.slots == SLOTS));
    if (!*found || !is.n)
        return lacks < 0 ? lacks : 0;
    size_t n = is.n * heads * dim;
    uint32_t *token = mem_new(lanes * is.n, sizeof *token, e);
    float *score = mem_new(lanes * is.n, sizeof *score, e), *kv = mem_new(2 * n, sizeof *kv, e);
    rc = token && score && kv ? kvz_read_summary(k, token, score, e) : ERR_NOMEM;
    for (size_t l = 0; !rc && l < lanes; l++) {
        size_t at = l % heads * is.n * dim;
        if (l % heads || !(rc = kvz_read_summary_kv(k, (uint32_t)(l / heads), kv, kv + n, e)))
            keep_fill(s, (int)l, is.seen, (int)is.n, token + l * is.n, score + l * is.n, kv + at,
                      kv + n + at);
    }
    free(token);
    free(score);
    free(kv);
    return rc;
}

int summary_state_read(struct stream *s, const struct kvz *k, struct err *e)
{
    const struct model_info *f = &s->m->info;
    struct kvz_summary is;
    int rc = kvz_summary(k, &is, e);
    if (rc || !is.n)
        return rc;
    int n = (int)is.n;
    size_t row = (size_t)n * (size_t)(f->n_kv_heads * f->head_dim);
    float *kv = mem_new(2 * row, sizeof *kv, e);
    // Each head has tokens of its own: only their order is known to all, so they stand in a row.
    int64_t *pos = mem_new((size_t)n, sizeof *pos, e);
    rc = kv && pos ? 0 : ERR_NOMEM;
    for (int i = 0; !rc && i < n; i++)
        pos[i] = s->n_sinks + i;
    for (int l = 0; !rc && l < f->n_layers; l++) {
        if (!(rc = kvz_read_summary_kv(k, (uint32_t)l, kv, kv + row, e)) &&
            !(rc = stream_put(s, STREAM_FAR, l, 0, n, n, kv, kv + row, e)))
            stream_set_far(s, l, n, pos);
    }
    free(kv);
    free(pos);
    return rc;
}

// The block of token T: BASE [n] are the first tokens of the blocks.
static uint64_t block_of(const uint64_t *base, uint64_t n, uint64_t t)
{
    uint64_t lo = 0, hi = n;
    while (hi - lo > 1) {
        uint64_t mid = lo + (hi - lo) / 2;
        if (base[mid] <= t)
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}

struct origin {
    uint64_t block;
    uint32_t tokens;
};

static int by_tokens(const void *a, const void *b)
{
    const struct origin *x = a, *y = b;
    if (x->tokens != y->tokens)
        return x->tokens < y->tokens ? 1 : -1;
    return x->block < y->block ? -1 : x->block > y->block;
}

static int by_block(const void *a, const void *b)
{
    const struct origin *x = a, *y = b;
    return x->block < y->block ? -1 : x->block > y->block;
}

// The block that most of the tokens FROM .. TO of all lanes lie in; COUNT [n_blocks] is scratch.
static struct origin most_of(const struct kvz_summary *is, size_t lanes, const uint32_t *token,
                             const uint64_t *base, uint64_t n_blocks, uint32_t *count,
                             uint32_t from, uint32_t to)
{
    struct origin best = {0, 0};
    memset(count, 0, n_blocks * sizeof *count);
    for (size_t l = 0; l < lanes; l++)
        for (uint32_t i = from; i < to; i++) {
            uint64_t b = block_of(base, n_blocks, token[l * is->n + i]);
            if (++count[b] > best.tokens || (count[b] == best.tokens && b < best.block))
                best = (struct origin){b, count[b]};
        }
    return best;
}

int summary_state_blocks(const struct kvz *k, int most, uint64_t *blocks, struct err *e)
{
    struct kvz_summary is;
    int rc = kvz_summary(k, &is, e), n = 0, kept = 0;
    if (rc)
        return rc;
    uint64_t n_blocks = kvz_n_blocks(k);
    if (!is.n) { // all are sinks
        while (n < most && (uint64_t)n < n_blocks) {
            blocks[n] = (uint64_t)n;
            n++;
        }
        return n;
    }
    size_t lanes = (size_t)kvz_meta(k)->n_layers * kvz_meta(k)->n_kv_heads;
    uint32_t groups = (is.n + is.slots - 1) / is.slots;
    uint32_t *token = mem_new(lanes * is.n, sizeof *token, e);
    uint64_t *base = mem_new(n_blocks, sizeof *base, e);
    uint32_t *count = mem_new(n_blocks, sizeof *count, e);
    struct origin *found = mem_new(groups, sizeof *found, e);
    rc = token && base && count && found ? kvz_read_summary(k, token, NULL, e) : ERR_NOMEM;
    for (uint64_t b = 0; !rc && b < n_blocks; b++) {
        struct kvz_block info;
        if (!(rc = kvz_block(k, b, &info, e)))
            base[b] = info.token;
    }
    for (uint32_t g = 0; !rc && g < groups; g++) {
        uint32_t to = (g + 1) * is.slots;
        found[n++] =
            most_of(&is, lanes, token, base, n_blocks, count, g * is.slots, to < is.n ? to : is.n);
    }
    qsort(found, (size_t)n, sizeof *found, by_block);
    for (int i = 0; i < n; i++) // once each
        if (!i || found[i].block != found[kept - 1].block)
            found[kept++] = found[i];
    qsort(found, (size_t)kept, sizeof *found, by_tokens);
    kept = kept < most ? kept : most;
    qsort(found, (size_t)kept, sizeof *found, by_block);
    for (int i = 0; i < kept; i++)
        blocks[i] = found[i].block;
    free(token);
    free(base);
    free(count);
    free(found);
    return rc ? rc : kept;
}
