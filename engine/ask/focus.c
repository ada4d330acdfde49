// Where the answer is looked for in each block; the votes within a block are counted once.
#include <math.h>
#include <stdlib.h>

#include "engine/ask/asking.h"
#include "engine/ask/focus.h"
#include "engine/ask/token_votes.h"
#include "io/mem.h"

static struct focus *focus_known(const struct asking *q, int64_t global)
{
    for (size_t i = 0; i < q->votes.foci.n; i++)
        if (q->votes.foci.v[i].global == global)
            return &q->votes.foci.v[i];
    return NULL;
}

static int focus_add(struct asking *q, struct focus f, struct err *e)
{
    int rc = MEM_GROW(q->votes.foci.v, q->votes.foci.cap, q->votes.foci.n + 1, e);
    if (!rc)
        q->votes.foci.v[q->votes.foci.n++] = f;
    return rc;
}

int focus_of(struct asking *q, int64_t global, int *found, uint32_t *token, struct err *e)
{
    const struct focus *known = focus_known(q, global);
    struct focus f = {.global = global};
    int rc = 0;
    if (!known && !(rc = token_votes_best(q->votes.ballot, global, q->votes.own,
                                          q->prompts.probe.n - q->prompts.probe.question_from,
                                          &f.found, &f.token, e)))
        rc = focus_add(q, f, e);
    if (known)
        f = *known;
    *found = f.found;
    *token = f.token;
    return rc;
}

int focus_votes(const struct asking *q, int64_t global, const uint32_t *tokens, int n,
                double *votes, struct err *e)
{
    double *of = NULL;
    uint32_t n_of;
    int rc = token_votes(q->votes.ballot, global, q->votes.own,
                         q->prompts.probe.n - q->prompts.probe.question_from, &of, &n_of, e);
    for (int i = 0; !rc && i < n; i++) {
        votes[i] = -INFINITY;
        for (uint32_t t = tokens[i]; t < n_of && (i + 1 == n || t < tokens[i + 1]); t++)
            votes[i] = fmax(votes[i], of[t]);
    }
    free(of);
    return rc;
}

int focus_at(struct asking *q, int64_t global, uint32_t token, struct err *e)
{
    struct focus *known = focus_known(q, global),
                 f = {.global = global, .token = token, .found = 1};
    if (!known)
        return focus_add(q, f, e);
    *known = f;
    return 0;
}

int focus_goes_on(const struct asking *q, int64_t global)
{
    const struct focus *known = focus_known(q, global);
    return known ? known->goes_on : 0;
}

void focus_go_on(const struct asking *q, int64_t global, int on)
{
    struct focus *known = focus_known(q, global);
    if (known)
        known->goes_on = on;
}
