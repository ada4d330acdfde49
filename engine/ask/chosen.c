#define _GNU_SOURCE
// The sentences of the chosen blocks on which the votes fall, and what a small model reads of them.
#include <stdlib.h>
#include <string.h>

#include "engine/ask/asking.h"
#include "engine/ask/chosen.h"
#include "engine/ask/excerpts.h"
#include "engine/ask/focus.h"
#include "engine/passage/sentence.h"
#include "engine/question/asked.h"
#include "io/mem.h"

// chosen_sentence; QUESTION: NULL, or what the sentence is said for.
static int sentence_of(struct sentence *v, struct asking *q, int64_t global, const char *question,
                       struct err *e)
{
    uint64_t block;
    uint32_t token;
    int found, index;
    ballot_locate(q->votes.ballot, global, &index, &block);
    int rc = focus_of(q, global, &found, &token, e);
    if (!rc)
        rc = sentence_asked(v, q->k[index], block, found ? &token : NULL, focus_goes_on(q, global),
                            question, e);
    if (!rc && found)
        rc = sentence_headed(v, q->k[index], block, q->o->question, e);
    if (!rc && found && question)
        rc = sentence_turned(v, q->k[index], block, e);
    v->index = index;
    return rc;
}

int chosen_sentence(struct sentence *v, struct asking *q, int64_t global, struct err *e)
{
    return sentence_of(v, q, global, NULL, e);
}

int chosen_to_say(struct sentence *v, struct asking *q, int64_t global, struct err *e)
{
    return sentence_of(v, q, global, q->o->question, e);
}

// The one that the best sentence leads on to.
static int lead_sentence(struct sentence *v, struct asking *q, struct err *e)
{
    uint64_t block;
    int index;
    ballot_locate(q->votes.ballot, q->chosen.lead.global, &index, &block);
    int rc = sentence_asked(v, q->k[index], block, &q->chosen.lead.token, 0, q->o->question, e);
    v->index = index;
    return rc;
}

// The sentences that are read, best first: V [n].
struct reading_list {
    struct sentence *v;
    int64_t *of; // [n] the block of each
    int n;
};

static void list_done(struct reading_list *c)
{
    for (int i = 0; c->v && i < c->n; i++)
        sentence_done(&c->v[i]);
    free(c->v);
    free(c->of);
}

// V, which is freed where it is nothing, overlaps with others, or stands in front of one that it
// explains.
static void list_add(struct reading_list *c, struct sentence v, int64_t global)
{
    int twice = v.start == v.end;
    for (int i = 0; i < c->n; i++)
        twice |= sentences_overlap(&v, &c->v[i]) || strstr(c->v[i].text, v.text);
    if (twice) {
        sentence_done(&v);
        return;
    }
    c->of[c->n] = global;
    c->v[c->n++] = v;
}

// Whether B begins right behind A.
static int is_right_behind(const struct sentence *a, const struct sentence *b)
{
    enum { GAP = 4 }; // bytes between them
    return a->index == b->index && a->document == b->document && b->start >= a->end &&
           b->start - a->end <= GAP;
}

// What the best sentence leads on to comes before it, for the answer stands there.
static int list_new(struct reading_list *c, struct asking *q, struct err *e)
{
    const struct answer *a = q->a;
    const size_t most = (size_t)a->n_choices + 1;
    struct sentence v = {0};
    int rc = 0;
    if (!(c->v = mem_new(most, sizeof *c->v, e)) || !(c->of = mem_new(most, sizeof *c->of, e)))
        return ERR_NOMEM;
    if (q->chosen.lead.found && a->n_choices && !(rc = lead_sentence(&v, q, e)))
        list_add(c, v, q->chosen.lead.global);
    for (int i = 0; !rc && i < a->n_choices; i++) {
        int64_t global = q->votes.ballot->base[a->choices[i].index] + (int64_t)a->choices[i].block;
        if (!(rc = chosen_to_say(&v, q, global, e)))
            list_add(c, v, global);
    }
    if (!rc && q->chosen.lead.found && c->n > 1) {
        const char *lead = c->v[0].text, *best = c->v[1].text;
        q->said.in_order = !sentence_leave_out(&c->v[0], best, strlen(best)) &&
                           sentence_leave_out(&c->v[1], lead, strlen(lead));
        q->said.apart = !q->said.in_order && !is_right_behind(&c->v[1], &c->v[0]);
    }
    return rc;
}

// Where the best sentence is one that goes on, from byte OWN on, with "it" from what is read before
// it, that made the question no likelier without it, or replies to it: an answer has a word of it.
static int own_news(struct asking *q, const struct sentence *v, size_t own, struct err *e)
{
    char *before = mem_new(own + 1, 1, e);
    if (!before)
        return ERR_NOMEM;
    memcpy(before, v->text, own);
    before[own] = 0;
    int rc = news_new(&q->said.news, v->text + own, before, q->o->question, e);
    free(before);
    return rc;
}

// Where V, which is about block GLOBAL, is stored, if that is what is read.
static int add_excerpt(struct asking *q, int64_t global, const struct sentence *v, struct err *e)
{
    uint64_t block;
    int index;
    if (q->how.mode != READ_CACHED_SENTENCES)
        return 0;
    ballot_locate(q->votes.ballot, global, &index, &block);
    return excerpts_add(&q->read.excerpts, q->k[index], block, v, e);
}

// The tokens of the best sentence, V; a quotation leaves out what it replies to.
static int best_tokens(struct prompt *text, struct asking *q, const struct sentence *v,
                       struct err *e)
{
    if (!v->said || q->chosen.lead.found)
        return prompt_text(text, q->m, v->text, TOK_PLAIN, e);
    char *before = strndup(v->text, v->said);
    if (!before)
        return err_set(e, ERR_NOMEM, "out of memory (sentence)");
    int rc = prompt_text(text, q->m, before, TOK_PLAIN, e);
    q->said.unsaid = text->n;
    free(before);
    return rc ? rc : prompt_text(text, q->m, v->text + v->said, TOK_PLAIN, e);
}

int chosen_read(struct prompt *p, struct asking *q, struct err *e)
{
    struct reading_list c = {0};
    int n = 0, tokens = 0, rc = list_new(&c, q, e);
    struct prompt *text = rc ? NULL : mem_new((size_t)c.n, sizeof *text, e);
    if (!rc && !text)
        rc = ERR_NOMEM;
    for (; !rc && n < c.n; n++) {
        rc = n ? prompt_text(&text[n], q->m, c.v[n].text, TOK_PLAIN, e)
               : best_tokens(&text[n], q, &c.v[n], e);
        tokens += text[n].n;
        if (n && tokens > q->how.budget)
            break;
    }
    // The best one last, next to the question, unless it goes on from what it leads on to.
    for (int at = n - 1; !rc && at >= 0; at--) {
        const int i = q->said.in_order && n > 1 && at < 2 ? 1 - at : at;
        if (!(rc = add_excerpt(q, c.of[i], &c.v[i], e)) &&
            !(rc = attention_add(&q->read.shown, c.of[i], p->n, text[i].n, e)) &&
            !(rc = prompt_ids(p, text[i].ids, text[i].n, e)) && at)
            rc = prompt_text(p, q->m, "\n\n", TOK_PLAIN, e);
    }
    // The model would name the first of the steps, or what leads them in, of a definition half, of
    // a commit what was done instead of who did it, and of what was removed that it is there.
    q->said.verbatim =
        !rc && n > 0 && !q->chosen.lead.found &&
        (c.v[0].of_commit || c.v[0].turned || asked_defines(q->o->question, c.v[0].text) ||
         (asked_for_steps(q->o->question) && strstr(c.v[0].text, ":\n")));
    if (!rc && q->chosen.lead.found && n > 1)
        rc = news_new(&q->said.news, c.v[0].text, c.v[1].text, q->o->question, e);
    else if (!rc && n && (c.v[0].said || c.v[0].own))
        rc = own_news(q, &c.v[0], c.v[0].said ? c.v[0].said : c.v[0].own, e);
    for (int i = 0; text && i < c.n; i++)
        prompt_done(&text[i]);
    free(text);
    list_done(&c);
    return rc;
}
