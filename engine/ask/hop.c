// A second place for questions that need one: what the best sentence says leads on to it.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/ask/asking.h"
#include "engine/ask/chosen.h"
#include "engine/ask/hop.h"
#include "engine/ask/votes.h"
#include "engine/passage/sentence.h"

// Casts the votes for the question when it is asked after the best sentence of block GLOBAL.
static int ask_after(struct asking *next, struct asking *q, char **text, int64_t global,
                     struct err *e)
{
    struct sentence v = {0};
    *next = (struct asking){.m = q->m,
                            .k = q->k,
                            .n_k = q->n_k,
                            .how.parts = q->how.parts,
                            .how.positions = q->how.positions,
                            .how.window = q->how.window,
                            .chosen.home = q->chosen.home};
    int rc = chosen_sentence(&v, q, global, e);
    if (!rc && asprintf(text, "%s %s", v.text, q->o->question) < 0) {
        *text = NULL;
        rc = err_set(e, ERR_NOMEM, "out of memory (question of a second hop)");
    }
    sentence_done(&v);
    if (!rc)
        rc = prompt_probe(&next->prompts.probe, q->m, *text, q->how.parts.echo, e);
    if (!rc)
        rc = ballot_new(&next->votes.ballot, q->m, q->k, q->n_k, &next->how.parts, *text, e);
    return rc ? rc : votes_cast(next, e);
}

// Moves NEXT's best block that is not among the first N of B to right behind these, with the score
// of the one that led to it.
static void lead_on(struct ballot *b, const struct ballot *next, int n)
{
    int64_t found = -1;
    for (int64_t i = 0; found < 0 && i < next->n_blocks; i++) {
        int known = 0;
        for (int j = 0; j < n; j++)
            known |= b->order[j] == next->order[i];
        if (!known)
            found = next->order[i];
    }
    if (found >= 0)
        ballot_put(b, found, n);
}

int hop_further(struct asking *q, struct err *e)
{
    int rc = 0;
    for (int h = 1; !rc && h < q->o->hops && h < q->votes.ballot->n_blocks; h++) {
        struct asking next;
        char *text = NULL;
        if (!(rc = ask_after(&next, q, &text, q->votes.ballot->order[h - 1], e)))
            lead_on(q->votes.ballot, next.votes.ballot, h);
        asking_done(&next);
        free(text);
    }
    return rc;
}
