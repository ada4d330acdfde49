#include "engine/method/select.h"

#include <stdlib.h>
#include <string.h>

#include "engine/method/bm25.h"
#include "engine/method/probe.h"
#include "engine/method/score.h"
#include "engine/method/select_impl.h"
#include "io/mem.h"

// Words count for a block that has at least this share of the weight of the question's words: with
// less they are there by chance, and would outvote heads that go by meaning.
static const double COVER = 0.5;

// The scores [n_q][n_blocks] of one head over the blocks of every index.
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

static int cast_vote(struct ballot *b, struct voter *v, const float *queries, int n_q, float *q,
                     float *rows, struct err *e)
{
    int n = ballot_probe(b, v, queries, n_q, q), rc = 0;
    if (b->n_indexes == 1) { // then the softmax over all blocks is one over the blocks of the index
        struct score_keys keys;
        if (!(rc = ballot_keys(b, 0, v->layer, v->head, &keys, e)))
            rc = score_mass(b->m, &keys, b->parts.represent == REPRESENT_QUEST, b->parts.reduce, q,
                            n, v->z, e);
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
        model_rotate(b->m, v->layer, ballot_reach(b), (int64_t)kvz_meta(b->indexes[0])->window, q);
        int rc = score_indexes(b, v->layer, h, reduce, q, 1, rows, e);
        if (rc)
            return rc;
        for (int64_t i = 0; i < b->n_blocks; i++)
            v->z[i] += rows[i] / (float)f->n_heads;
    }
    return 0;
}

static int rank(struct ballot *b, struct err *e)
{
    ballot_count(b);
    for (int64_t i = 0; i < b->n_blocks; i++)
        b->order[i] = i;
    return ballot_sort(b->order, b->score, b->n_blocks, e);
}

// Fills in b->words and b->cover. Returns what SELECT_HYBRID adds to the votes, [n_blocks], 0 for
// blocks with too few of the question's words; *MOST: the largest of these.
static double *find_words(struct ballot *b, double *most, struct err *e)
{
    size_t n = (size_t)b->n_blocks;
    double *gain = mem_new(n, sizeof *gain, e);
    b->words = mem_new(n, sizeof *b->words, e);
    b->cover = mem_new(n, sizeof *b->cover, e);
    *most = 0;
    if (!gain || !b->words || !b->cover ||
        bm25_new(&b->counted, b->indexes, b->n_indexes, b->question, "", b->m->device->threads,
                 e)) {
        free(gain);
        return NULL;
    }
    bm25_scores(b->counted, b->words, b->cover);
    for (size_t i = 0; i < n; i++) {
        *most = b->words[i] > *most ? b->words[i] : *most;
        b->worded |= b->cover[i] >= COVER;
        gain[i] = b->cover[i] >= COVER ? b->words[i] : 0;
    }
    return gain;
}

// Ranks the blocks by words alone.
static int rank_words(struct ballot *b, struct err *e)
{
    for (int64_t i = 0; i < b->n_blocks; i++) {
        b->score[i] = b->words[i];
        b->order[i] = i;
    }
    return ballot_sort(b->order, b->score, b->n_blocks, e);
}

// Adds what words say to the votes: the block with the largest GAIN gets as much as the best vote
// is worth, others in proportion.
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

// Casts the votes of LAYER's voters, or of all (-1).
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

// The whole vote of LAYER, or of all layers (-1): over the index, then once more over all keys of
// the best blocks if the method reranks, and then what words add, GAIN (NULL: nothing) and MOST.
static int cast(struct ballot *b, int layer, float *const *queries, int n_q, const double *gain,
                double most, struct err *e)
{
    int exact = b->parts.select == SELECT_EXACT, all = b->parts.voters == VOTERS_ALL;
    // The votes over the index already are the exact ones where it holds every key of every voter.
    int complete = b->parts.represent == REPRESENT_KEYS && b->parts.reduce != REDUCE_POOL &&
                   (b->parts.kept == VOTERS_ALL || !all);
    int64_t again = complete || ballot_by_layer(b) ? 0 : exact ? b->n_blocks : b->parts.rerank;
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
