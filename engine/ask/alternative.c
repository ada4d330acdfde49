// What is said behind the best sentence.
//
// A close call: the best sentence lacks a word of the question that another one has, which makes
// the question not much less likely. "The depth of an array is 32 at most." is asked for its
// length, and "The length of an array is 64 MiB at most." stands elsewhere: a careful reader names
// both, and the next best one wherever the best one may well not be the answer.
//
// Several things: "List all reasons for closing an account" may be answered by a sentence here and
// another there.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/answer/guard.h"
#include "engine/answer/quote.h"
#include "engine/ask/alternative.h"
#include "engine/ask/ask.h"
#include "engine/ask/asking.h"
#include "engine/ask/chosen.h"
#include "engine/ask/near.h"
#include "engine/lines/lines.h"
#include "engine/passage/sentence.h"
#include "engine/question/asked.h"
#include "engine/question/question.h"
#include "engine/words/words.h"
#include "io/mem.h"

// By how many times 0.2 nats a token (likelihood.c) the other one may be less likely. With once
// that, and none added for being unsure, 629 of 824 questions to 67 documents are answered right,
// with this 646.
static const double BEHIND = 4;

// The least nearness of a nearest sentence that is said, and how many are looked at. It is said
// where nothing that was judged can be, and beside that where the answer is said as little plainly
// as LOST: of 126 such questions 6 more are answered.
static const double LEAST_NEAR = 0.3, LOST = 0.1;
enum { NEAREST = 3 };

// The same for each of several sentences.
static const double EACH_BEHIND = 2;

// The least score of a block whose sentence may be another one.
static double least_score(const struct ballot *b, double behind)
{
    return b->score[b->order[0]] * exp(-behind);
}

// Whether another sentence may be said at all: what was read can be quoted, one thing is asked for,
// and the answer is neither of two places nor a definition or steps as they stand.
static int may_be(const struct asking *q)
{
    const struct answer *a = q->a;
    return q->o->alternative >= 0 && q->how.doubt > 0 && q->judged.n > 0 && q->o->hops < 2 &&
           !q->chosen.lead.found && !q->said.verbatim && a->n_choices && a->text_bytes &&
           strcmp(a->finish, "interrupted") != 0 && !question_for_several(q->o->question);
}

// Appends TEXT to the answer, on a line of its own, in quotation marks behind MARK, unless the
// answer says it already or would become too long. *SAID: whether it did.
static int say(struct asking *q, const char *mark, const char *text, int *said, struct err *e)
{
    struct answer *a = q->a;
    struct prompt p = {0};
    char *both = NULL;
    int n = 0, rc = prompt_text(&p, q->m, text, TOK_PLAIN, e);
    *said = 0;
    if (!rc && a->answer_tokens + p.n <= q->how.max_tokens)
        n = quote_behind(&both, a->text, mark, text, e);
    if (n > 0 && !guard_repeats(both, a->text_bytes, (size_t)n)) {
        ask_goes_on(a, both, (size_t)n, p.n, q->o);
        both = NULL;
        *said = 1;
    }
    free(both);
    prompt_done(&p);
    return n < 0 ? n : rc;
}

static void add_place(struct asking *q, int64_t global)
{
    q->said.places[q->said.n_places++] = global;
}

// Whether V may be said behind FIRST, which lacks these words of the question.
static int may_follow(const struct asking *q, const struct sentence *first,
                      const struct sentence *v, const char *lacks)
{
    const char *question = q->o->question, *own = v->text + v->said; // without what it replies to
    return !sentences_overlap(first, v) && !line_asks(own, strlen(own)) &&
           !asked_reports(question, own) && !(v->titles && asked_for_account(question)) &&
           (q->a->unsure ? line_says_something(own, strlen(own))
                         : words_any(lacks, own, strlen(own)));
}

// Whether a sentence of block GLOBAL is said, which is its focus.
static int is_said(const struct asking *q, int64_t global)
{
    int said = global == q->votes.ballot->order[0];
    for (int i = 0; i < q->said.n_places; i++)
        said |= q->said.places[i] == global;
    return said;
}

// Says V, a sentence of block GLOBAL, behind FIRST, if it may be. *MET: whether it may.
static int say_behind(struct asking *q, const struct sentence *first, const char *lacks,
                      const struct sentence *v, int64_t global, int *met, struct err *e)
{
    int said = 0, rc = 0;
    *met = may_follow(q, first, v, lacks);
    if (!*met || (rc = say(q, "or: ", v->text + v->said, &said, e)) || !said)
        return rc;
    if (!q->said.n_places)
        add_place(q, q->votes.ballot->order[0]);
    if (!is_said(q, global))
        add_place(q, global);
    free(q->a->alternative);
    return (q->a->alternative = mem_strdup(v->text + v->said, e)) ? 0 : ERR_NOMEM;
}

// The same for the sentence of block GLOBAL on which the votes fall.
static int say_other(struct asking *q, const struct sentence *first, const char *lacks,
                     int64_t global, int *met, struct err *e)
{
    struct sentence v = {0};
    int rc = chosen_to_say(&v, q, global, e);
    *met = 0;
    if (!rc)
        rc = say_behind(q, first, lacks, &v, global, met, e);
    sentence_done(&v);
    return rc;
}

// The same for the sentence around TOKEN of block GLOBAL, which becomes its focus unless another
// one of it is said already.
static int say_at(struct asking *q, const struct sentence *first, int64_t global, uint32_t token,
                  struct err *e)
{
    struct sentence v = {0};
    uint64_t block;
    int index, met, rc;
    if (!is_said(q, global))
        return (rc = focus_at(q, global, token, e)) ? rc : say_other(q, first, "", global, &met, e);
    ballot_locate(q->votes.ballot, global, &index, &block);
    if (!(rc = sentence_around(&v, q->k[index], block, &token, e)))
        rc = say_behind(q, first, "", &v, global, &met, e);
    sentence_done(&v);
    return rc;
}

// Says behind FIRST the nearest sentence of the document, by its vector, that is not said yet.
static int say_nearest(struct asking *q, const struct sentence *first, struct err *e)
{
    const size_t before = q->a->text_bytes;
    double nearness = INFINITY;
    int rc = 0;
    for (int i = 0; !rc && q->a->text_bytes == before && i < NEAREST; i++) {
        int64_t global = 0;
        uint32_t token;
        if ((nearness = near_best(q->near, nearness, &global)) < LEAST_NEAR)
            break;
        if (!(rc = near_token(q->near, q, global, &token, e)))
            rc = say_at(q, first, global, token, e);
    }
    return rc;
}

int alternative_say(struct asking *q, struct err *e)
{
    const struct ballot *b = q->votes.ballot;
    const char *question = q->o->question;
    struct sentence first = {0};
    int rc, met = 0;
    if (!may_be(q))
        return 0;
    char *lacks = mem_new(strlen(question) + 2, 1, e);
    rc = lacks ? chosen_to_say(&first, q, b->order[0], e) : ERR_NOMEM;
    if (!rc)
        words_lacking(question, first.text, lacks);
    for (int i = 1; !rc && (*lacks || q->a->unsure) && !met && i < q->judged.n; i++) {
        if (b->score[b->order[i]] <= least_score(b, BEHIND))
            break;
        rc = say_other(q, &first, lacks, b->order[i], &met, e);
    }
    if (!rc && q->a->unsure && q->near && (!met || confidence_plain(&q->judged.signs) < LOST))
        rc = say_nearest(q, &first, e);
    sentence_done(&first);
    free(lacks);
    return rc;
}

int alternative_say_several(struct asking *q, struct err *e)
{
    const struct ballot *b = q->votes.ballot;
    struct sentence v[SAID_PLACES] = {0};
    int n = 1, rc;
    if (!question_for_several(q->o->question) || strcmp(q->a->finish, "quoted") != 0)
        return 0;
    rc = chosen_to_say(&v[0], q, b->order[0], e);
    add_place(q, b->order[0]);
    for (int i = 1; !rc && n < SAID_PLACES && i < q->judged.n; i++) {
        int said = 0, met = 0;
        if (b->score[b->order[i]] <= least_score(b, EACH_BEHIND))
            break;
        rc = chosen_to_say(&v[n], q, b->order[i], e);
        const char *own = rc ? NULL : v[n].text + v[n].said;
        for (int k = 0; !rc && k < n; k++)
            met |= sentences_overlap(&v[k], &v[n]);
        if (!rc && !met && line_says_something(own, strlen(own)))
            rc = say(q, "", own, &said, e);
        if (said) {
            add_place(q, b->order[i]);
            n++;
        } else
            sentence_done(&v[n]);
    }
    for (int i = 0; i < n; i++)
        sentence_done(&v[i]);
    return rc;
}
