#include "engine/ask/judge.h"

#include <stdlib.h>

#include "io/mem.h"

enum {
    QUESTION = 64, // tokens: of a longer question the first ones count
    TEXT = 128,    // of a longer text likewise
    PASS =
        1024, // of the texts that run at once: a pass of few rows costs several times as much a row
};

int judge_new(struct judge *j, const struct model *m, const struct chat *chat,
              const uint32_t *question, int n_question, const char *before, int texts,
              struct err *e)
{
    *j = (struct judge){
        .m = m, .question = question, .n_q = n_question < QUESTION ? n_question : QUESTION};
    int rc = prompt_head(&j->p, m, chat, e);
    if (!rc && before)
        rc = prompt_text(&j->p, m, before, TOK_PLAIN, e);
    if (rc)
        return rc;
    j->most = j->p.n + PASS;
    size_t most = (size_t)j->most;
    if (!(j->groups = mem_new(most + 1, sizeof *j->groups, e)) ||
        !(j->rows = mem_new(most, sizeof *j->rows, e)) ||
        !(j->targets = mem_new(most, sizeof *j->targets, e)) ||
        !(j->log_probs = mem_new(most, sizeof *j->log_probs, e)) ||
        !(j->likelihood = mem_new((size_t)texts, sizeof *j->likelihood, e)) ||
        !(j->tokens = mem_new((size_t)texts * QUESTION, sizeof *j->tokens, e)))
        return ERR_NOMEM;
    j->groups[0] = j->p.n;
    struct stream_options o = {.window = j->p.n, .chunk = j->most, .room = j->p.n};
    return stream_new(&j->s, m, &o, e);
}

void judge_done(struct judge *j)
{
    prompt_done(&j->p);
    prompt_done(&j->one);
    free(j->groups);
    free(j->rows);
    free(j->targets);
    free(j->log_probs);
    free(j->likelihood);
    free(j->tokens);
    stream_free(j->s);
    *j = (struct judge){0};
}

int judge_end(struct judge *j, struct err *e)
{
    int n = j->p.n, dropped = n - j->groups[0];
    if (!j->n_groups)
        return 0;
    int rc = forward(j->s,
                     &(struct forward){.tokens = j->p.ids,
                                       .n = n,
                                       .log_probs = j->log_probs,
                                       .targets = j->targets,
                                       .n_logits = j->n_groups * j->n_q,
                                       .rows = j->rows,
                                       .groups = j->groups,
                                       .n_groups = j->n_groups},
                     e);
    stream_rewind(j->s, dropped);
    const int first = j->n - j->n_groups;
    double *own = j->likelihood + first, *tokens = j->tokens + (size_t)first * (size_t)j->n_q;
    for (int i = 0; i < j->n_groups * j->n_q; i++) {
        own[i / j->n_q] += j->log_probs[i] / j->n_q;
        tokens[i] = j->log_probs[i];
    }
    j->p.n = j->n_groups = j->groups[0] = 0;
    return rc;
}

// The text, an empty line, the question.
static int judge_prompt(struct judge *j, const char *text, struct err *e)
{
    struct prompt *p = &j->one;
    p->n = 0;
    int rc = prompt_text(p, j->m, text, TOK_PLAIN, e);
    p->n = p->n < TEXT ? p->n : TEXT;
    if (!rc)
        rc = prompt_text(p, j->m, "\n\n", TOK_PLAIN, e);
    return rc ? rc : prompt_ids(p, j->question, j->n_q, e);
}

int judge_text(struct judge *j, const char *text, struct err *e)
{
    int rc = judge_prompt(j, text, e);
    if (!rc && j->p.n + j->one.n > j->most)
        rc = judge_end(j, e);
    if (rc || (rc = prompt_ids(&j->p, j->one.ids, j->one.n - 1,
                               e))) // the last token predicts nothing that counts
        return rc;
    for (int i = 0; i < j->n_q; i++) {
        j->rows[j->n_groups * j->n_q + i] = j->p.n - j->n_q + i;
        j->targets[j->n_groups * j->n_q + i] = j->question[i];
    }
    j->groups[++j->n_groups] = j->p.n;
    j->n++;
    return 0;
}
