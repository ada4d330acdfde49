// Names in the question that tell which document is asked, and nothing of what is asked for; and
// the name of who tells it.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/ask/asking.h"
#include "engine/ask/target.h"
#include "engine/question/named.h"
#include "engine/question/narrator.h"
#include "io/mem.h"

enum { DOCUMENTS = 1000 };

// All documents' texts, to TEXTS [n]. Returns 1, 0 where an older index does not have them, or an
// error.
static int find_texts(const struct asking *q, struct named_text *texts, struct err *e)
{
    for (int i = 0; i < q->n_k; i++)
        for (uint64_t d = 0; d < kvz_n_documents(q->k[i]); d++, texts++) {
            uint64_t n;
            int rc = kvz_document_text(q->k[i], d, &texts->text, &n, e);
            if (rc || !texts->text)
                return rc;
            texts->n = n;
        }
    return 1;
}

// Sets q->target to the document of all indexes whose number is WHICH.
static int set_named(struct asking *q, uint64_t which, struct err *e)
{
    struct kvz_document d;
    int64_t base = 0;
    int i = 0;
    for (; which >= kvz_n_documents(q->k[i]); base += (int64_t)kvz_n_blocks(q->k[i++]))
        which -= kvz_n_documents(q->k[i]);
    int rc = kvz_document(q->k[i], which, &d, e);
    if (rc)
        return rc;
    q->target.first = base + (int64_t)d.first_block;
    q->target.n = (int64_t)d.n_blocks;
    return 0;
}

// Finds the question as it is written anew for one of TEXTS [n], *WHICH.
static int put_anew(struct asking *q, const struct named_text *texts, int n, int *which,
                    struct err *e)
{
    char **out = &q->target.unnamed;
    const char *question = q->o->question;
    int rc = narrator_asked(out, which, question, texts, n, e);
    if (!rc && !*out)
        rc = narrator_spoken(out, &q->target.speaker, which, question, texts, n, e);
    if (!rc && !(q->target.is_told = *out != NULL))
        rc = named_left_out(out, which, question, texts, n, e);
    return rc;
}

int target_find(struct asking *q, struct err *e)
{
    uint64_t n = 0;
    int which = -1;
    for (int i = 0; i < q->n_k; i++)
        n += kvz_n_documents(q->k[i]);
    if (!n || n > DOCUMENTS)
        return 0;
    struct named_text *texts = mem_new(n, sizeof *texts, e);
    int rc = texts ? find_texts(q, texts, e) : ERR_NOMEM;
    rc = rc > 0 ? put_anew(q, texts, (int)n, &which, e) : rc;
    free(texts);
    return !rc && q->target.unnamed && n > 1 ? set_named(q, (uint64_t)which, e) : rc;
}

int target_first(struct asking *q, struct err *e)
{
    struct ballot *b = q->votes.ballot;
    if (!q->target.n)
        return 0;
    unsigned char *is = mem_new((size_t)b->n_blocks, 1, e);
    if (!is)
        return ERR_NOMEM;
    memset(is, 1, (size_t)b->n_blocks);
    memset(is + q->target.first, 0, (size_t)q->target.n);
    const int64_t n = ballot_put_last(b, is, e);
    free(is);
    for (int64_t i = n; n >= 0 && i < b->n_blocks; i++)
        b->score[b->order[i]] = fmin(b->score[b->order[i]], 0);
    return n < 0 ? (int)n : 0;
}
