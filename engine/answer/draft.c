#include "engine/answer/draft.h"

#include <string.h>

#include "engine/answer/copy.h"

static int least(int a, int b)
{
    return a < b ? a : b;
}

void draft_guess(struct draft *d, const struct stream *s, const uint32_t *written, int n, int left)
{
    int together = least(s->d->ops->alike, s->o.chunk); // the token before them among them
    int most = least(least(d->most, DRAFT_MOST), least(together - 1, left));
    if (s->o.art.patience > 0)
        most = 0;
    d->n = copies_ahead(d->text, d->n_text, written, n, d->ids, most);
}

int draft_run(const struct draft *d, struct stream *s, uint32_t id, float *logits, struct err *e)
{
    uint32_t ids[1 + DRAFT_MOST] = {id};
    memcpy(ids + 1, d->ids, (size_t)d->n * sizeof *ids);
    struct forward f = {.tokens = ids, .n = 1 + d->n, .on_trial = 1, .logits = logits, .n_logits = 1 + d->n};
    return forward(s, &f, e);
}

int draft_holds(struct draft *d, uint32_t id)
{
    int held = d->held < d->n && d->ids[d->held] == id;
    d->held += held;
    return held;
}

int draft_end(struct draft *d, struct stream *s, struct err *e)
{
    int stay = 1 + d->held;
    d->n = d->held = 0;
    return stream_settle(s, stay, e);
}
