#include "engine/passage/stretch.h"

#include <stdlib.h>
#include <string.h>

#include "engine/words/chars.h"
#include "io/mem.h"

// Block I, of which nothing is left where it is another document's.
static int own_block(struct kvz_block *b, const struct kvz *k, uint64_t document, uint64_t i,
                     struct err *e)
{
    int rc = kvz_block(k, i, b, e);
    if (!rc && b->document != document)
        b->end = b->start;
    return rc;
}

int stretch_new(struct stretch *s, const struct kvz *k, uint64_t document, uint64_t first,
                uint64_t end, size_t *at, struct err *e)
{
    struct kvz_block b;
    size_t bytes = 0, n = 0;
    int rc = 0;
    *s = (struct stretch){0};
    for (uint64_t i = first; !rc && i < end; i++) {
        if ((rc = own_block(&b, k, document, i, e)))
            break;
        if (!bytes && b.document == document)
            s->start = b.start;
        bytes += (size_t)(b.end - b.start);
    }
    if (!rc && !(s->text = mem_new(bytes + 1, 1, e)))
        rc = ERR_NOMEM;
    for (uint64_t i = first; !rc && i < end; i++) {
        if ((rc = own_block(&b, k, document, i, e)))
            break;
        if (at)
            at[i - first] = n;
        if (b.end > b.start)
            rc = kvz_read_text(k, i, s->text + n, e);
        n += (size_t)(b.end - b.start);
    }
    if (!rc)
        blank_nuls(s->text, n);
    if (at)
        at[end - first] = n;
    s->n = n;
    return rc;
}

void stretch_cut(struct stretch *s, size_t from, size_t to)
{
    s->n = to - from;
    s->start += from;
    memmove(s->text, s->text + from, s->n);
    s->text[s->n] = 0;
}

void stretch_done(struct stretch *s)
{
    free(s->text);
    *s = (struct stretch){0};
}
