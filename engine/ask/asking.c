// What a question holds: releasing it; and an answer that goes on.
#include "engine/ask/asking.h"

#include <stdlib.h>

#include "engine/ask/ask.h"
#include "engine/ask/judge.h"
#include "engine/ask/votes.h"

void asking_done(struct asking *q)
{
    near_free(q->near);
    free(q->target.unnamed);
    free(q->target.speaker);
    prompt_done(&q->prompts.ranked);
    prompt_done(&q->prompts.read);
    prompt_done(&q->prompts.probe);
    prompt_done(&q->read.sentences);
    ballot_free(q->votes.ballot);
    votes_forget(q);
    free(q->chosen.tail_first);
    free(q->chosen.far.v);
    for (int i = 0; q->chosen.by_layer.v && i < q->m->info.n_layers * q->chosen.by_layer.lanes; i++)
        free(q->chosen.by_layer.v[i].v);
    free(q->chosen.by_layer.v);
    free(q->chosen.by_layer.budgets);
    free(q->votes.foci.v);
    judge_done(&q->judged.judge);
    prefix_done(&q->judged.prefix);
    free(q->judged.text);
    free(q->read.shown.v);
    free(q->read.excerpts.v);
    free(q->said.news);
    free(q->chosen.read);
    free(q->votes.preselected);
}

void ask_goes_on(struct answer *a, char *both, size_t n, int tokens, const struct ask_options *o)
{
    const size_t before = a->text_bytes;
    free(a->text);
    a->text = both;
    a->text_bytes = n;
    a->answer_tokens += tokens;
    if (o->text)
        o->text(o->arg, both + before, n - before);
}
