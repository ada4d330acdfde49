#include "io/archive/level.h"

#include <stdlib.h>
#include <string.h>

#include "io/archive/archive.h"
#include "io/archive/epub.h"
#include "io/mem.h"
#include "io/source/sniff.h"
#include "io/source/source.h"

static int in_order(const void *a, const void *b)
{
    const struct doc_chapter *x = a, *y = b;
    int order =
        x->rank != y->rank ? (x->rank > y->rank) - (x->rank < y->rank) : strcmp(x->name, y->name);
    return order ? order : (x->place > y->place) - (x->place < y->place);
}

static int in_file_order(const void *a, const void *b)
{
    const struct doc_chapter *x = a, *y = b;
    return (x->place > y->place) - (x->place < y->place);
}

// Where a chapter lies before the one that is read before it, the file is read from its beginning
// again. No book has as many members, and as many of these, as would take minutes.
static int takes_too_long(const struct doc_level *l, size_t n_members)
{
    enum { MOST_STEPS = 4000000 };
    size_t again = 0;
    for (size_t i = 1; i < l->n_chapters; i++)
        again += l->chapters[i].place < l->chapters[i - 1].place;
    return again > MOST_STEPS / (n_members + 1);
}

static int is_chapter(enum doc_kind book, const struct doc_member *m)
{
    if (!m->is_file)
        return 0;
    if (book == DOC_DOCX)
        return !strcmp(m->name, "word/document.xml");
    if (book == DOC_ODT)
        return !strcmp(m->name, "content.xml");
    // By the name alone, which is what sniff_document() goes by when there are no bytes.
    return sniff_document((const uint8_t *)"", 0, m->name).kind == DOC_HTML;
}

// Lists the chapters of the book in the order in which they are read.
static int list_chapters(struct doc_level *l, struct err *e)
{
    struct doc_member m;
    size_t place = 0;
    int rc;
    for (; (rc = members_next(l->members, &m, e)) == 1; place++) {
        if (!is_chapter(l->book, &m))
            continue;
        if (MEM_GROW(l->chapters, l->cap_chapters, l->n_chapters + 1, e))
            return ERR_NOMEM;
        char *name = mem_strdup(m.name, e);
        if (!name)
            return ERR_NOMEM;
        l->chapters[l->n_chapters++] = (struct doc_chapter){name, place, 0};
    }
    if (!rc && l->book == DOC_EPUB)
        rc = epub_rank(l->source, l->chapters, l->n_chapters, &l->lacks, e);
    if (l->n_chapters)
        qsort(l->chapters, l->n_chapters, sizeof *l->chapters, in_order);
    if (l->n_chapters && takes_too_long(l, place))
        qsort(l->chapters, l->n_chapters, sizeof *l->chapters, in_file_order);
    l->at_place = place;
    return rc;
}

int level_unpack(struct doc_level *l, enum doc_kind kind, struct err *e)
{
    int rc = members_open(&l->members, l->source, kind, e);
    l->book = sniff_is_book(kind) ? kind : 0;
    l->is_listed = l->book && source_can_seek(l->source);
    return !rc && l->is_listed ? list_chapters(l, e) : rc;
}

// Moves to the next chapter of a book, from the beginning of the file where it lies behind: 1, 0 or
// an error.
static int next_chapter(struct doc_level *l, struct doc_member *m, struct err *e)
{
    if (l->at_chapter == l->n_chapters)
        return 0;
    size_t place = l->chapters[l->at_chapter++].place;
    int rc = 0;
    if (place < l->at_place) {
        members_close(l->members);
        l->members = NULL;
        l->at_place = 0;
        rc = members_open(&l->members, l->source, l->book, e);
    }
    for (; !rc && l->at_place <= place; l->at_place++) {
        rc = members_next(l->members, m, e);
        if (rc == 0)
            rc = err_set(e, ERR_FORMAT, "%s: changed while it was read", l->name);
        rc = rc == 1 ? 0 : rc;
    }
    return rc ? rc : 1;
}

uint64_t level_done(const struct doc_level *l, double part, uint64_t size)
{
    if (l->n_chapters)
        return (uint64_t)((double)size * (double)l->at_chapter / (double)l->n_chapters);
    return part >= 0 ? (uint64_t)((double)size * part) : source_at(l->source);
}

int level_next(struct doc_level *l, struct doc_member *m, struct err *e)
{
    int rc;
    if (l->is_listed)
        return next_chapter(l, m, e);
    while ((rc = members_next(l->members, m, e)) == 1)
        if (l->book ? is_chapter(l->book, m) : m->is_file)
            break;
    return rc;
}

void level_close(struct doc_level *l)
{
    members_close(l->members);
    for (size_t i = 0; i < l->n_chapters; i++)
        free(l->chapters[i].name);
    free(l->chapters);
    free(l->lacks);
    source_close(l->source);
    free(l->name);
    *l = (struct doc_level){0};
}
