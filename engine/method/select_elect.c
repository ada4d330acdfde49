// Votes that the device counts: of the blocks that anyone looks at, it says which they are and what
// was said of them.
#include "engine/method/select_impl.h"

#include <stdlib.h>
#include <string.h>

#include "engine/method/probe.h"
#include "io/mem.h"

int ballot_can_elect(const struct ballot *b, int64_t again)
{
    const struct method *p = &b->parts;
    if (again ? again >= b->n_blocks || again > ELECT_MOST
              : p->scope == SCOPE_LAYER) // which asks for more than the order
        return 0;
    return b->m->device->ops->elect && b->most > 0 && b->most <= ELECT_MOST && b->n_voters > 0 &&
           b->n_blocks > 0 && p->select != SELECT_SIMILARITY && p->represent != REPRESENT_QUEST &&
           p->reduce == REDUCE_LSE;
}

// The best blocks come first, as many as the device was asked for; all others in document order,
// with the score of the last of them.
static int order_by(struct ballot *b, const struct election *x, struct err *e)
{
    unsigned char *taken = mem_new((size_t)b->n_blocks, 1, e);
    if (!taken)
        return ERR_NOMEM;
    for (int i = 0; i < x->n_top; i++)
        taken[x->top[i]] = 1;
    memcpy(b->order, x->top, (size_t)x->n_top * sizeof *b->order);
    for (int64_t i = 0, at = x->n_top; i < b->n_blocks; i++) {
        b->score[i] = x->score[x->n_top - 1];
        if (!taken[i])
            b->order[at++] = i;
    }
    for (int i = 0; i < x->n_top; i++)
        b->score[x->top[i]] = x->score[i];
    free(taken);
    return 0;
}

// What each voter says of the best blocks; of others it is not known.
static int keep_votes(struct ballot *b, const struct election *x, struct err *e)
{
    for (int i = 0; i < b->n_voters; i++) {
        struct voter *v = &b->voters[i];
        free(v->rank);
        if (!(v->rank = mem_new((size_t)b->n_blocks, sizeof *v->rank, e)))
            return ERR_NOMEM;
        for (int t = 0; t < x->n_top; t++) {
            v->z[x->top[t]] = x->z[i * x->n_top + t];
            v->rank[x->top[t]] = x->rank[i * x->n_top + t];
        }
    }
    return 0;
}

// What is asked, and what comes back.
struct electing {
    struct election x;
    struct scan *scans;
    float *weight, *q, *z;
    uint64_t *start;
    int64_t *top;
    double *score;
    int *rank;
};

static int electing_new(struct electing *a, const struct ballot *b, int n_q, int n_top,
                        struct err *e)
{
    const size_t votes = (size_t)b->n_voters, parts = (size_t)b->n_indexes, top = (size_t)n_top;
    if (!(a->scans = mem_new(votes * parts, sizeof *a->scans, e)) ||
        !(a->weight = mem_new(votes, sizeof *a->weight, e)) ||
        !(a->q = mem_new(votes * PROBE_ROOM(n_q, (size_t)b->m->info.head_dim), sizeof *a->q, e)) ||
        !(a->start = mem_new(votes * ((size_t)b->n_blocks + parts), sizeof *a->start, e)) ||
        !(a->top = mem_new(top, sizeof *a->top, e)) ||
        !(a->score = mem_new(top, sizeof *a->score, e)) ||
        !(a->z = mem_new(votes * top, sizeof *a->z, e)) ||
        !(a->rank = mem_new(votes * top, sizeof *a->rank, e)))
        return ERR_NOMEM;
    a->x = (struct election){.votes = a->scans,
                             .weight = a->weight,
                             .n_votes = b->n_voters,
                             .n_parts = b->n_indexes,
                             .n_top = n_top,
                             .top = a->top,
                             .score = a->score,
                             .z = a->z,
                             .rank = a->rank};
    return 1;
}

static void electing_done(struct electing *a)
{
    free(a->scans);
    free(a->weight);
    free(a->q);
    free(a->start);
    free(a->top);
    free(a->score);
    free(a->z);
    free(a->rank);
}

// The scans of all votes, 1; 0: some vectors cannot be asked so.
static int write_scans(struct electing *a, const struct ballot *b, float *const *queries, int n_q,
                       struct err *e)
{
    const size_t parts = (size_t)b->n_indexes, room = PROBE_ROOM(n_q, (size_t)b->m->info.head_dim);
    uint64_t *start = a->start;
    int rc = 1;
    for (size_t i = 0; rc == 1 && i < (size_t)b->n_voters; i++) {
        const struct voter *v = &b->voters[i];
        const int n = ballot_probe(b, v, queries[v->layer], n_q, a->q + i * room);
        a->weight[i] = v->weight;
        for (size_t x = 0; rc == 1 && x < parts; x++) {
            struct score_keys keys;
            struct scan *s = &a->scans[i * parts + x];
            if ((rc = ballot_keys(b, (int)x, v->layer, v->head, &keys, e)))
                break;
            rc = keys.n_blocks ? score_scan(b->m, &keys, a->q + i * room, n, start, s) : 1;
            s->n_q = n; // of an index without blocks, too
            start += keys.n_blocks + 1;
        }
    }
    return rc;
}

int ballot_elect(struct ballot *b, float *const *queries, int n_q, int64_t again,
                 const double *gain, double gain_most, struct err *e)
{
    const int64_t looked_at = again > b->most ? again : b->most;
    struct electing a = {.scans = NULL};
    int rc = electing_new(&a, b, n_q, (int)(looked_at < b->n_blocks ? looked_at : b->n_blocks), e);
    if (rc == 1)
        rc = write_scans(&a, b, queries, n_q, e);
    if (rc == 1) {
        struct device *d = b->m->device;
        a.x.gain = gain_most > 0 ? gain : NULL;
        a.x.gain_most = gain_most;
        d->ops->elect(d, &a.x);
        if (!(rc = d->ops->sync(d, e)) && !(rc = order_by(b, &a.x, e)) &&
            !(rc = again ? 0 : keep_votes(b, &a.x, e)))
            rc = 1;
    }
    electing_done(&a);
    return rc;
}
