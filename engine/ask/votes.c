// The probe pass of a question.
#include <stdlib.h>

#include "engine/ask/asking.h"
#include "engine/ask/votes.h"
#include "engine/method/select.h"
#include "io/mem.h"

// Of the best block's score: with less a block is not worth reading.
static const double SHARE = 0.5;

// Runs the question up to the last voting layer and keeps the queries that vote.
static int probe(struct asking *q, float **queries, int n_layers, struct err *e)
{
    struct stream *s = NULL;
    int n = q->prompts.probe.n;
    size_t wide = (size_t)(q->m->info.n_heads * q->m->info.head_dim);
    int rc = read_open(
        &s, q->m, q->k[q->chosen.home],
        &(struct sight){
            .positions = q->how.positions, .window = q->how.window, .room = n, .layers = n_layers},
        e);
    float **at = mem_new((size_t)q->m->info.n_layers, sizeof *at, e);
    if (!rc && !at)
        rc = ERR_NOMEM;
    for (int done = 0; !rc && done < n;) {
        int take = n - done < s->o.chunk ? n - done : s->o.chunk;
        for (int l = 0; l < n_layers; l++)
            at[l] = queries[l] ? queries[l] + (size_t)done * wide : NULL;
        rc = forward(s,
                     &(struct forward){.tokens = q->prompts.probe.ids + done,
                                       .n = take,
                                       .n_layers = n_layers,
                                       .queries = at},
                     e);
        done += take;
    }
    free(at);
    stream_free(s);
    return rc;
}

// Points q->votes.own to the queries of the question's own tokens in q->votes.queries.
static void own_queries(struct asking *q)
{
    size_t wide = (size_t)(q->m->info.n_heads * q->m->info.head_dim);
    for (int l = 0; l < q->m->info.n_layers; l++)
        q->votes.own[l] = q->votes.queries[l]
                              ? q->votes.queries[l] + (size_t)q->prompts.probe.question_from * wide
                              : NULL;
}

int votes_cast(struct asking *q, struct err *e)
{
    int n_layers = q->m->info.n_layers, n = q->prompts.probe.n;
    size_t wide = (size_t)(q->m->info.n_heads * q->m->info.head_dim);
    unsigned char *need = mem_new((size_t)n_layers, 1, e);
    q->votes.own = mem_new((size_t)n_layers, sizeof *q->votes.own, e);
    q->votes.queries = mem_new((size_t)n_layers, sizeof *q->votes.queries, e);
    int rc = need && q->votes.own && q->votes.queries ? 0 : ERR_NOMEM;
    int run = rc ? 0 : ballot_layers(q->votes.ballot, need);
    for (int l = 0; !rc && l < run; l++)
        if (need[l] && !(q->votes.queries[l] = mem_new((size_t)n * wide, sizeof(float), e)))
            rc = ERR_NOMEM;
    if (!rc)
        rc = probe(q, q->votes.queries, run, e);
    if (!rc) {
        own_queries(q);
        rc = ballot_cast(q->votes.ballot, q->votes.own, n - q->prompts.probe.question_from, e);
    }
    free(need);
    return rc;
}

void votes_forget(struct asking *q)
{
    for (int l = 0; q->votes.queries && l < q->m->info.n_layers; l++)
        free(q->votes.queries[l]);
    free(q->votes.queries);
    free(q->votes.own);
    q->votes.queries = q->votes.own = NULL;
}

int votes_sharp(const struct ballot *b, int64_t i)
{
    return i < b->n_blocks && b->score[b->order[i]] < SHARE * b->score[b->order[0]];
}
