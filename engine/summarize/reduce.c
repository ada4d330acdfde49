// Where the summaries of the parts are too long to be read at once, neighbours are put together
// first, as often as need be.
#include "engine/summarize/reduce.h"

#include <stdlib.h>
#include <string.h>

#include "engine/ask/evidence.h"
#include "engine/summarize/say.h"
#include "engine/words/statement.h"
#include "io/mem.h"

enum {
    READ_MOST = 1536, // tokens read at once: a small model reads a short text better
    AT_LEAST = 2      // texts put together, however long
};

// What is said of the sections FIRST .. END.
struct part {
    const char *text; // borrowed
    int first, end;
};

static int count_tokens(const struct summarizing *z, const char *text, int *n, struct err *e)
{
    struct prompt p = {0};
    int rc = prompt_text(&p, z->m, text, TOK_PLAIN, e);
    *n = p.n;
    prompt_done(&p);
    return rc;
}

// The texts of N parts with a blank line between them.
static char *join(const struct part *v, int n, struct err *e)
{
    size_t bytes = 1;
    for (int i = 0; i < n; i++)
        bytes += strlen(v[i].text) + 2;
    char *all = mem_new(bytes, 1, e), *at = all;
    for (int i = 0; all && i < n; i++) {
        size_t len = strlen(v[i].text);
        if (i) {
            memcpy(at, "\n\n", 2);
            at += 2;
        }
        memcpy(at, v[i].text, len);
        at += len;
    }
    return all;
}

// How many of N parts are read together.
static int take(const struct summarizing *z, const struct part *v, int n, int *taken, struct err *e)
{
    int sum = 0, tokens, rc = 0;
    for (*taken = 0; !rc && *taken < n; ++*taken) {
        rc = count_tokens(z, v[*taken].text, &tokens, e);
        sum += tokens;
        if (sum > READ_MOST && *taken >= AT_LEAST)
            break;
    }
    return rc;
}

// The section whose text a sentence shares most words with, and of its passages the one.
static int rest(void *arg, const char *sentence, size_t n, struct summary_statement *t,
                struct evidence *v, struct err *e)
{
    const struct summarizing *z = arg;
    const struct summary *s = z->out;
    const char **texts = mem_new((size_t)s->n_sections, sizeof *texts, e);
    if (!texts)
        return ERR_NOMEM;
    for (int i = 0; i < s->n_sections; i++)
        texts[i] = s->sections[i].said.text;
    t->section = statement_best(sentence, n, texts, s->n_sections);
    free(texts);
    const struct summary_text *of = &s->sections[t->section].said;
    if (!of->n_evidence)
        return 0;
    if (!(texts = mem_new((size_t)of->n_evidence, sizeof *texts, e)))
        return ERR_NOMEM;
    for (int i = 0; i < of->n_evidence; i++)
        texts[i] = of->evidence[i].text;
    const struct evidence *best = &of->evidence[statement_best(sentence, n, texts, of->n_evidence)];
    free(texts);
    int rc = evidence_at(v, z->k, 0, best->block, best->focus_start, best->focus_end, e);
    v->score = best->score;
    if (!rc)
        return 1;
    free(v->text);
    return rc;
}

// N parts become one text, OUT.
static int join_and_say(struct summarizing *z, const struct part *v, int n,
                        struct summary_text *out, struct err *e)
{
    char *all = join(v, n, e);
    if (!all)
        return ERR_NOMEM;
    struct reading r = {.mode = READ_FRESH, .text = all};
    struct say y = {.from = &r,
                    .read = z->quote == QUOTE_STRAYS ? all : NULL,
                    .first = z->ranges[v[0].first].first,
                    .end = z->ranges[v[n - 1].end - 1].end,
                    .words = 2 * z->words,
                    .rest = rest,
                    .arg = z};
    int rc = summary_say(z, &y, out, e);
    free(all);
    return rc;
}

// One round: each run of the *N parts becomes one part; their texts are in SAID [*n].
static int round_of(struct summarizing *z, struct part *v, int *n, struct summary_text *said,
                    struct err *e)
{
    int made = 0, rc = 0;
    for (int from = 0, taken; !rc && from < *n; from += taken) {
        rc = take(z, v + from, *n - from, &taken, e);
        if (rc || (rc = join_and_say(z, v + from, taken, &said[made], e)))
            return rc;
        v[made] = (struct part){said[made].text, v[from].first, v[from + taken - 1].end};
        made++;
    }
    *n = made;
    return rc;
}

static void said_free(struct summary_text *said, int n)
{
    for (int i = 0; said && i < n; i++)
        summary_text_done(&said[i]);
    free(said);
}

// A quotation is of the section that it stands in.
static void find_sections(const struct summarizing *z)
{
    const struct summary *s = z->out;
    for (int i = 0; i < s->whole.n_statements; i++) {
        struct summary_statement *t = &s->whole.statements[i];
        for (int j = 0; t->quoted && j < s->n_sections; j++)
            if (s->whole.evidence[t->evidence].block >= z->ranges[j].first)
                t->section = j;
    }
}

// Round after round, until one text is left, which is the whole's.
static int reduce(struct summarizing *z, struct part *v, struct err *e)
{
    const int most = z->out->n_sections;
    struct summary_text *said = NULL;
    int n = most, rc = 0;
    while (!rc && n > 1) {
        struct summary_text *now = mem_new((size_t)most, sizeof *now, e);
        rc = now ? round_of(z, v, &n, now, e) : ERR_NOMEM;
        said_free(said, most);
        said = now;
    }
    if (!rc) {
        z->out->whole = said[0];
        said[0] = (struct summary_text){0};
    }
    said_free(said, most);
    return rc;
}

int summarize_reduce(struct summarizing *z, struct err *e)
{
    const struct summary *s = z->out;
    struct part *v = mem_new((size_t)s->n_sections, sizeof *v, e);
    if (!v)
        return ERR_NOMEM;
    for (int i = 0; i < s->n_sections; i++)
        v[i] = (struct part){s->sections[i].said.text, i, i + 1};
    int rc = z->quote == QUOTE_ALWAYS ? join_and_say(z, v, s->n_sections, &z->out->whole, e)
                                      : reduce(z, v, e);
    if (!rc)
        find_sections(z);
    free(v);
    return rc;
}
