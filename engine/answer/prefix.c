#include "engine/answer/prefix.h"

#include <stdlib.h>

#include "engine/method/ballot.h"

int prefix_common(const struct prefix *b, const uint32_t *ids, int n)
{
    int common = 0;
    if (!b || !b->s)
        return 0;
    while (common < b->p.n && common < n && b->p.ids[common] == ids[common])
        common++;
    return common;
}

// Brings into S those of the first tokens of IDS with which K begins, too, from its first block, if
// that is a sink. Only on devices with plain memory: others run them in no time. Returns their
// number, or an error.
static int share_stored(const struct kvz *k, struct stream *s, const uint32_t *ids, int n,
                        struct err *e)
{
    uint32_t *first = NULL, *bytes;
    struct stream_block block = {.k = k};
    struct kvz_block is = {0};
    int common = 0, rc = s->d->ops->plain && kvz_n_blocks(k) ? kvz_block(k, 0, &is, e) : 0;
    if (!rc && (is.flags & KVZ_SINK) && (int)is.n_tokens <= s->cap)
        rc = block_tokens(k, 0, &first, &bytes, &block.n_tokens, e);
    while (!rc && common < n && common < (int)block.n_tokens && first[common] == ids[common])
        common++;
    free(first);
    if (common && !(rc = stream_put_blocks(s, STREAM_LOCAL, -1, &block, 1, e)))
        stream_set_seen(s, STREAM_LOCAL, common, common);
    return rc == ERR_FORMAT ? 0 : rc ? rc : common;
}

int prefix_share(const struct prefix *b, const struct kvz *k, struct stream *s, const uint32_t *ids,
                 int n, struct err *e)
{
    const int common = prefix_common(b, ids, n);
    if (!common)
        return k ? share_stored(k, s, ids, n, e) : 0;
    int rc = stream_append(s, b->s, 0, common, e);
    return rc ? rc : common;
}

void prefix_done(struct prefix *b)
{
    stream_free(b->s);
    prompt_done(&b->p);
    *b = (struct prefix){0};
}
