// The probe pass of a question, and releasing what a question holds.
#include <stdlib.h>

#include "engine/ask/asking.h"
#include "io/mem.h"

// Runs the question up to the last voting layer and keeps the queries that vote.
static int probe(struct asking *q, float **queries, int n_layers, struct err *e)
{
    int n = q->probe.n;
    size_t wide = (size_t)(q->m->info.n_heads * q->m->info.head_dim);
    int rc = read_open(
        &q->s, q->m, q->k[q->home],
        &(struct sight){
            .positions = q->positions, .window = q->window, .room = n, .layers = n_layers},
        e);
    float **at = mem_new((size_t)q->m->info.n_layers, sizeof *at, e);
    if (!rc && !at)
        rc = ERR_NOMEM;
    for (int done = 0; !rc && done < n;) {
        int take = n - done < q->s->o.chunk ? n - done : q->s->o.chunk;
        for (int l = 0; l < n_layers; l++)
            at[l] = queries[l] ? queries[l] + (size_t)done * wide : NULL;
        rc = forward(
            q->s,
            &(struct forward){
                .tokens = q->probe.ids + done, .n = take, .n_layers = n_layers, .queries = at},
            e);
        done += take;
    }
    free(at);
    stream_free(q->s);
    q->s = NULL;
    return rc;
}

// Points q->own to the queries of the question's own tokens in q->queries.
static void own_queries(struct asking *q)
{
    size_t wide = (size_t)(q->m->info.n_heads * q->m->info.head_dim);
    for (int l = 0; l < q->m->info.n_layers; l++)
        q->own[l] = q->queries[l] ? q->queries[l] + (size_t)q->probe.question_from * wide : NULL;
}

int cast_votes(struct asking *q, struct err *e)
{
    int n_layers = q->m->info.n_layers, n = q->probe.n;
    size_t wide = (size_t)(q->m->info.n_heads * q->m->info.head_dim);
    unsigned char *need = mem_new((size_t)n_layers, 1, e);
    q->own = mem_new((size_t)n_layers, sizeof *q->own, e);
    q->queries = mem_new((size_t)n_layers, sizeof *q->queries, e);
    int rc = need && q->own && q->queries ? 0 : ERR_NOMEM;
    int run = rc ? 0 : ballot_layers(q->ballot, need);
    for (int l = 0; !rc && l < run; l++)
        if (need[l] && !(q->queries[l] = mem_new((size_t)n * wide, sizeof(float), e)))
            rc = ERR_NOMEM;
    if (!rc)
        rc = probe(q, q->queries, run, e);
    if (!rc) {
        own_queries(q);
        rc = ballot_cast(q->ballot, q->own, n - q->probe.question_from, e);
    }
    free(need);
    return rc;
}

void asking_forget_queries(struct asking *q)
{
    for (int l = 0; q->queries && l < q->m->info.n_layers; l++)
        free(q->queries[l]);
    free(q->queries);
    free(q->own);
    q->queries = q->own = NULL;
}

void asking_done(struct asking *q)
{
    free(q->unnamed);
    prompt_done(&q->ranked);
    prompt_done(&q->prompt);
    prompt_done(&q->probe);
    prompt_done(&q->sentences);
    ballot_free(q->ballot);
    stream_free(q->s);
    asking_forget_queries(q);
    free(q->tail_first);
    free(q->far.v);
    for (int i = 0; q->by_layer.v && i < q->m->info.n_layers * q->by_layer.lanes; i++)
        free(q->by_layer.v[i].v);
    free(q->by_layer.v);
    free(q->by_layer.budgets);
    free(q->foci.v);
    judge_done(&q->judge);
    begun_done(&q->begun);
    free(q->shown.v);
    free(q->excerpts.v);
    free(q->news);
    free(q->read);
    free(q->preselected);
}
