#include "engine/answer/draft.h"

#include <string.h>

#include "engine/answer/copy.h"

enum { GUESS = 2 }; // tokens in a row that say how it goes on: one alone fails in half of the cases
enum { FASTER = 4 }; // times as many are guessed where all held

static int least(int a, int b)
{
    return a < b ? a : b;
}

void draft_from(struct draft *d, const uint32_t *read, int n_read, const uint32_t *asked,
                int n_asked)
{
    d->from[DRAFT_READ] = (struct draft_source){read, n_read, DRAFT_MOST};
    d->from[DRAFT_ASKED] = (struct draft_source){asked, n_asked, 1};
    d->from[DRAFT_WRITTEN] = (struct draft_source){.most = 2};
}

// How many tokens can be guessed.
static int room(const struct draft *d, const struct stream *s, int left)
{
    int together = least(s->d->ops->alike, s->o.chunk); // the token before them among them
    return s->o.art.patience > 0 ? 0 : least(least(d->most, DRAFT_MOST), least(together - 1, left));
}

// The source in which the longest end of WRITTEN [n] stands, the first of equal ones, with the
// token behind it in *AT; NULL: not even its last two tokens stand anywhere.
static struct draft_source *longest(struct draft *d, const uint32_t *written, int n, int *at)
{
    struct draft_source *of = NULL;
    int most = GUESS - 1;
    for (int i = 0; i < DRAFT_SOURCES; i++) {
        int here, same = copies_end(d->from[i].ids, d->from[i].n, written, n, &here);
        if (same <= most)
            continue;
        most = same;
        of = &d->from[i];
        *at = here;
    }
    return of;
}

void draft_guess(struct draft *d, const struct stream *s, const uint32_t *written, int n, int left)
{
    int at = 0, most = room(d, s, left);
    if (most <= 0)
        return;
    d->from[DRAFT_WRITTEN].ids = written;
    d->from[DRAFT_WRITTEN].n = n;
    if (!(d->of = longest(d, written, n, &at)))
        return;
    most = least(most, least(d->of->most, d->of->n - at));
    while (d->n < most &&
           !tok_is_end(s->m->tok, d->of->ids[at + d->n])) { // nothing is run behind an end
        d->ids[d->n] = d->of->ids[at + d->n];
        d->n++;
    }
}

int draft_run(const struct draft *d, struct stream *s, uint32_t id, float *logits, struct err *e)
{
    uint32_t ids[1 + DRAFT_MOST] = {id};
    memcpy(ids + 1, d->ids, (size_t)d->n * sizeof *ids);
    struct forward f = {
        .tokens = ids, .n = 1 + d->n, .on_trial = 1, .logits = logits, .n_logits = 1 + d->n};
    return forward(s, &f, e);
}

int draft_holds(struct draft *d, uint32_t id)
{
    int held = d->held < d->n && d->ids[d->held] == id;
    d->held += held;
    return held;
}

// How many tokens will be guessed from this source the next time.
static int next_most(const struct draft *d)
{
    if (d->held < d->n)
        return d->held ? d->held : 1;
    int more = least(FASTER * d->n, DRAFT_MOST);
    return more > d->of->most ? more : d->of->most;
}

int draft_end(struct draft *d, struct stream *s, struct err *e)
{
    int stay = 1 + d->held;
    if (d->n)
        d->of->most = next_most(d);
    d->n = d->held = 0;
    return stream_settle(s, stay, e);
}
