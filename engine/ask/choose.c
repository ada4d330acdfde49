// From votes to blocks: what each layer reads of what the ballot ranks first.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/ask/asking.h"
#include "engine/ask/choose.h"
#include "engine/ask/votes.h"
#include "engine/method/select.h"
#include "engine/question/question.h"
#include "io/mem.h"

// With ALLOT_SHARP: blocks that are read whatever the votes, unless sentences are read.
enum { AT_LEAST = 2 };
// Blocks that are read for a question that asks for several things, which may each be elsewhere.
enum { SEVERAL = 4 };

static int by_score(const void *a, const void *b)
{
    const struct vote *x = a, *y = b;
    return x->score < y->score ? 1 : x->score > y->score ? -1 : x->layer - y->layer;
}

static int add_choice(struct asking *q, int64_t global, struct err *e)
{
    const struct ballot *b = q->votes.ballot;
    struct choice *c = &q->a->choices[q->a->n_choices];
    ballot_locate(b, global, &c->index, &c->block);
    c->score = b->score[global];
    if (!(c->votes = mem_new((size_t)b->n_voters, sizeof *c->votes, e)))
        return ERR_NOMEM;
    q->a->n_choices++;
    c->n_votes = b->n_voters;
    for (int i = 0; i < b->n_voters; i++) {
        const struct voter *v = &b->voters[i];
        int rank = v->rank ? v->rank[global] : 1;
        for (int64_t j = 0; !v->rank && j < b->n_blocks; j++)
            rank += v->z[j] > v->z[global];
        c->votes[i] = (struct vote){v->layer, v->head, (double)v->z[global], rank};
    }
    qsort(c->votes, (size_t)c->n_votes, sizeof *c->votes, by_score);
    return 0;
}

// Whether a block is in sight anyway: sinks, or part of the window of the home index.
static int in_sight(const struct asking *q, const struct choice *c, const struct kvz_block *b)
{
    return !read_text_only(q->how.mode) && !read_sentences_only(q->how.mode) &&
           c->index == q->chosen.home &&
           ((b->flags & KVZ_SINK) || c->block >= q->chosen.tail_first[c->index]);
}

static int by_place(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    return x->block < y->block ? -1 : x->block > y->block;
}

// Whether the I-th best block is worth reading: a sharp vote reads few blocks, a flat one as many
// as fit, because a small model is easily led astray by what it need not have read.
static int worth_reading(const struct asking *q, int64_t i)
{
    enum select by = q->votes.ballot->parts.select;
    int voted = by == SELECT_VOTE || by == SELECT_EXACT || by == SELECT_HYBRID;
    if (q->chosen.lead.found) // the best place and the one that it leads on to
        return i < 1 + (q->chosen.lead.global != q->votes.ballot->order[0]);
    int at_least = question_for_several(q->o->question) ? SEVERAL
                   : read_sentences_only(q->how.mode)   ? 1
                                                        : AT_LEAST;
    return q->how.parts.allot != ALLOT_SHARP || !voted || i < at_least ||
           !votes_sharp(q->votes.ballot, i);
}

// Sorts P into document order, indexes one after the other.
static void in_order(const struct asking *q, struct places *p)
{
    for (int i = 0, from = 0; i < q->n_k; i++) {
        int count = 0;
        for (int j = from; j < p->n; j++)
            if (p->v[j].k == q->k[i]) {
                struct place at = p->v[from + count];
                p->v[from + count++] = p->v[j];
                p->v[j] = at;
            }
        qsort(p->v + from, (size_t)count, sizeof *p->v, by_place);
        from += count;
    }
}

// Takes the best blocks of ORDER that fit BUDGET tokens (-1: all), LEAST whatever they have,
// only those that AMONG [n_blocks] has unless that is NULL. Blocks that are in sight anyway cost
// nothing. Sets READ [n_blocks] for blocks that are read or in sight.
static int take(const struct asking *q, const int64_t *order, int64_t budget, int least,
                const unsigned char *among, struct places *p, unsigned char *read, struct err *e)
{
    const struct ballot *b = q->votes.ballot;
    int64_t n = q->how.parts.select == SELECT_NONE ? 0 : b->n_blocks;
    if (!(p->v = mem_new((size_t)n, sizeof *p->v, e)))
        return ERR_NOMEM;
    for (int64_t i = 0; i < n; i++) {
        struct kvz_block blk;
        struct choice at;
        if (among && !among[order[i]])
            continue;
        ballot_locate(b, order[i], &at.index, &at.block);
        int rc = kvz_block(q->k[at.index], at.block, &blk, e);
        if (rc)
            return rc;
        int sight = in_sight(q, &at, &blk);
        int fits = budget < 0 || p->n < least || p->tokens + (int64_t)blk.n_tokens <= budget;
        if (!sight && (!fits || !worth_reading(q, i)))
            break;
        read[order[i]] = (unsigned char)(sight ? read[order[i]] | 2 : 1);
        if (sight)
            continue;
        p->v[p->n] = (struct place){q->k[at.index], at.block, p->n};
        p->n++;
        p->tokens += (int)blk.n_tokens;
    }
    in_order(q, p);
    return 0;
}

// LAYER's usual entropy (ActQKV's running mean): the profile's, else that of this question.
static double usual_entropy(const struct asking *q, int layer, const double *entropy)
{
    const struct heads *h = q->m->heads;
    double usual = h && h->entropy ? (double)h->entropy[layer] : 0;
    return usual > 0 && q->votes.ballot->n_blocks > 1
               ? usual * log((double)q->votes.ballot->n_blocks)
               : entropy[layer];
}

// Tokens that LAYER may read. With ALLOT_ENTROPY undecided layers get more (ActQKV, section 4.3):
// the layer's share of the entropy that is left, of the budget that is left.
static int64_t layer_budget(const struct asking *q, int layer, const double *entropy, int64_t *left)
{
    double sum = 0;
    if (q->how.parts.allot == ALLOT_ALL || layer < q->how.parts.dense)
        return -1;
    if (q->how.parts.allot != ALLOT_ENTROPY)
        return q->how.budget;
    for (int l = layer; l < q->m->info.n_layers; l++)
        sum += l == layer ? entropy[l] : usual_entropy(q, l, entropy);
    int64_t mine = (int64_t)(sum > 0 ? entropy[layer] / sum * (double)*left : 0);
    *left -= mine;
    return mine;
}

// The layer whose choice LAYER reads: after the dense ones every layer_step-th layer chooses, and
// the others follow the one before them.
static int chooser(const struct asking *q, int layer)
{
    int dense = q->how.parts.dense,
        step = q->how.parts.layer_step > 1 ? q->how.parts.layer_step : 1;
    return layer < dense ? layer : dense + (layer - dense) / step * step;
}

static const unsigned char *among(const struct asking *q, int layer)
{
    return q->votes.preselected
               ? q->votes.preselected + (size_t)layer * (size_t)q->votes.ballot->n_blocks
               : NULL;
}

// Has LAYER read, in each lane, the blocks that the voters of layer C rank first. Changes nothing
// when C has no voters and FIRST is 0.
static int choose_layer(struct asking *q, int layer, int c, int first, int64_t *order,
                        struct err *e)
{
    const struct ballot *b = q->votes.ballot;
    int64_t budget = q->chosen.by_layer.budgets[layer];
    int rc = 0;
    if (!first && budget > q->chosen.by_layer.most)
        budget = q->chosen.by_layer.most;
    for (int h = 0; !rc && h < q->chosen.by_layer.lanes; h++) {
        struct places *p = &q->chosen.by_layer.v[layer * q->chosen.by_layer.lanes + h];
        double entropy;
        int voters;
        if ((rc = ballot_layer(b, c, q->chosen.by_layer.lanes > 1 ? h : -1, order, &entropy,
                               &voters, e)))
            break;
        if (!voters && !first)
            continue;
        free(p->v);
        *p = (struct places){0};
        int own = voters && q->how.parts.scope == SCOPE_LAYER;
        rc = take(q, own ? order : b->order, budget, 0, budget < 0 ? NULL : among(q, layer), p,
                  q->chosen.read, e);
    }
    return rc;
}

static int choose_by_layer(struct asking *q, struct err *e)
{
    const struct ballot *b = q->votes.ballot;
    int n_layers = q->m->info.n_layers, rc = 0;
    int64_t left = (int64_t)q->how.budget * (n_layers - q->how.parts.dense);
    int64_t *order = mem_new((size_t)b->n_blocks, sizeof *order, e);
    double *entropy = mem_new((size_t)n_layers, sizeof *entropy, e);
    q->chosen.by_layer.lanes = q->how.parts.share == SHARE_HEAD ? q->m->info.n_kv_heads : 1;
    q->chosen.by_layer.v =
        mem_new((size_t)(n_layers * q->chosen.by_layer.lanes), sizeof *q->chosen.by_layer.v, e);
    q->chosen.by_layer.budgets = mem_new((size_t)n_layers, sizeof *q->chosen.by_layer.budgets, e);
    if (!order || !entropy || !q->chosen.by_layer.v || !q->chosen.by_layer.budgets)
        rc = ERR_NOMEM;
    for (int l = 0; !rc && l < n_layers; l++) {
        int voters;
        rc = ballot_layer(b, l, -1, order, &entropy[l], &voters, e);
    }
    for (int l = 0; !rc && l < n_layers; l++)
        q->chosen.by_layer.budgets[l] = layer_budget(q, l, entropy, &left);
    for (int l = 0; !rc && l < n_layers; l++)
        rc = choose_layer(q, l, chooser(q, l), 1, order, e);
    for (int i = 0; !rc && i < n_layers * q->chosen.by_layer.lanes; i++)
        q->chosen.by_layer.most = q->chosen.by_layer.v[i].tokens > q->chosen.by_layer.most
                                      ? q->chosen.by_layer.v[i].tokens
                                      : q->chosen.by_layer.most;
    free(order);
    free(entropy);
    return rc;
}

int choose_anew(void *arg, struct stream *s, int layer, const float *queries, struct err *e)
{
    struct asking *q = arg;
    const struct model_info *f = &q->m->info;
    int c = chooser(q, layer), rc = 0;
    if (layer < q->how.parts.dense || q->how.parts.allot == ALLOT_ALL)
        return 0;
    float **at = mem_new((size_t)f->n_layers, sizeof *at, e);
    int64_t *order = mem_new((size_t)q->votes.ballot->n_blocks, sizeof *order, e);
    float *own = mem_new((size_t)(f->n_heads * f->head_dim), sizeof *own, e);
    if (!at || !order || !own)
        rc = ERR_NOMEM;
    if (!rc && c == layer) {
        memcpy(own, queries, (size_t)(f->n_heads * f->head_dim) * sizeof *own);
        at[layer] = own;
        rc = ballot_cast_layer(q->votes.ballot, layer, at, 1, e);
    }
    if (!rc)
        rc = choose_layer(q, layer, c, 0, order, e);
    const struct places *p = q->chosen.by_layer.v + layer * q->chosen.by_layer.lanes;
    if (!rc)
        rc = q->chosen.by_layer.lanes > 1 ? read_far_heads(s, layer, p, e)
                                          : read_far(s, layer, p, q->how.parts.traverse, e);
    free(at);
    free(order);
    free(own);
    return rc;
}

int choose_account(struct asking *q, struct err *e)
{
    const struct ballot *b = q->votes.ballot;
    int rc = 0;
    for (int64_t i = 0; !rc && i < b->n_blocks; i++) {
        struct choice at;
        int there = 0;
        ballot_locate(b, i, &at.index, &at.block);
        for (int j = 0; j < q->a->n_choices; j++)
            there |= q->a->choices[j].index == at.index && q->a->choices[j].block == at.block;
        if ((q->chosen.read[i] & 1) && !there)
            rc = add_choice(q, i, e);
    }
    return rc;
}

int choose_blocks(struct asking *q, struct err *e)
{
    const struct ballot *b = q->votes.ballot;
    int64_t n = b->n_blocks;
    int rc = 0, by_layer = q->how.parts.scope == SCOPE_LAYER || q->how.parts.dense > 0;
    if (n && q->how.parts.select != SELECT_NONE) {
        uint64_t block;
        ballot_locate(b, b->order[0], &q->chosen.home, &block);
    }
    if (!(q->chosen.tail_first = mem_new((size_t)q->n_k, sizeof *q->chosen.tail_first, e)))
        return ERR_NOMEM;
    for (int i = 0; !rc && i < q->n_k; i++)
        rc = read_tail_first(q->k[i], q->how.window, &q->chosen.tail_first[i], e);
    unsigned char *read = q->chosen.read = mem_new((size_t)n, 1, e);
    q->a->choices = mem_new((size_t)n, sizeof *q->a->choices, e);
    if (!rc && (!q->a->choices || !read))
        rc = ERR_NOMEM;
    if (!rc && by_layer && !read_text_only(q->how.mode))
        rc = choose_by_layer(q, e);
    if (!rc &&
        (!by_layer || q->how.mode != READ_CACHED)) // text is read again for all layers at once
        rc = take(q, b->order, q->how.parts.allot == ALLOT_ALL ? -1 : q->how.budget, 1,
                  among(q, q->m->info.n_layers), &q->chosen.far, read, e);
    // Those that were in sight without being read count where they are among the evidence.
    for (int64_t i = 0; !rc && i < n; i++)
        if (read[b->order[i]] & 1 ||
            (read[b->order[i]] && (i < q->how.n_evidence || q->how.parts.allot == ALLOT_ALL)))
            rc = add_choice(q, b->order[i], e);
    return rc;
}
