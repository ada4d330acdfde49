// Finds a document in an index by its digest.
#include <stdlib.h>
#include <string.h>

#include "cache/reader.h"
#include "io/mem.h"

static int by_digest(const void *a, const void *b)
{
    const struct digest_at *x = a, *y = b;
    return (x->digest > y->digest) - (x->digest < y->digest);
}

// Makes the table by which documents are found, once.
static int make_table(struct kvz *k, struct err *e)
{
    const uint64_t n = kvz_n_documents(k);
    struct kvz_document d;
    if (k->by_digest || !n)
        return 0;
    struct digest_at *table = mem_new(n, sizeof *table, e);
    if (!table)
        return ERR_NOMEM;
    for (uint64_t i = 0; i < n; i++) {
        const int rc = kvz_document(k, i, &d, e);
        if (rc) {
            free(table);
            return rc;
        }
        table[i] = (struct digest_at){d.digest, i};
    }
    qsort(table, n, sizeof *table, by_digest);
    k->by_digest = table;
    return 0;
}

int kvz_has_document(struct kvz *k, const struct kvz_document *d, struct err *e)
{
    const uint64_t n = kvz_n_documents(k);
    uint64_t low = 0, high = n;
    struct kvz_document own;
    int rc = make_table(k, e);
    while (!rc && low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (k->by_digest[middle].digest < d->digest)
            low = middle + 1;
        else
            high = middle;
    }
    for (; !rc && low < n && k->by_digest[low].digest == d->digest; low++)
        if (!(rc = kvz_document(k, k->by_digest[low].document, &own, e)))
            rc = own.bytes == d->bytes && !strcmp(own.name, d->name);
    return rc;
}
