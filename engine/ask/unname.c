// Names in the question that tell which document is asked, and nothing of what is asked for.
#include <math.h>
#include <stdlib.h>

#include "engine/ask/asking.h"
#include "engine/text/named.h"
#include "io/mem.h"

enum { DOCUMENTS = 1000 };

// All documents' texts, to TEXTS [n], and where their blocks begin, to FIRST, and how many there
// are, to BLOCKS. Returns 1, 0 where an older index does not have the texts, or an error.
static int find_texts(struct asking *q, struct named_text *texts, int64_t *first, int64_t *blocks,
                      struct err *e)
{
    int64_t base = 0;
    for (int i = 0, at = 0; i < q->n_k; base += (int64_t)kvz_n_blocks(q->k[i++]))
        for (uint64_t d = 0; d < kvz_n_documents(q->k[i]); d++, at++) {
            struct kvz_document is;
            uint64_t n;
            int rc = kvz_document(q->k[i], d, &is, e);
            if (rc || (rc = kvz_document_text(q->k[i], d, &texts[at].text, &n, e)))
                return rc;
            if (!texts[at].text)
                return 0;
            texts[at].n = n;
            first[at] = base + (int64_t)is.first_block;
            blocks[at] = (int64_t)is.n_blocks;
        }
    return 1;
}

int unname_question(struct asking *q, struct err *e)
{
    uint64_t n = 0;
    int which = -1;
    for (int i = 0; i < q->n_k; i++)
        n += kvz_n_documents(q->k[i]);
    if (!n || n > DOCUMENTS)
        return 0;
    struct named_text *texts = mem_new(n, sizeof *texts, e);
    int64_t *first = mem_new(n, sizeof *first, e), *blocks = mem_new(n, sizeof *blocks, e);
    int rc = texts && first && blocks ? find_texts(q, texts, first, blocks, e) : ERR_NOMEM;
    if (rc > 0)
        rc = question_unnamed(&q->unnamed, &which, q->o->question, texts, (int)n, e);
    if (q->unnamed && n > 1) {
        q->named.first = first[which];
        q->named.n = blocks[which];
    }
    free(texts);
    free(first);
    free(blocks);
    return rc;
}

int named_first(struct asking *q, struct err *e)
{
    struct ballot *b = q->ballot;
    const int64_t from = q->named.first, to = from + q->named.n;
    int64_t n = 0, others = 0;
    if (!q->named.n)
        return 0;
    int64_t *rest = mem_new((size_t)b->n_blocks, sizeof *rest, e);
    if (!rest)
        return ERR_NOMEM;
    for (int64_t i = 0; i < b->n_blocks; i++) {
        const int64_t global = b->order[i];
        if (global >= from && global < to) {
            b->order[n++] = global;
            continue;
        }
        rest[others++] = global;
        b->score[global] = fmin(b->score[global], 0);
    }
    for (int64_t i = 0; i < others; i++)
        b->order[n + i] = rest[i];
    free(rest);
    return 0;
}
