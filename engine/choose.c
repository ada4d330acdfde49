// From votes to blocks: what each layer reads of what the ballot ranks first.
#include <stdlib.h>
#include <string.h>

#include "engine/ask.h"
#include "io/mem.h"

// Under `sharp`: blocks read whatever the votes, where it is not sentences that are read, and the
// least share of the best block's score that the others need.
enum { AT_LEAST = 2 };
static const double SHARE = 0.5;

static int by_score(const void *a, const void *b)
{
    const struct vote *x = a, *y = b;
    return x->score < y->score ? 1 : x->score > y->score ? -1 : x->layer - y->layer;
}

static int add_choice(struct asking *q, int64_t global, struct err *e)
{
    const struct ballot *b = q->ballot;
    struct choice *c = &q->a->choices[q->a->n_choices];
    ballot_locate(b, global, &c->index, &c->block);
    c->score = b->score[global];
    if (!(c->votes = mem_new((size_t)b->n_voters, sizeof *c->votes, e)))
        return ERR_NOMEM;
    q->a->n_choices++;
    c->n_votes = b->n_voters;
    for (int i = 0; i < b->n_voters; i++) {
        const struct voter *v = &b->voters[i];
        int rank = 1;
        for (int64_t j = 0; j < b->n_blocks; j++)
            rank += v->z[j] > v->z[global];
        c->votes[i] = (struct vote){v->layer, v->head, (double)v->z[global], rank};
    }
    qsort(c->votes, (size_t)c->n_votes, sizeof *c->votes, by_score);
    return 0;
}

// Whether a block is in sight without being read: a sink or part of the window of the home index.
static int in_sight(const struct asking *q, const struct choice *c, const struct kvz_block *b)
{
    return !read_text_only(q->mode) && c->index == q->home &&
           ((b->flags & KVZ_SINK) || c->block >= q->tail_first[c->index]);
}

static int by_place(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    return x->block < y->block ? -1 : x->block > y->block;
}

int votes_sharp(const struct ballot *b, int64_t i)
{
    return i < b->n_blocks && b->score[b->order[i]] < SHARE * b->score[b->order[0]];
}

// Whether the I-th best block is worth reading: a sharp vote reads few blocks, a flat one as many
// as fit, because a small model is easily led astray by what it need not have read.
static int worth_reading(const struct asking *q, int64_t i)
{
    enum select by = q->ballot->parts.select;
    int voted = by == SELECT_VOTE || by == SELECT_EXACT || by == SELECT_HYBRID;
    int at_least = q->mode == READ_SENTENCES ? 1 : AT_LEAST;
    return q->parts.allot != ALLOT_SHARP || !voted || i < at_least || !votes_sharp(q->ballot, i);
}

// Document order within an index; indexes one after the other.
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

// The best blocks of ORDER that fit BUDGET tokens, all with budget -1. Blocks that are in sight
// anyway cost nothing. READ [n_blocks], when given, is set where a block is read or in sight.
static int take(const struct asking *q, const int64_t *order, int64_t budget, struct places *p,
                unsigned char *read, struct err *e)
{
    const struct ballot *b = q->ballot;
    int64_t n = q->parts.select == SELECT_NONE ? 0 : b->n_blocks;
    if (!(p->v = mem_new((size_t)n, sizeof *p->v, e)))
        return ERR_NOMEM;
    for (int64_t i = 0; i < n; i++) {
        struct kvz_block blk;
        struct choice at;
        ballot_locate(b, order[i], &at.index, &at.block);
        int rc = kvz_block(q->k[at.index], at.block, &blk, e);
        if (rc)
            return rc;
        int sight = in_sight(q, &at, &blk);
        int fits = budget < 0 || p->tokens + (int64_t)blk.n_tokens <= budget;
        if (!sight && (!fits || !worth_reading(q, i)))
            break;
        read[order[i]] = (unsigned char)(sight ? read[order[i]] | 2 : 1);
        if (sight)
            continue;
        p->v[p->n++] = (struct place){q->k[at.index], at.block, p->n};
        p->tokens += (int)blk.n_tokens;
    }
    in_order(q, p);
    return 0;
}

// Tokens that LAYER may read. Under `entropy` the undecided ones get more (ActQKV, section 4.3):
// what is left of all layers' budget, by the layer's share of the entropy of those that follow.
static int64_t layer_budget(const struct asking *q, int layer, const double *entropy, int64_t *left)
{
    double sum = 0;
    if (q->parts.allot == ALLOT_ALL || layer < q->parts.dense)
        return -1;
    if (q->parts.allot != ALLOT_ENTROPY)
        return q->budget;
    for (int l = layer; l < q->m->info.n_layers; l++)
        sum += entropy[l];
    int64_t mine = (int64_t)(sum > 0 ? entropy[layer] / sum * (double)*left : 0);
    *left -= mine;
    return mine;
}

// The layer whose choice LAYER reads: every layer_step-th one after the dense ones chooses for those that
// follow it.
static int chooser(const struct asking *q, int layer)
{
    int dense = q->parts.dense, step = q->parts.layer_step > 1 ? q->parts.layer_step : 1;
    return layer < dense ? layer : dense + (layer - dense) / step * step;
}

static int choose_by_layer(struct asking *q, unsigned char *read, struct err *e)
{
    const struct ballot *b = q->ballot;
    int n_layers = q->m->info.n_layers, rc = 0;
    size_t n = (size_t)b->n_blocks;
    int64_t left = (int64_t)q->budget * (n_layers - q->parts.dense);
    int64_t *orders = mem_new(n * (size_t)n_layers, sizeof *orders, e);
    double *entropy = mem_new((size_t)n_layers, sizeof *entropy, e);
    q->layers = mem_new((size_t)n_layers, sizeof *q->layers, e);
    if (!orders || !entropy || !q->layers)
        rc = ERR_NOMEM;
    for (int l = 0; !rc && l < n_layers; l++) {
        int voters;
        rc = ballot_layer(b, l, orders + (size_t)l * n, &entropy[l], &voters, e);
        if (!rc && (!voters || q->parts.scope == SCOPE_QUESTION))
            memcpy(orders + (size_t)l * n, b->order, n * sizeof *orders);
    }
    for (int l = 0; !rc && l < n_layers; l++)
        rc = take(q, orders + (size_t)chooser(q, l) * n, layer_budget(q, l, entropy, &left),
                  &q->layers[l], read, e);
    free(orders);
    free(entropy);
    return rc;
}

int choose_blocks(struct asking *q, struct err *e)
{
    const struct ballot *b = q->ballot;
    int64_t n = b->n_blocks;
    int rc = 0, by_layer = q->parts.scope == SCOPE_LAYER || q->parts.dense > 0;
    if (n && q->parts.select != SELECT_NONE) {
        uint64_t block;
        ballot_locate(b, b->order[0], &q->home, &block);
    }
    for (int i = 0; !rc && i < q->n_k; i++)
        rc = read_tail_first(q->k[i], q->window, &q->tail_first[i], e);
    unsigned char *read = mem_new((size_t)n, 1, e);
    q->a->choices = mem_new((size_t)n, sizeof *q->a->choices, e);
    if (!rc && (!q->a->choices || !read))
        rc = ERR_NOMEM;
    if (!rc && by_layer && !read_text_only(q->mode))
        rc = choose_by_layer(q, read, e);
    if (!rc && (!by_layer || q->mode != READ_CACHED)) // text is read again for all layers at once
        rc = take(q, b->order, q->parts.allot == ALLOT_ALL ? -1 : q->budget, &q->far, read, e);
    // Those that were in sight without being read count where they are among the evidence.
    for (int64_t i = 0; !rc && i < n; i++)
        if (read[b->order[i]] & 1 ||
            (read[b->order[i]] && (i < q->n_evidence || q->parts.allot == ALLOT_ALL)))
            rc = add_choice(q, b->order[i], e);
    free(read);
    return rc;
}
