#define _GNU_SOURCE
#include "engine/lookup/texts.h"

#include <string.h>

#include "engine/lines/lines.h"
#include "engine/sentences/cut.h"
#include "engine/words/letter.h"
#include "engine/words/names.h"

enum { AROUND = 1024 }; // bytes before and after a place within which its sentence is looked for

void texts_begin(struct texts *t, struct kvz *const *k, int n_k)
{
    *t = (struct texts){.k = k, .n_k = n_k};
}

// Whether an index before that of T's document D has the same one: 1, 0, or an error.
static int is_repeated(const struct texts *t, struct err *e)
{
    int rc = 0;
    for (int i = 0; !rc && i < t->index; i++)
        rc = kvz_has_document(t->k[i], &t->d, e);
    return rc;
}

// T's next document, whether it was there before or not.
static int next_of_all(struct texts *t, struct err *e)
{
    while (t->index < t->n_k && t->next == kvz_n_documents(t->k[t->index])) {
        t->index++;
        t->next = 0;
    }
    if (t->index == t->n_k)
        return 0;
    const int rc = kvz_document(t->k[t->index], t->next, &t->d, e);
    t->next++;
    return rc ? rc : 1;
}

int texts_next(struct texts *t, struct err *e)
{
    uint64_t bytes;
    int rc;
    do
        if ((rc = next_of_all(t, e)) <= 0)
            return rc;
    while ((rc = is_repeated(t, e)) > 0 ||
           (!rc && (rc = kvz_is_superseded(t->k[t->index], t->next - 1, e)) > 0));
    struct kvz *k = t->k[t->index];
    if (rc || (rc = kvz_document_text(k, t->next - 1, &t->text, &bytes, e)))
        return rc;
    if (!t->text)
        return err_set(e, ERR_FORMAT, "%s: section TEXT is too short", kvz_path(k));
    t->n = (size_t)bytes;
    return 1;
}

int texts_are_there(struct kvz *const *k, int n_k, struct err *e)
{
    for (int i = 0; i < n_k; i++) {
        const char *all;
        uint64_t bytes;
        int rc = kvz_text(k[i], &all, &bytes, e);
        if (rc || !all)
            return rc;
    }
    return 1;
}

int texts_block(const struct kvz *k, const struct kvz_document *d, uint64_t at, uint64_t *block,
                struct kvz_block *b, struct err *e)
{
    uint64_t low = d->first_block, high = d->first_block + d->n_blocks;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        int rc = kvz_block(k, middle, b, e);
        if (rc)
            return rc;
        if (b->start <= at)
            low = middle;
        else
            high = middle;
    }
    *block = low;
    return kvz_block(k, low, b, e);
}

// The first place of NAME, as it is written, in T's document from byte AT on; n: there is none.
static size_t find_name(const struct texts *t, const char *name, size_t at)
{
    const size_t len = strlen(name);
    for (const char *p; at < t->n && (p = memmem(t->text + at, t->n - at, name, len)); at++) {
        size_t first = at = (size_t)(p - t->text), bytes;
        const size_t behind = t->n - at - len < LETTER_BYTES ? t->n : at + len + LETTER_BYTES;
        if (name_next(name, t->text, behind, &first, &bytes) && first == at &&
            name_is_whole(t->text, t->n, at, len))
            return at;
    }
    return t->n;
}

int texts_find(struct texts *t, const char *name, size_t *at, struct err *e)
{
    for (;;) {
        if (t->text && (*at = find_name(t, name, *at)) < t->n)
            return 1;
        int rc = texts_next(t, e);
        if (rc <= 0)
            return rc;
        *at = 0;
    }
}

struct span_of_text texts_line(const char *text, size_t n, size_t at)
{
    const struct lines c = {.text = text, .n = n};
    return line_at(&c, at);
}

struct span_of_text texts_sentence(const char *text, size_t n, size_t at)
{
    struct span_of_text s;
    struct lines c;
    size_t first = at > AROUND ? at - AROUND : 0, last = n - at > AROUND ? at + AROUND : n;
    lines_of_text(&c, text + first, last - first);
    cut_sentence(&c, at - first, &s.from, &s.to);
    s.from += first;
    s.to += first;
    return s;
}
