#include "engine/encode/known.h"

#include <stdlib.h>
#include <string.h>

#include "cache/kvz.h"
#include "io/mem.h"

enum { PIECE = 1 << 16 };

struct document {
    const char *name, *text; // in the map
    size_t bytes;
};

struct known {
    struct kvz *k;
    struct document *v; // [n] in order of names
    size_t n;
};

static int by_name(const void *a, const void *b)
{
    const struct document *x = a, *y = b;
    return strcmp(x->name, y->name);
}

static int list(struct known *w, struct err *e)
{
    const uint64_t n = kvz_n_documents(w->k);
    if (!(w->v = mem_new(n, sizeof *w->v, e)))
        return ERR_NOMEM;
    for (uint64_t i = 0; i < n; i++) {
        struct kvz_document d;
        const char *text;
        uint64_t bytes;
        int rc = kvz_document(w->k, i, &d, e);
        if (rc || (rc = kvz_document_text(w->k, i, &text, &bytes, e)))
            return rc;
        if (text)
            w->v[w->n++] = (struct document){d.name, text, (size_t)bytes};
    }
    qsort(w->v, w->n, sizeof *w->v, by_name);
    return 0;
}

int known_open(struct known **out, const char *path, struct err *e)
{
    struct known *w = mem_new(1, sizeof *w, e);
    int rc = w ? kvz_open(&w->k, path, e) : ERR_NOMEM;
    if (!rc)
        rc = list(w, e);
    if (rc)
        known_free(w);
    else
        *out = w;
    return rc;
}

void known_free(struct known *w)
{
    if (!w)
        return;
    kvz_close(w->k);
    free(w->v);
    free(w);
}

const struct kvz *known_index(const struct known *w)
{
    return w->k;
}

uint64_t known_file_bytes(const struct known *w)
{
    return kvz_file_bytes(w->k);
}

// The next document of that NAME, from *I on, whose text begins with A [n_a] and then B [n_b];
// ALL: and ends there. NULL when there is none.
static const struct document *find(const struct known *w, const char *name, size_t *i,
                                   const char *a, size_t n_a, const char *b, size_t n_b, int all)
{
    for (; *i < w->n && !strcmp(w->v[*i].name, name); ++*i) {
        const struct document *d = &w->v[*i];
        if (d->bytes >= n_a && d->bytes - n_a >= n_b && (!all || d->bytes == n_a + n_b) &&
            (!n_a || !memcmp(d->text, a, n_a)) && (!n_b || !memcmp(d->text + n_a, b, n_b)))
            return d;
    }
    return NULL;
}

static size_t first_of(const struct known *w, const char *name)
{
    size_t from = 0, to = w->n;
    while (from < to) {
        size_t mid = from + (to - from) / 2;
        if (strcmp(w->v[mid].name, name) < 0)
            from = mid + 1;
        else
            to = mid;
    }
    return from;
}

int known_look(const struct known *w, struct known_source *in, const char *name, int *other,
               struct err *e)
{
    const size_t first = first_of(w, name);
    size_t i = first;
    *other = find(w, name, &i, NULL, 0, NULL, 0, 0) != NULL;
    if (!*other)
        return 0;
    if (!in->rest && !(in->rest = mem_new(PIECE, 1, e)))
        return ERR_NOMEM;
    in->same = "";
    for (;;) {
        ssize_t n = doc_read(in->docs, in->rest, PIECE, e);
        if (n < 0)
            return (int)n;
        // Any of that name: those before I began otherwise.
        const struct document *d =
            find(w, name, &i, in->same, in->n_same, in->rest, (size_t)n, n == 0);
        if (d && n == 0)
            return 1;
        if (!d) {
            in->n_rest = (size_t)n;
            in->has_ended = n == 0;
            return 0;
        }
        in->same = d->text;
        in->n_same += (size_t)n;
    }
}

ssize_t known_read(struct known_source *in, void *buf, size_t cap, struct err *e)
{
    size_t *left = in->n_same ? &in->n_same : &in->n_rest;
    if (!*left)
        return in->has_ended ? 0 : doc_read(in->docs, buf, cap, e);
    const char *from = in->n_same ? in->same : in->rest + in->at;
    size_t n = *left < cap ? *left : cap;
    memcpy(buf, from, n);
    *left -= n;
    if (from == in->same)
        in->same += n;
    else
        in->at += n;
    return (ssize_t)n;
}

void known_source_done(struct known_source *in)
{
    free(in->rest);
    in->rest = NULL;
}
