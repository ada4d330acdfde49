#include "engine/calibrate/haystack_page.h"

#include <stdlib.h>
#include <string.h>

#include "engine/model/prompt.h"
#include "io/mem.h"

void page_done(struct page *p)
{
    haystack_done(&p->h);
    free(p->ids);
    free(p->at);
    *p = (struct page){0};
}

static int page_tokens(struct page *p, const struct model *m, struct err *e)
{
    struct prompt head = {0};
    struct tok_list l = {0};
    int rc = prompt_head(&head, m, m->chat, e);
    if (!rc)
        rc = tok_encode(m->tok, p->h.text, p->h.bytes, TOK_PLAIN, &l, e);
    size_t n = (size_t)head.n + l.n, at = 0;
    if (!rc &&
        (!(p->ids = mem_new(n, sizeof *p->ids, e)) || !(p->at = mem_new(n, sizeof *p->at, e))))
        rc = ERR_NOMEM;
    if (!rc) {
        p->n = (int)n;
        p->head = head.n;
        if (head.n)
            memcpy(p->ids, head.ids, (size_t)head.n * sizeof *p->ids);
        for (size_t i = 0; i < l.n; at += l.v[i++].bytes) {
            p->ids[(size_t)head.n + i] = l.v[i].id;
            p->at[(size_t)head.n + i] = at;
        }
    }
    tok_list_free(&l);
    prompt_done(&head);
    return rc;
}

int page_make(struct page *p, const struct model *m, const struct haystack_options *o,
              struct err *e)
{
    *p = (struct page){0};
    int rc = haystack_make(&p->h, o, e);
    if (!rc)
        rc = page_tokens(p, m, e);
    if (rc)
        page_done(p);
    return rc;
}

int page_token(const struct page *p, size_t byte)
{
    int i = p->head;
    while (i + 1 < p->n && p->at[i + 1] <= byte)
        i++;
    return i;
}

int page_value(const struct page *p, const struct needle *v, const uint32_t **value)
{
    int from = page_token(p, v->value);
    from += p->at[from] < v->value; // it begins within a token
    *value = p->ids + from;
    return page_token(p, v->to) - from;
}
