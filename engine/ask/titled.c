#include "engine/ask/titled.h"

#include <string.h>

#include "engine/ask/asking.h"
#include "engine/ask/focus.h"
#include "engine/lookup/texts.h"
#include "engine/passage/contents.h"
#include "engine/passage/sentence.h"
#include "engine/sentences/refers.h"

enum { GOES_ON = 1 }; // sentences behind the first one of the section that are read with it

// Puts block GLOBAL first, and the first one where that was.
static void put_first(struct ballot *b, int64_t global)
{
    const int64_t first = b->order[0];
    const double score = b->score[global];
    int64_t i = 0;
    while (b->order[i] != global)
        i++;
    b->order[i] = first;
    b->order[0] = global;
    b->score[global] = b->score[first];
    b->score[first] = score;
}

// Looks for the answer at byte AT of DOCUMENT of index INDEX.
static int look_at(struct asking *q, int index, uint32_t document, uint64_t at, struct err *e)
{
    struct kvz *k = q->k[index];
    struct kvz_document d;
    struct kvz_block b;
    uint64_t block;
    uint32_t token;
    int rc = kvz_document(k, document, &d, e);
    if (rc || (rc = texts_block(k, &d, at, &block, &b, e)) ||
        (rc = block_token_at(k, block, at, &token, e)))
        return rc;
    const int64_t global = q->votes.ballot->base[index] + (int64_t)block;
    if ((rc = focus_at(q, global, token, e)))
        return rc;
    focus_go_on(q, global, GOES_ON);
    put_first(q->votes.ballot, global);
    return 0;
}

int titled_below(struct asking *q, struct err *e)
{
    struct sentence v = {0};
    uint64_t block, at = 0;
    uint32_t token;
    int index, found = 0;
    if (!q->judged.n)
        return 0;
    const int64_t best = q->votes.ballot->order[0];
    ballot_locate(q->votes.ballot, best, &index, &block);
    int rc = focus_of(q, best, &found, &token, e);
    if (rc || !found || (rc = sentence_around(&v, q->k[index], block, &token, e)))
        return rc;
    uint32_t document = v.document;
    const char *own = v.text + v.own;
    struct reference r;
    rc = refers_only(own, strlen(own), &r)
             ? contents_referred(q->k[index], document, own, &r, &at, e)
             : contents_below(q->k[index], &document, v.start, v.end, q->o->question, &at, e);
    sentence_done(&v);
    return rc > 0 ? look_at(q, index, document, at, e) : rc;
}
