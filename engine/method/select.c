#include "engine/method/select.h"

#include <stdlib.h>
#include <string.h>

#include "engine/method/bm25.h"
#include "engine/method/probe.h"
#include "engine/method/score.h"
#include "io/mem.h"

// Words speak for a block that has at least this share of what the question's words weigh: without
// it they are chance, and would outvote heads that go by meaning.
static const double COVER = 0.5;

// ------------------------------------------------------------------------------------- the voters

static int by_layer(const struct ballot *b)
{
    return b->parts.select == SELECT_SIMILARITY;
}

static int voters_new(struct ballot *b, struct err *e)
{
    const struct model_info *f = &b->m->info;
    const struct heads *h = b->parts.voters == VOTERS_PROFILE ? b->m->heads : NULL;
    b->n_voters = by_layer(b) ? f->n_layers : h ? h->n : f->n_layers * f->n_heads;
    if (b->parts.select == SELECT_BM25 || b->parts.select == SELECT_NONE)
        b->n_voters = 0;
    if (!(b->voters = mem_new((size_t)b->n_voters, sizeof *b->voters, e)))
        return ERR_NOMEM;
    for (int i = 0; i < b->n_voters; i++) {
        struct voter *v = &b->voters[i];
        *v = by_layer(b) ? (struct voter){.layer = i, .head = -1, .weight = 1}
             : h         ? (struct voter){.layer = h->v[i].layer, .head = h->v[i].head, .weight = h->v[i].weight}
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
        return err_set(e, ERR_USAGE,
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

int ballot_run(const struct ballot *b, const struct kvz *k, int layer, int head, struct kvz_run *run,
               struct err *e)
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
                   "%s: has no index of layer %d head %d; it was encoded with another method or "
                   "profile",
                   kvz_path(k), layer, head);
}

int ballot_keys(const struct ballot *b, int x, int layer, int head, struct score_keys *keys, struct err *e)
{
    struct kvz_run run;
    uint32_t skip = b->parts.represent == REPRESENT_TOP ? 0 : b->skip[x];
    int rc = ballot_run(b, b->indexes[x], layer, head, &run, e);
    if (!rc)
        *keys = (struct score_keys){
            run.vectors, run.scale, run.start, run.token, b->base[x + 1] - b->base[x], skip, run.name};
    return rc;
}

// Rows [n_q][n_blocks] of one head's vectors in every index.
static int score_indexes(const struct ballot *b, int layer, int head, enum reduce reduce,
                         const float *q, int n_q, float *rows, struct err *e)
{
    for (int x = 0; x < b->n_indexes; x++) {
        struct score_keys keys;
        int rc = ballot_keys(b, x, layer, head, &keys, e);
        if (rc)
            return rc;
        if ((rc = score_blocks(b->m, &keys, b->parts.represent == REPRESENT_QUEST, reduce, q, n_q,
                               rows + b->base[x], b->n_blocks, e)))
            return rc;
    }
    return 0;
}

// --------------------------------------------------------------------------------------- the votes

// The context that the index was made in (rope.h).
static int64_t reach_of(const struct ballot *b)
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
        model_rotate(b->m, v->layer, reach_of(b), distance, q + (size_t)(i * f->head_dim));
    if (b->parts.reduce != REDUCE_SUM)
        return n;
    // All pairs summed (Eq. 8) is the product of the sums.
    for (int i = 1; i < n; i++)
        for (int j = 0; j < f->head_dim; j++)
            q[j] += q[i * f->head_dim + j];
    return 1;
}

static int cast_vote(struct ballot *b, struct voter *v, const float *queries, int n_q, float *q,
                     float *rows, struct err *e)
{
    int n = ballot_probe(b, v, queries, n_q, q), rc = 0;
    if (b->n_indexes == 1) { // then the softmax over all blocks is one over the blocks of the index
        struct score_keys keys;
        if (!(rc = ballot_keys(b, 0, v->layer, v->head, &keys, e)))
            rc = score_mass(b->m, &keys, b->parts.represent == REPRESENT_QUEST, b->parts.reduce, q, n, v->z, e);
        if (rc)
            return rc < 0 ? rc : 0;
    }
    rc = score_indexes(b, v->layer, v->head, b->parts.reduce, q, n, rows, e);
    if (!rc)
        score_reduce(b->parts.reduce, rows, n, b->n_blocks, v->z);
    return rc;
}

// A layer's opinion: one query of each head against the head's representative, summed.
static int cast_similarity(struct ballot *b, struct voter *v, const float *queries, int n_q,
                           float *q, float *rows, struct err *e)
{
    const struct model_info *f = &b->m->info;
    memset(v->z, 0, (size_t)b->n_blocks * sizeof *v->z);
    enum probe probe = b->parts.probe == PROBE_TOKENS ? PROBE_MEAN : b->parts.probe;
    enum reduce reduce = b->parts.reduce == REDUCE_COSINE ? REDUCE_COSINE : REDUCE_MAX;
    for (int h = 0; h < f->n_heads; h++) {
        probe_vectors(probe, queries, n_q, f->n_heads, f->head_dim, h, q);
        model_rotate(b->m, v->layer, reach_of(b), (int64_t)kvz_meta(b->indexes[0])->window, q);
        int rc = score_indexes(b, v->layer, h, reduce, q, 1, rows, e);
        if (rc)
            return rc;
        for (int64_t i = 0; i < b->n_blocks; i++)
            v->z[i] += rows[i] / (float)f->n_heads;
    }
    return 0;
}

// ------------------------------------------------------------------------------------- the counting

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

// The weighted mean of the z-scores of LAYER's voters, all voters for -1, those of kv head KV alone where it is not
// -1; returns their count.
static int mean_vote(const struct ballot *b, int layer, int kv, double *score)
{
    const struct model_info *f = &b->m->info;
    double weights = 0;
    int n = 0;
    memset(score, 0, (size_t)b->n_blocks * sizeof *score);
    for (int i = 0; i < b->n_voters; i++) {
        const struct voter *v = &b->voters[i];
        if ((layer >= 0 && v->layer != layer) || (kv >= 0 && v->head / (f->n_heads / f->n_kv_heads) != kv))
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

static int rank(struct ballot *b, struct err *e)
{
    ballot_count(b);
    for (int64_t i = 0; i < b->n_blocks; i++)
        b->order[i] = i;
    return ballot_sort(b->order, b->score, b->n_blocks, e);
}

int ballot_layer(const struct ballot *b, int layer, int kv, int64_t *order, double *entropy, int *n_voters,
                 struct err *e)
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

// What the question's words say of each block, and how many of them it has: b->words and b->cover. *MOST the largest;
// returns what hybrid adds to the votes, [n_blocks], 0 where there are too few of them.
static double *find_words(struct ballot *b, double *most, struct err *e)
{
    size_t n = (size_t)b->n_blocks;
    double *gain = mem_new(n, sizeof *gain, e);
    b->words = mem_new(n, sizeof *b->words, e);
    b->cover = mem_new(n, sizeof *b->cover, e);
    *most = 0;
    if (!gain || !b->words || !b->cover ||
        bm25_scores(b->indexes, b->n_indexes, b->question, b->words, b->cover, e)) {
        free(gain);
        return NULL;
    }
    for (size_t i = 0; i < n; i++) {
        *most = b->words[i] > *most ? b->words[i] : *most;
        b->worded |= b->cover[i] >= COVER;
        gain[i] = b->cover[i] >= COVER ? b->words[i] : 0;
    }
    return gain;
}

// Words alone.
static int rank_words(struct ballot *b, struct err *e)
{
    for (int64_t i = 0; i < b->n_blocks; i++) {
        b->score[i] = b->words[i];
        b->order[i] = i;
    }
    return ballot_sort(b->order, b->score, b->n_blocks, e);
}

// Words on top of the votes: the block whose words say most gains what the best vote is worth, others in proportion.
static int add_words(struct ballot *b, const double *gain, double most, struct err *e)
{
    double vote = 0;
    for (int64_t i = 0; i < b->n_blocks; i++) {
        vote = b->score[i] > vote ? b->score[i] : vote;
        b->order[i] = i;
    }
    for (int64_t i = 0; most > 0 && i < b->n_blocks; i++)
        b->score[i] += vote * gain[i] / most;
    return ballot_sort(b->order, b->score, b->n_blocks, e);
}

// The voters of LAYER, or, -1, all of them.
static int cast_all(struct ballot *b, int layer, float *const *queries, int n_q, struct err *e)
{
    size_t dim = (size_t)b->m->info.head_dim, n = (size_t)b->n_blocks * (size_t)n_q;
    float *q = mem_new(PROBE_ROOM(n_q, dim), sizeof *q, e), *rows = mem_new(n, sizeof *rows, e);
    int rc = q && rows ? 0 : ERR_NOMEM;
    for (int i = 0; !rc && i < b->n_voters; i++) {
        struct voter *v = &b->voters[i];
        const float *own = queries[v->layer];
        if (layer >= 0 && v->layer != layer)
            continue;
        rc = v->head < 0 ? cast_similarity(b, v, own, n_q, q, rows, e)
                         : cast_vote(b, v, own, n_q, q, rows, e);
        v->entropy = score_entropy(v->z, b->n_blocks);
        score_standardize(v->z, b->n_blocks);
    }
    free(q);
    free(rows);
    return rc;
}

// The vote of LAYER, or, -1, of all, over the index and then, where that is asked for, over all keys. What words add,
// GAIN of MOST, counts in the end; NULL: nothing.
static int cast(struct ballot *b, int layer, float *const *queries, int n_q, const double *gain, double most,
                struct err *e)
{
    int exact = b->parts.select == SELECT_EXACT, all = b->parts.voters == VOTERS_ALL;
    // The votes over the index already are the exact ones where it holds every key of every voter.
    int complete = b->parts.represent == REPRESENT_KEYS && b->parts.reduce != REDUCE_POOL &&
                   (b->parts.kept == VOTERS_ALL || !all);
    int64_t again = complete || by_layer(b) ? 0 : exact ? b->n_blocks : b->parts.rerank;
    int rc = 0, elected = layer < 0 && (!exact || complete) && ballot_can_elect(b, again);
    if (elected) {
        rc = ballot_elect(b, queries, n_q, again, again ? NULL : gain, most, e);
        elected = rc == 1;
        rc = elected ? 0 : rc;
    }
    if (!rc && !elected && (!exact || complete))
        rc = cast_all(b, layer, queries, n_q, e);
    if (!rc && !elected)
        rc = rank(b, e);
    if (!rc && again && b->n_voters)
        rc = ballot_again(b, layer, again < b->n_blocks ? again : b->n_blocks, queries, n_q, e);
    return rc || !gain || (elected && !again) ? rc : add_words(b, gain, most, e);
}

int ballot_cast_layer(struct ballot *b, int layer, float *const *queries, int n_q, struct err *e)
{
    return cast(b, layer, queries, n_q, NULL, 0, e);
}

int ballot_cast(struct ballot *b, float *const *queries, int n_q, struct err *e)
{
    const enum select select = b->parts.select;
    double most = 0, *gain = NULL;
    if (select != SELECT_BM25 && select != SELECT_HYBRID)
        return cast(b, -1, queries, n_q, NULL, 0, e);
    if (!(gain = find_words(b, &most, e)))
        return e->code;
    int rc = select == SELECT_BM25 ? rank_words(b, e) : cast(b, -1, queries, n_q, gain, most, e);
    free(gain);
    return rc;
}

void ballot_locate(const struct ballot *b, int64_t global, int *index, uint64_t *block)
{
    int i = 0;
    while (i + 1 < b->n_indexes && global >= b->base[i + 1])
        i++;
    *index = i;
    *block = (uint64_t)(global - b->base[i]);
}
