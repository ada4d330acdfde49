#include "engine/summarize/say.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/answer/quote.h"
#include "engine/summarize/kinds.h"
#include "engine/summarize/points.h"
#include "engine/words/chars.h"
#include "io/mem.h"

enum { NO_REPEAT = 5 }; // a small model left to itself says the same sentence over again

// A small model that is not told how a summary begins goes on with the text, its headings first.
static const char BEGIN[] = "The text is about";

struct saying {
    struct summarizing *z;
    const struct say *y;
    struct summary_text *out;
    size_t bytes, cap;          // of out->text
    size_t most, most_passages; // room in its statements and in its evidence
    int rc;                     // of what was said while the model was writing
    struct err *e;
};

void summary_text_done(struct summary_text *t)
{
    for (int i = 0; i < t->n_evidence; i++)
        free(t->evidence[i].text);
    for (int i = 0; i < t->n_statements; i++)
        free(t->statements[i].heading);
    free(t->evidence);
    free(t->statements);
    free(t->text);
    *t = (struct summary_text){0};
}

static int append(struct saying *s, const char *text, size_t n)
{
    int rc = MEM_GROW(s->out->text, s->cap, s->bytes + n + 1, s->e);
    if (rc)
        return rc;
    memcpy(s->out->text + s->bytes, text, n);
    s->out->text[s->bytes += n] = 0;
    return 0;
}

// The number of passage V among those of the text, which own it from now on.
static int passage(struct saying *s, struct evidence *v, int *number)
{
    struct summary_text *t = s->out;
    for (*number = 0; *number < t->n_evidence; ++*number) {
        const struct evidence *o = &t->evidence[*number];
        if (o->block == v->block && o->focus_start == v->focus_start) {
            free(v->text);
            return 0;
        }
    }
    int rc = MEM_GROW(t->evidence, s->most_passages, (size_t)t->n_evidence + 1, s->e);
    if (rc) {
        free(v->text);
        return rc;
    }
    v->was_read = 1;
    t->evidence[t->n_evidence++] = *v;
    return 0;
}

// The statement T, whose text has been appended, rests on V, unless FOUND is 0. It owns its
// heading.
static int add_statement(struct saying *s, struct summary_statement t, int found,
                         struct evidence *v)
{
    struct summary_text *o = s->out;
    t.evidence = -1;
    int rc = found ? passage(s, v, &t.evidence) : 0;
    rc = rc ? rc : MEM_GROW(o->statements, s->most, (size_t)o->n_statements + 1, s->e);
    if (rc) {
        free(t.heading);
        return rc;
    }
    o->statements[o->n_statements++] = t;
    if (s->y->told && s->z->o->statement)
        s->z->o->statement(s->z->o->arg, o, o->n_statements - 1);
    return 0;
}

// A sentence of the model's.
static int written(struct saying *s, const char *text, size_t n)
{
    while (n && (*text == ' ' || *text == '\n')) {
        text++;
        n--;
    }
    if (!n)
        return 0;
    struct evidence v;
    int rc = s->bytes ? append(s, " ", 1) : 0;
    struct summary_statement t = {.start = s->bytes};
    rc = rc ? rc : append(s, text, n);
    t.end = s->bytes;
    int found = rc ? 0 : s->y->rest(s->y->arg, text, n, &t, &v, s->e);
    if (rc || found < 0)
        return rc ? rc : found;
    return add_statement(s, t, found, &v);
}

static void on_written(void *arg, const char *text, size_t n)
{
    struct saying *s = arg;
    if (!s->rc)
        s->rc = written(s, text, n);
}

// A sentence of the document's, on a line of its own, white space folded.
static int quoted(struct saying *s, const struct point *p)
{
    const char *opens = quote_opens(p->v.text), *closes = quote_closes(p->v.text);
    int rc = s->bytes ? append(s, "\n", 1) : 0, gap = 0;
    struct summary_statement t = {.start = s->bytes, .quoted = 1, .times = p->times};
    rc = rc ? rc : append(s, opens, strlen(opens));
    const size_t words = s->bytes;
    for (const char *c = p->v.text; !rc && *c; c++) {
        int blank = is_space(*c);
        if (!blank && gap && s->bytes > words)
            rc = append(s, " ", 1);
        if (!rc && !blank)
            rc = append(s, c, 1);
        gap = blank;
    }
    rc = rc ? rc : append(s, closes, strlen(closes));
    t.end = s->bytes;
    struct evidence v;
    if (!rc && p->heading && *p->heading && !(t.heading = mem_strdup(p->heading, s->e)))
        rc = ERR_NOMEM;
    rc = rc ? rc : point_evidence(&v, p, s->z->k, s->e);
    if (!rc)
        return add_statement(s, t, 1, &v);
    free(t.heading);
    return rc;
}

static int quote_points(struct saying *s, struct err *e)
{
    struct points p;
    const int words = s->y->words - points_words(s->out->text, s->bytes);
    if (words < 1)
        return 0;
    int rc = points_of_kinds(&p, s->z->k, s->y->first, s->y->end, words, e);
    if (!rc)
        rc = points_new(&p, s->z->k, s->y->first, s->y->end, words, 1, e);
    rc = rc < 0 ? rc : 0;
    for (int i = 0; !rc && i < p.n; i++)
        rc = quoted(s, &p.v[i]);
    points_done(&p);
    return rc;
}

static int write_own(struct saying *s, struct err *e)
{
    struct summarizing *z = s->z;
    struct reading *r = s->y->from;
    struct prompt p = {0};
    char ask[256];
    snprintf(ask, sizeof ask,
             "Summarize the text above in your own words, in at most %d words. Say what it is "
             "about and its main points.",
             s->y->words);
    r->m = z->m;
    r->chat = z->chat;
    r->home = z->k;
    r->question = &p;
    r->w = (struct writing){.max_tokens = s->y->words * 2,
                            .words = s->y->words,
                            .no_repeat = NO_REPEAT,
                            .grounds = s->y->read,
                            .draft.most = z->o->draft,
                            .stop = z->o->stop,
                            .text = on_written,
                            .arg = s};
    int rc = prompt_question(&p, z->m, z->chat, NULL, ask, BEGIN, e);
    if (!rc)
        rc = write_begin(&r->w, BEGIN, e);
    if (!rc)
        rc = read_and_write(r, e);
    free(r->w.out);
    z->out->read_tokens += (uint64_t)r->read_tokens;
    prompt_done(&p);
    return rc ? rc : s->rc;
}

int summary_say(struct summarizing *z, struct say *y, struct summary_text *out, struct err *e)
{
    struct saying s = {.z = z, .y = y, .out = out, .e = e};
    *out = (struct summary_text){0};
    int rc = z->quote == QUOTE_ALWAYS ? 0 : write_own(&s, e);
    if (!rc &&
        (z->quote == QUOTE_ALWAYS || (y->from->w.finish && !strcmp(y->from->w.finish, "strays"))))
        rc = quote_points(&s, e);
    return rc || out->text ? rc : append(&s, "", 0);
}
