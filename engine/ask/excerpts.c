// Where the sentences that are read are stored: tokens of blocks.
#include <stdlib.h>

#include "engine/ask/excerpts.h"
#include "engine/method/ballot.h"
#include "engine/passage/sentence.h"
#include "io/mem.h"

// The tokens of BLOCK that have text of bytes START to END of its document; *FROM == *TO: none.
static int tokens_of(const struct kvz *k, uint64_t block, const struct kvz_block *b, uint64_t start,
                     uint64_t end, uint32_t *from, uint32_t *to, struct err *e)
{
    uint64_t *starts;
    uint32_t n;
    int rc = block_token_starts(k, block, &starts, &n, e);
    *from = *to = 0;
    for (uint32_t t = 0; !rc && t < n; t++) {
        const uint64_t at = b->start + starts[t], behind = b->start + starts[t + 1];
        if (at < behind && at < end && behind > start) {
            *from = *to ? *from : t;
            *to = t + 1;
        }
    }
    free(starts);
    return rc;
}

// Appends the tokens of BLOCK, described by B, that have bytes START to END of its document.
static int add(struct excerpts *p, const struct kvz *k, uint64_t block, const struct kvz_block *b,
               uint64_t start, uint64_t end, struct err *e)
{
    struct excerpt x = {k, block, 0, 0};
    int rc = tokens_of(k, block, b, start, end, &x.from, &x.to, e);
    if (rc || x.from == x.to || (rc = MEM_GROW(p->v, p->cap, p->n + 1, e)))
        return rc;
    p->v[p->n++] = x;
    p->tokens += (int)b->n_tokens;
    return 0;
}

int excerpts_add(struct excerpts *p, const struct kvz *k, uint64_t block, const struct sentence *v,
                 struct err *e)
{
    struct kvz_block b;
    int rc = kvz_block(k, block, &b, e);
    while (!rc && block > 0 && b.document == v->document && b.start > v->start)
        rc = kvz_block(k, --block, &b, e);
    for (; !rc && b.start < v->end && b.document <= v->document; rc = kvz_block(k, block, &b, e)) {
        if (b.document == v->document && b.end > v->start)
            rc = add(p, k, block, &b, v->start, v->end, e);
        if (rc || ++block == kvz_n_blocks(k))
            break;
    }
    return rc;
}
