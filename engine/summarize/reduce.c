// Where the summaries of the parts are too long to be read at once, neighbours are put together first, as often as need
// be.
#include "engine/ask/evidence.h"
#include "engine/summarize/reduce.h"

#include <stdlib.h>
#include <string.h>

#include "engine/text/statement.h"
#include "io/mem.h"

enum {
    READ_MOST = 1536, // tokens read at once: a small model reads a short text better
    AT_LEAST = 2      // texts put together, however long
};

struct texts {
    char **v; // [n]
    int n;
};

static void texts_done(struct texts *t)
{
    for (int i = 0; t->v && i < t->n; i++)
        free(t->v[i]);
    free(t->v);
    *t = (struct texts){0};
}

static int count_tokens(const struct summarizing *z, const char *text, int *n, struct err *e)
{
    struct prompt p = {0};
    int rc = prompt_text(&p, z->m, text, TOK_PLAIN, e);
    *n = p.n;
    prompt_done(&p);
    return rc;
}

// Texts FROM .. TO with a blank line between them.
static char *join(const struct texts *t, int from, int to, struct err *e)
{
    size_t bytes = 1;
    for (int i = from; i < to; i++)
        bytes += strlen(t->v[i]) + 2;
    char *all = mem_new(bytes, 1, e), *at = all;
    for (int i = from; all && i < to; i++) {
        size_t n = strlen(t->v[i]);
        if (i > from) {
            memcpy(at, "\n\n", 2);
            at += 2;
        }
        memcpy(at, t->v[i], n);
        at += n;
    }
    return all;
}

// How many of the texts from FROM on are read together.
static int take(const struct summarizing *z, const struct texts *t, int from, int *to,
                struct err *e)
{
    int sum = 0, n, rc = 0;
    for (*to = from; !rc && *to < t->n; ++*to) {
        rc = count_tokens(z, t->v[*to], &n, e);
        sum += n;
        if (sum > READ_MOST && *to - from >= AT_LEAST)
            break;
    }
    return rc;
}

// One round: each run of texts becomes one text.
static int round_of(struct summarizing *z, const struct texts *in, struct texts *out, struct err *e)
{
    if (!(out->v = mem_new((size_t)in->n, sizeof *out->v, e)))
        return ERR_NOMEM;
    for (int from = 0, to; from < in->n; from = to) {
        int rc = take(z, in, from, &to, e);
        if (rc)
            return rc;
        char *all = join(in, from, to, e);
        if (!all)
            return ERR_NOMEM;
        struct reading r = {.mode = READ_FRESH, .text = all};
        rc = summarize_write(z, &r, 2 * z->words, &out->v[out->n], e);
        free(all);
        if (rc)
            return rc;
        out->n++;
    }
    return 0;
}

// The passage of section I that the sentence shares most words with.
static int cite(const struct summarizing *z, struct summary_statement *s, struct err *e)
{
    const struct summary_section *of = &z->out->sections[s->section];
    const char **texts = mem_new((size_t)of->n_evidence, sizeof *texts, e);
    if (!texts || !(s->evidence = mem_new(1, sizeof *s->evidence, e))) {
        free(texts);
        return ERR_NOMEM;
    }
    for (int i = 0; i < of->n_evidence; i++)
        texts[i] = of->evidence[i].text;
    int best = statement_best(z->out->text + s->start, s->end - s->start, texts, of->n_evidence);
    const struct evidence *v = &of->evidence[best];
    free(texts);
    int rc = of->n_evidence ? evidence_of(s->evidence, z->k, 0, v->block, v->score, e) : 0;
    s->n_evidence = !rc && of->n_evidence;
    s->evidence->was_read = 1;
    return rc;
}

static int add_statements(struct summarizing *z, const struct texts *sections, struct err *e)
{
    struct summary *s = z->out;
    size_t from = 0, start, end, most = 0;
    while ((end = statement_next(s->text, from, &start))) {
        from = end;
        most++;
    }
    if (!(s->statements = mem_new(most, sizeof *s->statements, e)))
        return ERR_NOMEM;
    for (from = 0; (end = statement_next(s->text, from, &start)); from = end) {
        struct summary_statement *t = &s->statements[s->n_statements++];
        t->start = start;
        t->end = end;
        t->section = statement_best(s->text + start, end - start, (const char *const *)sections->v,
                                    sections->n);
        int rc = cite(z, t, e);
        if (rc)
            return rc;
    }
    return 0;
}

int summarize_reduce(struct summarizing *z, struct err *e)
{
    struct summary *s = z->out;
    struct texts in = {mem_new((size_t)s->n_sections, sizeof *in.v, e), 0};
    int rc = in.v ? 0 : ERR_NOMEM;
    for (; !rc && in.n < s->n_sections; in.n++)
        if (!(in.v[in.n] = mem_strdup(s->sections[in.n].text, e)))
            rc = ERR_NOMEM;
    while (!rc && in.n > 1) {
        struct texts out = {0};
        rc = round_of(z, &in, &out, e);
        texts_done(&in);
        in = out;
    }
    if (!rc) {
        s->text = in.v[0];
        in.v[0] = NULL;
        struct texts sections = {mem_new((size_t)s->n_sections, sizeof(char *), e), s->n_sections};
        rc = sections.v ? 0 : ERR_NOMEM;
        for (int i = 0; !rc && i < s->n_sections; i++)
            sections.v[i] = s->sections[i].text;
        rc = rc ? rc : add_statements(z, &sections, e);
        free(sections.v);
    }
    texts_done(&in);
    return rc;
}
