#include "engine/answer/begun.h"

int begun_common(const struct begun *b, const uint32_t *ids, int n)
{
    int common = 0;
    if (!b || !b->s)
        return 0;
    while (common < b->p.n && common < n && b->p.ids[common] == ids[common])
        common++;
    return common;
}

int begun_share(const struct begun *b, struct stream *s, const uint32_t *ids, int n, struct err *e)
{
    const int common = begun_common(b, ids, n);
    int rc = common ? stream_append(s, b->s, 0, common, e) : 0;
    return rc ? rc : common;
}

void begun_done(struct begun *b)
{
    stream_free(b->s);
    prompt_done(&b->p);
    *b = (struct begun){0};
}
