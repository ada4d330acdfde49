#include "engine/answer/prefix.h"

int prefix_common(const struct prefix *b, const uint32_t *ids, int n)
{
    int common = 0;
    if (!b || !b->s)
        return 0;
    while (common < b->p.n && common < n && b->p.ids[common] == ids[common])
        common++;
    return common;
}

int prefix_share(const struct prefix *b, struct stream *s, const uint32_t *ids, int n,
                 struct err *e)
{
    const int common = prefix_common(b, ids, n);
    int rc = common ? stream_append(s, b->s, 0, common, e) : 0;
    return rc ? rc : common;
}

void prefix_done(struct prefix *b)
{
    stream_free(b->s);
    prompt_done(&b->p);
    *b = (struct prefix){0};
}
