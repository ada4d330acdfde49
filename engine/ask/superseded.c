#include "engine/ask/superseded.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/text/chars.h"
#include "io/hash.h"
#include "io/mem.h"

enum {
    DOCUMENTS = 1000,  // of an index whose names are compared
    LONGEST = 8 << 20, // bytes of a text
    FAR = 4            // standard deviations that such blocks' scores are below all others
};

static int by_number(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

// The digests of the lines of TEXT [n], each once and in order, *OUT, which is to be freed; *COUNT
// of them.
static int lines_of(uint64_t **out, size_t *count, const char *text, size_t n, struct err *e)
{
    size_t most = 1, own = 0;
    for (size_t i = 0; i < n; i++)
        most += text[i] == '\n';
    uint64_t *v = mem_new(most, sizeof *v, e);
    if (!v)
        return ERR_NOMEM;
    for (size_t from = 0, to; from < n; from = to + 1) {
        const char *end = memchr(text + from, '\n', n - from);
        size_t last = to = end ? (size_t)(end - text) : n;
        while (from < last && is_space(text[from]))
            from++;
        while (last > from && is_space(text[last - 1]))
            last--;
        if (last > from)
            v[own++] = hash64(text + from, last - from);
    }
    qsort(v, own, sizeof *v, by_number);
    *count = 0;
    for (size_t i = 0; i < own; i++)
        if (!*count || v[*count - 1] != v[i])
            v[(*count)++] = v[i];
    *out = v;
    return 0;
}

int superseded_by(const char *earlier, size_t n_earlier, const char *later, size_t n_later,
                  struct err *e)
{
    uint64_t *a = NULL, *b = NULL;
    size_t n_a = 0, n_b = 0, same = 0;
    if (n_earlier > LONGEST || n_later > LONGEST)
        return 0;
    int rc = lines_of(&a, &n_a, earlier, n_earlier, e);
    if (!rc)
        rc = lines_of(&b, &n_b, later, n_later, e);
    for (size_t i = 0, j = 0; i < n_a && j < n_b;) {
        const uint64_t x = a[i], y = b[j];
        same += x == y;
        i += x <= y;
        j += y <= x;
    }
    free(a);
    free(b);
    return rc ? rc : n_a > 0 && 2 * same >= n_a;
}

struct named {
    struct kvz_document d;
    uint64_t number;
};

static int by_name(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    const int rc = strcmp(x->d.name, y->d.name);
    return rc ? rc : x->number < y->number ? -1 : x->number > y->number;
}

// Whether X of K was read again as Y: 1, 0, or an error.
static int is_superseded(struct kvz *k, const struct named *x, const struct named *y, struct err *e)
{
    const char *earlier, *later;
    uint64_t n_earlier, n_later;
    int rc = strcmp(x->d.name, y->d.name) ? 0 : 1;
    if (!rc || (rc = kvz_document_text(k, x->number, &earlier, &n_earlier, e)) ||
        (rc = kvz_document_text(k, y->number, &later, &n_later, e)) || !earlier || !later)
        return rc;
    return superseded_by(earlier, (size_t)n_earlier, later, (size_t)n_later, e);
}

// Marks in IS [blocks of K] those of such documents; returns how many blocks these have, or an
// error.
static int64_t mark(unsigned char *is, struct kvz *k, struct err *e)
{
    const uint64_t n = kvz_n_documents(k);
    if (n < 2 || n > DOCUMENTS)
        return 0;
    struct named *v = mem_new((size_t)n, sizeof *v, e);
    int64_t blocks = 0;
    int rc = v ? 0 : ERR_NOMEM;
    for (uint64_t i = 0; !rc && i < n; i++) {
        v[i].number = i;
        rc = kvz_document(k, i, &v[i].d, e);
    }
    if (!rc)
        qsort(v, (size_t)n, sizeof *v, by_name);
    for (uint64_t i = 0; rc >= 0 && i + 1 < n; i++)
        if ((rc = is_superseded(k, &v[i], &v[i + 1], e)) > 0) {
            memset(is + v[i].d.first_block, 1, (size_t)v[i].d.n_blocks);
            blocks += (int64_t)v[i].d.n_blocks;
        }
    free(v);
    return rc < 0 ? rc : blocks;
}

// Puts the blocks that IS marks behind all others.
static int put_last(struct ballot *b, const unsigned char *is, struct err *e)
{
    int64_t n = 0, others = 0;
    double least = 0;
    int64_t *last = mem_new((size_t)b->n_blocks, sizeof *last, e);
    if (!last)
        return ERR_NOMEM;
    for (int64_t i = 0; i < b->n_blocks; i++)
        least = is[b->order[i]] ? least : fmin(least, b->score[b->order[i]]);
    for (int64_t i = 0; i < b->n_blocks; i++) {
        const int64_t global = b->order[i];
        if (!is[global]) {
            b->order[n++] = global;
            continue;
        }
        b->score[global] = fmin(b->score[global], least) - FAR;
        last[others++] = global;
    }
    memcpy(b->order + n, last, (size_t)others * sizeof *last);
    free(last);
    return 0;
}

int superseded_last(struct ballot *b, struct err *e)
{
    int rc = 0, several = 0;
    for (int i = 0; i < b->n_indexes; i++)
        several |= kvz_n_documents(b->indexes[i]) > 1;
    if (!several || !b->n_blocks)
        return 0;
    unsigned char *is = mem_new((size_t)b->n_blocks, 1, e);
    int64_t blocks = 0;
    if (!is)
        return ERR_NOMEM;
    for (int i = 0; i < b->n_indexes && !rc; i++) {
        const int64_t n = mark(is + b->base[i], b->indexes[i], e);
        rc = n < 0 ? (int)n : 0;
        blocks += n;
    }
    if (!rc && blocks && blocks < b->n_blocks)
        rc = put_last(b, is, e);
    free(is);
    return rc;
}
