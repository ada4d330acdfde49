#include "engine/model/prompt.h"

#include <stdlib.h>
#include <string.h>

#include "io/mem.h"

int prompt_ids(struct prompt *p, const uint32_t *ids, int n, struct err *e)
{
    size_t cap = (size_t)p->cap;
    int rc = MEM_GROW(p->ids, cap, (size_t)p->n + (size_t)n, e);
    p->cap = (int)cap;
    if (rc)
        return rc;
    if (n)
        memcpy(p->ids + p->n, ids, (size_t)n * sizeof *ids);
    p->n += n;
    return 0;
}

int prompt_text(struct prompt *p, const struct model *m, const char *text, int flags, struct err *e)
{
    struct tok_list l = {0};
    int rc = tok_encode(m->tok, text, strlen(text), flags, &l, e);
    for (size_t i = 0; !rc && i < l.n; i++)
        rc = prompt_ids(p, &l.v[i].id, 1, e);
    tok_list_free(&l);
    return rc;
}

int prompt_head(struct prompt *p, const struct model *m, const struct chat *chat, struct err *e)
{
    char head[2048] = "";
    if (chat)
        chat_head(chat, m->system, head, sizeof head);
    return prompt_text(p, m, head, TOK_SPECIAL | TOK_START, e);
}

int prompt_question(struct prompt *p, const struct model *m, const struct chat *chat,
                    const char *lead, const char *question, const char *answer_prefix,
                    struct err *e)
{
    char tail[1024] = "";
    if (chat)
        chat_tail(chat, tail, sizeof tail);
    int rc = prompt_text(p, m, CHAT_JOIN, TOK_PLAIN, e);
    if (!rc && lead)
        rc = prompt_text(p, m, lead, TOK_PLAIN, e);
    p->question_from = p->n;
    if (rc || (rc = prompt_text(p, m, question, TOK_PLAIN, e)))
        return rc;
    p->question_to = p->n;
    if ((rc = prompt_text(p, m, tail, TOK_SPECIAL, e)))
        return rc;
    p->answer_from = p->n;
    return answer_prefix ? prompt_text(p, m, answer_prefix, TOK_PLAIN, e) : 0;
}

int prompt_probe(struct prompt *p, const struct model *m, const char *question, int echo,
                 struct err *e)
{
    int rc = prompt_text(p, m, CHAT_JOIN, TOK_PLAIN, e);
    for (int i = 0; !rc && i <= echo; i++) {
        rc = i ? prompt_text(p, m, " ", TOK_PLAIN, e) : 0;
        p->question_from = p->n;
        rc = rc ? rc : prompt_text(p, m, question, TOK_PLAIN, e);
    }
    p->question_to = p->n;
    return rc;
}

void prompt_done(struct prompt *p)
{
    free(p->ids);
    *p = (struct prompt){0};
}
