#define _GNU_SOURCE
// An item of a list is said with the heading that turns what it says: "- Import of notes" stands
// below "### Removed".
#include <stdlib.h>
#include <string.h>

#include "engine/passage/sentence.h"
#include "engine/passage/stretch.h"
#include "engine/sentences/turned.h"
#include "engine/words/text_span.h"
#include "io/mem.h"

enum { BLOCKS = 8 }; // how far above an item its heading is looked for

// The byte of V's text where its item of a list begins, below a heading or not; its end: it has
// none.
static size_t item_in(const struct sentence *v)
{
    const char *gap = strstr(v->text, "\n\n");
    if (line_is_item(v->text, strlen(v->text)))
        return 0;
    return gap && line_is_item(gap + 2, strlen(gap + 2)) ? (size_t)(gap + 2 - v->text)
                                                         : strlen(v->text);
}

// Puts the line of TEXT before byte AT of V's, where its item begins, as the last one of the
// headings above that, unless these have it.
static int put_heading(struct sentence *v, const char *text, struct span_of_text line, size_t *at,
                       struct err *e)
{
    const size_t n = span_bytes(line), own = strlen(v->text) + 1, above = *at ? *at - 2 : 0;
    if (memmem(v->text, *at, text + line.from, n))
        return 0;
    char *all = mem_new(own + n + 2, 1, e);
    if (!all)
        return ERR_NOMEM;
    char *end = mempcpy(all, v->text, above);
    if (above)
        *end++ = '\n';
    end = mempcpy(mempcpy(end, text + line.from, n), "\n\n", 2);
    memcpy(end, v->text + *at, own - *at);
    const size_t more = (size_t)(end - all) - *at;
    v->own += v->own ? more : 0;
    v->said += v->said ? more : 0;
    *at += more;
    free(v->text);
    v->text = all;
    return 0;
}

int sentence_turned(struct sentence *v, const struct kvz *k, uint64_t block, struct err *e)
{
    struct stretch a = {0};
    struct span_of_text head, version;
    struct lines c;
    size_t at = item_in(v);
    if (!v->text[at])
        return 0;
    int rc = sentence_text_above(&a, k, block, BLOCKS, e);
    if (!rc && v->start >= a.start && v->start - a.start < a.n) {
        lines_of_text(&c, a.text, a.n);
        if (turned_above(&c, (size_t)(v->start - a.start), &head.from, &head.to)) {
            if (turned_version(&c, head.from, &version.from, &version.to))
                rc = put_heading(v, a.text, version, &at, e);
            rc = rc ? rc : put_heading(v, a.text, head, &at, e);
            v->turned = 1;
        }
    }
    stretch_done(&a);
    return rc;
}
