#include "engine/encode/seen.h"

#include <stdlib.h>

#include "io/hash.h"
#include "io/mem.h"

enum { FIRST = 1024 }; // entries of the first table

// Where DIGEST is in the table, or may be put.
static size_t place(const uint64_t *table, size_t size, uint64_t digest)
{
    size_t at = (size_t)digest & (size - 1);
    while (table[at] && table[at] != digest)
        at = (at + 1) & (size - 1);
    return at;
}

// A table that is at most half full.
static int grow(struct seen *s, struct err *e)
{
    const size_t size = s->size ? 2 * s->size : FIRST;
    uint64_t *table = mem_new(size, sizeof *table, e);
    if (!table)
        return ERR_NOMEM;
    for (size_t i = 0; i < s->size; i++)
        if (s->digest[i])
            table[place(table, size, s->digest[i])] = s->digest[i];
    free(s->digest);
    s->digest = table;
    s->size = size;
    return 0;
}

int seen_add(struct seen *s, const char *text, size_t n, struct err *e)
{
    uint64_t digest = hash64(text, n);
    int rc = 2 * s->n >= s->size ? grow(s, e) : 0;
    if (rc)
        return rc;
    digest += !digest;
    const size_t at = place(s->digest, s->size, digest);
    if (s->digest[at])
        return 1;
    s->digest[at] = digest;
    s->n++;
    return 0;
}

void seen_done(struct seen *s)
{
    free(s->digest);
}
