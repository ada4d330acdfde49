#include "engine/method/ballot.h"

#include <stdlib.h>
#include <string.h>

#include "engine/method/probe.h"
#include "io/mem.h"

// ------------------------------------------------------------------------------------- the voters

int ballot_by_layer(const struct ballot *b)
{
    return b->parts.select == SELECT_SIMILARITY;
}

static int voters_new(struct ballot *b, struct err *e)
{
    const struct model_info *f = &b->m->info;
    const struct heads *h = b->parts.voters == VOTERS_PROFILE ? b->m->heads : NULL;
    b->n_voters = ballot_by_layer(b) ? f->n_layers : h ? h->n : f->n_layers * f->n_heads;
    if (b->parts.select == SELECT_BM25 || b->parts.select == SELECT_NONE)
        b->n_voters = 0;
    if (!(b->voters = mem_new((size_t)b->n_voters, sizeof *b->voters, e)))
        return ERR_NOMEM;
    for (int i = 0; i < b->n_voters; i++) {
        struct voter *v = &b->voters[i];
        *v = ballot_by_layer(b) ? (struct voter){.layer = i, .head = -1, .weight = 1}
             : h                ? (struct voter){.layer = h->v[i].layer,
                                                 .head = h->v[i].head,
                                                 .weight = h->v[i].weight}
                 : (struct voter){.layer = i / f->n_heads, .head = i % f->n_heads, .weight = 1};
        if (!(v->z = mem_new((size_t)b->n_blocks, sizeof *v->z, e)))
            return ERR_NOMEM;
    }
    return 0;
}

int block_tokens(const struct kvz *k, uint64_t block, uint32_t **ids, uint32_t **bytes, uint32_t *n,
                 struct err *e)
{
    struct kvz_block b;
    *ids = NULL;
    int rc = kvz_block(k, block, &b, e);
    if (rc)
        return rc;
    if (!(*ids = mem_new(2 * (size_t)b.n_tokens, sizeof **ids, e)))
        return ERR_NOMEM;
    *bytes = *ids + b.n_tokens;
    *n = b.n_tokens;
    return kvz_read_tokens(k, block, *ids, *bytes, e);
}

int block_token_starts(const struct kvz *k, uint64_t block, uint64_t **starts, uint32_t *n,
                       struct err *e)
{
    uint32_t *ids, *bytes;
    *starts = NULL;
    int rc = block_tokens(k, block, &ids, &bytes, n, e);
    if (!rc && !(*starts = mem_new((size_t)*n + 1, sizeof **starts, e)))
        rc = ERR_NOMEM;
    for (uint32_t t = 0; !rc && t < *n; t++)
        (*starts)[t + 1] = (*starts)[t] + bytes[t];
    free(ids);
    return rc;
}

int block_token_at(const struct kvz *k, uint64_t block, uint64_t at, uint32_t *token, struct err *e)
{
    struct kvz_block b;
    uint64_t *starts;
    uint32_t n;
    *token = 0;
    int rc = kvz_block(k, block, &b, e);
    if (rc || (rc = block_token_starts(k, block, &starts, &n, e)))
        return rc;
    while (*token + 1 < n && b.start + starts[*token + 1] <= at)
        ++*token;
    free(starts);
    return 0;
}

// The template's head and the first token of all take attention from everything and say nothing:
// they do not stand for their block.
static int find_skip(const struct kvz *k, uint32_t *skip, struct err *e)
{
    uint32_t *ids, *bytes, n;
    *skip = 0;
    if (!kvz_n_blocks(k))
        return 0;
    int rc = block_tokens(k, 0, &ids, &bytes, &n, e);
    *skip = 1;
    while (!rc && *skip < n && !bytes[*skip])
        ++*skip;
    free(ids);
    return rc;
}

int ballot_new(struct ballot **out, const struct model *m, struct kvz *const *indexes,
               int n_indexes, const struct method *parts, const char *question, struct err *e)
{
    *out = NULL;
    if (parts->select == SELECT_SIMILARITY && parts->represent != REPRESENT_TOP)
        return err_set(e, ERR_MISMATCH,
                       "%s: --select similarity needs representatives of every head; encode with "
                       "--method infllm",
                       kvz_path(indexes[0]));
    if (parts->reduce == REDUCE_POOL && parts->select != SELECT_EXACT)
        return err_set(e, ERR_USAGE, "--reduce pool needs the keys of all tokens: --select exact");
    struct ballot *b = mem_new(1, sizeof *b, e);
    if (!b)
        return ERR_NOMEM;
    *b = (struct ballot){
        .m = m, .indexes = indexes, .n_indexes = n_indexes, .parts = *parts, .question = question};
    int rc = 0;
    if (!(b->base = mem_new((size_t)n_indexes + 1, sizeof *b->base, e)))
        rc = ERR_NOMEM;
    if (!rc && !(b->skip = mem_new((size_t)n_indexes, sizeof *b->skip, e)))
        rc = ERR_NOMEM;
    for (int i = 0; !rc && i < n_indexes; i++) {
        b->base[i + 1] = b->base[i] + (int64_t)kvz_n_blocks(indexes[i]);
        rc = find_skip(indexes[i], &b->skip[i], e);
    }
    if (!rc) {
        b->n_blocks = b->base[n_indexes];
        b->score = mem_new((size_t)b->n_blocks, sizeof *b->score, e);
        b->order = mem_new((size_t)b->n_blocks, sizeof *b->order, e);
        rc = b->score && b->order ? voters_new(b, e) : ERR_NOMEM;
    }
    if (rc) {
        ballot_free(b);
        return rc;
    }
    *out = b;
    return 0;
}

void ballot_free(struct ballot *b)
{
    if (!b)
        return;
    for (int i = 0; b->voters && i < b->n_voters; i++) {
        free(b->voters[i].z);
        free(b->voters[i].rank);
    }
    free(b->voters);
    free(b->base);
    free(b->skip);
    free(b->score);
    free(b->order);
    free(b->cover);
    free(b->words);
    bm25_free(b->counted);
    free(b);
}

int ballot_layers(const struct ballot *b, unsigned char *need)
{
    int last = 0;
    memset(need, 0, (size_t)b->m->info.n_layers);
    for (int i = 0; i < b->n_voters; i++) {
        need[b->voters[i].layer] = 1;
        last = b->voters[i].layer > last ? b->voters[i].layer : last;
    }
    return last + 1;
}

// ----------------------------------------------------------------------------- vectors of an index

int ballot_run(const struct ballot *b, const struct kvz *k, int layer, int head,
               struct kvz_run *run, struct err *e)
{
    const struct model_info *f = &b->m->info;
    int group = f->n_heads / f->n_kv_heads, kv = head / group;
    int keys = b->parts.represent == REPRESENT_KEYS;
    int want = keys ? kv : b->parts.represent == REPRESENT_TOP ? head : kv * group;
    for (uint32_t c = 0; c < kvz_meta(k)->n_channels; c++) {
        int rc = kvz_run(k, c, run, e);
        if (rc)
            return rc;
        if (run->channel.layer == (uint32_t)layer && run->channel.head == (uint32_t)want &&
            run->channel.kind == (keys ? KVZ_KEYS : KVZ_REPRESENTATIVES))
            return 0;
    }
    return err_set(e, ERR_MISMATCH,
                   "%s: has no index of layer %d head %d; it was encoded with another method, "
                   "--voters or --profile, which has to be given here, too",
                   kvz_path(k), layer, head);
}

int ballot_keys(const struct ballot *b, int x, int layer, int head, struct score_keys *keys,
                struct err *e)
{
    struct kvz_run run;
    uint32_t skip = b->parts.represent == REPRESENT_TOP ? 0 : b->skip[x];
    int rc = ballot_run(b, b->indexes[x], layer, head, &run, e);
    if (!rc)
        *keys = (struct score_keys){
            run.vectors, run.scale, run.start, run.token, b->base[x + 1] - b->base[x],
            skip,        run.name};
    return rc;
}

int64_t ballot_reach(const struct ballot *b)
{
    const struct kvz_meta *t = kvz_meta(b->indexes[0]);
    return (int64_t)t->window + t->chunk;
}

int ballot_probe(const struct ballot *b, const struct voter *v, const float *queries, int n_q,
                 float *q)
{
    const struct model_info *f = &b->m->info;
    int64_t distance =
        b->m->heads ? b->m->heads->distance : (int64_t)kvz_meta(b->indexes[0])->window;
    int n = probe_vectors(b->parts.probe, queries, n_q, f->n_heads, f->head_dim, v->head, q);
    for (int i = 0; i < n; i++)
        model_rotate(b->m, v->layer, ballot_reach(b), distance, q + (size_t)(i * f->head_dim));
    if (b->parts.reduce != REDUCE_SUM)
        return n;
    // All pairs summed (Eq. 8) is the product of the sums.
    for (int i = 1; i < n; i++)
        for (int j = 0; j < f->head_dim; j++)
            q[j] += q[i * f->head_dim + j];
    return 1;
}

// ------------------------------------------------------------------------------------ the counting

struct ranked {
    double score;
    int64_t block;
};

static int by_score(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    if (x->score != y->score)
        return x->score < y->score ? 1 : -1;
    return x->block < y->block ? -1 : x->block > y->block;
}

int ballot_sort(int64_t *order, const double *score, int64_t n, struct err *e)
{
    struct ranked *r = mem_new((size_t)n, sizeof *r, e);
    if (!r)
        return ERR_NOMEM;
    for (int64_t i = 0; i < n; i++)
        r[i] = (struct ranked){score[order[i]], order[i]};
    qsort(r, (size_t)n, sizeof *r, by_score);
    for (int64_t i = 0; i < n; i++)
        order[i] = r[i].block;
    free(r);
    return 0;
}

// The weighted mean of the z-scores of LAYER's voters, all voters for -1, those of kv head KV alone
// where it is not -1; returns their count.
static int mean_vote(const struct ballot *b, int layer, int kv, double *score)
{
    const struct model_info *f = &b->m->info;
    double weights = 0;
    int n = 0;
    memset(score, 0, (size_t)b->n_blocks * sizeof *score);
    for (int i = 0; i < b->n_voters; i++) {
        const struct voter *v = &b->voters[i];
        if ((layer >= 0 && v->layer != layer) ||
            (kv >= 0 && v->head / (f->n_heads / f->n_kv_heads) != kv))
            continue;
        n++;
        weights += (double)v->weight;
        for (int64_t j = 0; j < b->n_blocks; j++)
            score[j] += (double)(v->weight * v->z[j]);
    }
    for (int64_t j = 0; j < b->n_blocks && weights > 0; j++)
        score[j] /= weights;
    return n;
}

void ballot_count(struct ballot *b)
{
    mean_vote(b, -1, -1, b->score);
}

int ballot_layer(const struct ballot *b, int layer, int kv, int64_t *order, double *entropy,
                 int *n_voters, struct err *e)
{
    double *score = mem_new((size_t)b->n_blocks, sizeof *score, e);
    if (!score)
        return ERR_NOMEM;
    int rc = 0, all = 0;
    *entropy = 0;
    *n_voters = mean_vote(b, layer, kv, score);
    for (int64_t i = 0; i < b->n_blocks; i++)
        order[i] = i;
    for (int i = 0; i < b->n_voters; i++)
        if (b->voters[i].layer == layer) {
            *entropy += b->voters[i].entropy;
            all++;
        }
    *entropy /= all ? all : 1;
    rc = ballot_sort(order, score, b->n_blocks, e);
    free(score);
    return rc;
}

void ballot_put(struct ballot *b, int64_t global, int64_t n)
{
    int64_t at = n;
    while (b->order[at] != global)
        at++;
    memmove(b->order + n + 1, b->order + n, (size_t)(at - n) * sizeof *b->order);
    b->order[n] = global;
    b->score[global] = b->score[b->order[n - 1]];
}

int64_t ballot_put_last(struct ballot *b, const unsigned char *is, struct err *e)
{
    int64_t n = 0, n_last = 0;
    int64_t *last = mem_new((size_t)b->n_blocks, sizeof *last, e);
    if (!last)
        return ERR_NOMEM;
    for (int64_t i = 0; i < b->n_blocks; i++) {
        const int64_t global = b->order[i];
        if (is[global])
            last[n_last++] = global;
        else
            b->order[n++] = global;
    }
    memcpy(b->order + n, last, (size_t)n_last * sizeof *last);
    free(last);
    return n;
}

void ballot_locate(const struct ballot *b, int64_t global, int *index, uint64_t *block)
{
    int i = 0;
    while (i + 1 < b->n_indexes && global >= b->base[i + 1])
        i++;
    *index = i;
    *block = (uint64_t)(global - b->base[i]);
}
