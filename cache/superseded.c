#include "cache/superseded.h"

#include <stdlib.h>
#include <string.h>

#include "cache/reader.h"
#include "io/hash.h"
#include "io/mem.h"

enum {
    DOCUMENTS = 1000, // of an index whose names are compared
    LONGEST = 8 << 20 // bytes of a text
};

static int by_number(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static int is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

// The next line of TEXT [n] from byte *AT on that is not blank, without the white space around it,
// in its *BYTES; or, by WORDS, the next word of it, with what is not parted from it. NULL: there is
// none.
static const char *next_piece(const char *text, size_t n, int words, size_t *at, size_t *bytes)
{
    while (*at < n && is_blank(text[*at]))
        ++*at;
    const size_t from = *at;
    while (*at < n && (words ? !is_blank(text[*at]) : text[*at] != '\n'))
        ++*at;
    size_t to = *at;
    while (to > from && (is_blank(text[to - 1]) || (words && strchr(".,;:!?", text[to - 1]))))
        to--;
    *bytes = to - from;
    return from < n ? text + from : NULL;
}

// The digests of the lines or WORDS of TEXT [n], each once and in order, *OUT, which is to be
// freed; *COUNT of them.
static int pieces_of(uint64_t **out, size_t *count, const char *text, size_t n, int words,
                     struct err *e)
{
    size_t most = 1, own = 0, bytes;
    const char *piece;
    for (size_t at = 0; next_piece(text, n, words, &at, &bytes);)
        most++;
    uint64_t *v = mem_new(most, sizeof *v, e);
    if (!v)
        return ERR_NOMEM;
    for (size_t at = 0; (piece = next_piece(text, n, words, &at, &bytes));)
        if (bytes)
            v[own++] = hash64(piece, bytes);
    qsort(v, own, sizeof *v, by_number);
    *count = 0;
    for (size_t i = 0; i < own; i++)
        if (!*count || v[*count - 1] != v[i])
            v[(*count)++] = v[i];
    *out = v;
    return 0;
}

// Whether most of TEXT [n] is lines that begin with a capital and end with a stop, as paragraphs
// do, and entries of a log or a table do not.
static int is_prose(const char *text, size_t n)
{
    size_t prose = 0, all = 0, bytes;
    const char *line;
    for (size_t at = 0; (line = next_piece(text, n, 0, &at, &bytes)); all += bytes)
        if (bytes && *line >= 'A' && *line <= 'Z' && strchr(".!?\"", line[bytes - 1]))
            prose += bytes;
    return 2 * prose > all;
}

// How many pieces of A [n_a] are in B [n_b].
static size_t count_same(const uint64_t *a, size_t n_a, const uint64_t *b, size_t n_b)
{
    size_t same = 0;
    for (size_t i = 0, j = 0; i < n_a && j < n_b;) {
        const uint64_t x = a[i], y = b[j];
        same += x == y;
        i += x <= y;
        j += y <= x;
    }
    return same;
}

int superseded_by(const char *earlier, size_t n_earlier, const char *later, size_t n_later,
                  struct err *e)
{
    if (n_earlier > LONGEST || n_later > LONGEST)
        return 0;
    const int prose = is_prose(earlier, n_earlier) && is_prose(later, n_later);
    int rc = 0, is = 0;
    for (int words = 0; words <= prose && !rc && !is; words++) {
        uint64_t *a = NULL, *b = NULL;
        size_t n_a = 0, n_b = 0;
        if (!(rc = pieces_of(&a, &n_a, earlier, n_earlier, words, e)) &&
            !(rc = pieces_of(&b, &n_b, later, n_later, words, e))) {
            const size_t same = count_same(a, n_a, b, n_b);
            is =
                n_a > 0 && (words ? 10 * same >= 7 * n_a && 10 * same >= 7 * n_b : 2 * same >= n_a);
        }
        free(a);
        free(b);
    }
    return rc ? rc : is;
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

// Sets K->superseded.
static int find(struct kvz *k, struct err *e)
{
    const uint64_t n = kvz_n_documents(k);
    struct named *v = mem_new((size_t)n + 1, sizeof *v, e);
    unsigned char *is = v ? mem_new((size_t)n + 1, 1, e) : NULL;
    int rc = is ? 0 : ERR_NOMEM;
    for (uint64_t i = 0; !rc && i < n; i++) {
        v[i].number = i;
        rc = kvz_document(k, i, &v[i].d, e);
    }
    if (!rc)
        qsort(v, (size_t)n, sizeof *v, by_name);
    for (uint64_t i = 0; rc >= 0 && i + 1 < n; i++)
        if ((rc = is_superseded(k, &v[i], &v[i + 1], e)) > 0)
            is[v[i].number] = 1;
    free(v);
    if (rc < 0)
        free(is);
    else
        k->superseded = is;
    return rc < 0 ? rc : 0;
}

int kvz_is_superseded(struct kvz *k, uint64_t document, struct err *e)
{
    const uint64_t n = kvz_n_documents(k);
    if (n < 2 || n > DOCUMENTS || document >= n)
        return 0;
    const int rc = k->superseded ? 0 : find(k, e);
    return rc ? rc : k->superseded[document];
}
