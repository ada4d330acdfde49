// A second place for questions that need one: "In which village was the designer of the bridge
// born?" Where the best sentence says that Ingrid Pellavane designed it, her name leads on to where
// she was born.
#include "engine/ask/bridge.h"
#include "engine/ask/chosen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/ask/asking.h"
#include "engine/ask/focus.h"
#include "engine/ask/judge.h"
#include "engine/method/bm25.h"
#include "engine/passage/sentence.h"
#include "engine/question/question.h"
#include "engine/sentences/stands.h"
#include "engine/words/words.h"
#include "io/mem.h"

enum {
    BLOCKS = 6,    // with most of the words that may lead on
    SENTENCES = 8, // of a block
    LONG = 8,      // tokens of a question that asks for something of something else
};
// The best sentence answers by half when it has this share of the weight of the question's words:
// with less than LEAST it is about something else, with more than MOST nothing is left to be asked.
static const double LEAST = 0.3, MOST = 0.8;
// The least weight (idf) of the words that lead on, and their least share of the weight of those
// that might.
static const double WEIGHT = 3.5, SHARE = 0.2;
// Nats a token: the least likelihood of the question after the first sentence; with less that is
// about something else.
static const double LIKELY = -5;
// Nats a token by which a second sentence must make the question likelier: GAIN, UNLED more if it
// takes up none of the words that may lead on, and UNFAIR more for each nat by which the likelihood
// after the first sentence is below FAIR, for a question that is unlikely after one text becomes
// likelier after any other.
static const double GAIN = 0.03, UNLED = 0.2, UNFAIR = 0.2, FAIR = -3;
// A lead that would have to make it likelier by more is not judged: of 65 questions that have leads
// 18 need no pass, and none of these was led on.
static const double HOPELESS = 0.35;

void bridge_done(struct bridge *g)
{
    for (int i = 0; i < g->n; i++)
        sentence_done(&g->leads[i].v);
    sentence_done(&g->first);
    bm25_free(g->counts);
    free(g->words);
}

// Inserts L into the leads, the heaviest first, unless it is there, too light, or no prose. Takes
// over L.v.
static void keep_lead(struct bridge *g, struct lead l)
{
    int at = g->n, known = sentences_overlap(&l.v, &g->first) || l.weight < WEIGHT ||
                           l.weight < SHARE * g->all || !stands_ended(l.v.text, strlen(l.v.text));
    for (int i = 0; i < g->n; i++)
        known |= sentences_overlap(&l.v, &g->leads[i].v);
    while (at > 0 && l.weight > g->leads[at - 1].weight)
        at--;
    if (known || at == LEADS) {
        sentence_done(&l.v);
        return;
    }
    if (g->n == LEADS)
        sentence_done(&g->leads[--g->n].v);
    memmove(g->leads + at + 1, g->leads + at, (size_t)(g->n - at) * sizeof *g->leads);
    g->leads[at] = l;
    g->n++;
}

// *WEIGHT: of the rare words of the first sentence that the sentence TEXT takes up.
static int weigh(double *weight, const struct bridge *g, const char *text, struct err *e)
{
    char *shared = mem_new(strlen(text) + 2, 1, e);
    if (!shared)
        return ERR_NOMEM;
    words_shared(text, g->words, shared);
    *weight = bm25_rare(g->counts, shared);
    free(shared);
    return 0;
}

// Whether V is nobody's words: the head of a mail is told above whatever it says.
static int says_nothing(const struct sentence *v)
{
    return v->heads || v->signs || v->greets;
}

// Adds the leads among the sentences of block GLOBAL.
static int look_into(struct bridge *g, const struct asking *q, int64_t global, struct err *e)
{
    uint32_t tokens[SENTENCES];
    uint64_t block;
    int index, n;
    ballot_locate(q->votes.ballot, global, &index, &block);
    int rc = sentence_tokens(q->k[index], block, tokens, SENTENCES, &n, e);
    for (int i = 0; !rc && i < n; i++) {
        struct lead l = {.global = global, .token = tokens[i]};
        if ((rc = sentence_around(&l.v, q->k[index], block, &tokens[i], e))) {
            sentence_done(&l.v);
            break;
        }
        l.v.index = index;
        char *news = NULL;
        if (!(rc = weigh(&l.weight, g, l.v.text, e)))
            rc = news_new(&news, l.v.text, g->first.text, g->question, e);
        if (!rc && *news && !says_nothing(&l.v))
            keep_lead(g, l);
        else
            sentence_done(&l.v);
        free(news);
    }
    return rc;
}

// OUT [BLOCKS]: the blocks that have most weight of the words that may lead on; returns their
// number.
static int find_blocks(const struct bridge *g, int64_t n_blocks, int64_t *out)
{
    double weight[BLOCKS];
    int n = 0;
    for (int64_t b = 0; b < n_blocks; b++) {
        double own = bm25_rare_in(g->counts, b);
        int at = n;
        while (at > 0 && own > weight[at - 1])
            at--;
        if (own <= 0 || at == BLOCKS)
            continue;
        n += n < BLOCKS;
        memmove(out + at + 1, out + at, (size_t)(n - 1 - at) * sizeof *out);
        memmove(weight + at + 1, weight + at, (size_t)(n - 1 - at) * sizeof *weight);
        out[at] = b;
        weight[at] = own;
    }
    return n;
}

static int by_half(const struct bm25 *counts, const char *text)
{
    const double cover = bm25_cover(counts, text);
    return cover >= LEAST && cover <= MOST;
}

// *HALF 0: it is known, without counting more words, that the first sentence does not answer by
// half.
static int look_first(const struct bridge *g, const struct asking *q, int *half, struct err *e)
{
    struct bm25 *asked;
    int rc = bm25_of(&asked, q->votes.ballot->counted, g->question, "", e);
    *half = !asked || by_half(asked, g->first.text);
    bm25_free(asked);
    return rc;
}

// *MORE: whether the question has a word that says something and the first sentence lacks.
static int asks_for_more(const struct bridge *g, int *more, struct err *e)
{
    char *lacking = mem_new(strlen(g->question) + 2, 1, e);
    if (!lacking)
        return ERR_NOMEM;
    words_lacking(g->question, g->first.text, lacking);
    *more = *lacking != 0;
    free(lacking);
    return 0;
}

int bridge_find(struct bridge *g, const struct asking *q, struct err *e)
{
    int64_t blocks[BLOCKS];
    int half, more, rc = asks_for_more(g, &more, e);
    if (rc || !more)
        return rc;
    if (!(g->words = mem_new(strlen(g->first.text) + 2, 1, e)))
        return ERR_NOMEM;
    words_new(g->first.text, g->question, g->words);
    rc = look_first(g, q, &half, e);
    if (rc || !half || !*g->words)
        return rc;
    if ((rc = bm25_new(&g->counts, q->k, q->n_k, g->question, g->words, q->m->device->threads, e)))
        return rc;
    g->all = bm25_rare(g->counts, g->words);
    int n =
        by_half(g->counts, g->first.text) ? find_blocks(g, q->votes.ballot->n_blocks, blocks) : 0;
    for (int i = 0; !rc && i < n; i++)
        rc = look_into(g, q, blocks[i], e);
    return rc;
}

// Nats a token by which lead I must make the question likelier than FIRST, which it is after the
// first sentence.
static double least_gain(const struct bridge *g, int i, double first)
{
    return GAIN + UNFAIR * fmax(FAIR - first, 0) + UNLED * (1 - g->leads[i].weight / g->all);
}

int bridge_choose(const struct bridge *g, const double *likelihood)
{
    double best = 0;
    int chosen = -1;
    if (likelihood[0] < LIKELY)
        return -1;
    for (int i = 0; i < g->n; i++) {
        double gain = likelihood[1 + i] - likelihood[0] - least_gain(g, i, likelihood[0]);
        if (gain <= best)
            continue;
        best = gain;
        chosen = i;
    }
    return chosen;
}

void bridge_despair(struct bridge *g, double first)
{
    int n = 0;
    for (int i = 0; i < g->n; i++)
        if (first >= LIKELY && least_gain(g, i, first) <= HOPELESS)
            g->leads[n++] = g->leads[i];
        else
            sentence_done(&g->leads[i].v);
    g->n = n;
}

// Adds a lead to what is judged behind the first sentence, after an empty line. Returns its index,
// or an error.
static int judge_lead(struct judge *j, const struct lead *l, struct err *e)
{
    const size_t n = strlen(l->v.text);
    char *text = mem_new(n + 3, 1, e);
    if (!text)
        return ERR_NOMEM;
    memcpy(text, "\n\n", 2);
    memcpy(text + 2, l->v.text, n);
    const int at = judge_text(j, text, e);
    free(text);
    return at;
}

// Judges the question after the first sentence alone, and after it and each lead; *CHOSEN as
// bridge_choose.
static int judge_leads(const struct bridge *g, struct asking *q, int *chosen, struct err *e)
{
    struct prompt p = {0};
    struct judge j = {0};
    double likelihood[1 + LEADS];
    int at[1 + LEADS] = {0};
    int rc = prompt_text(&p, q->m, g->question, TOK_PLAIN, e);
    if (!rc)
        rc = judge_new(&j,
                       &(struct judging){.m = q->m,
                                         .chat = q->how.chat,
                                         .before = g->first.text,
                                         .question = p.ids,
                                         .n_question = p.n,
                                         .texts = 1 + LEADS,
                                         .prefix = &q->judged.prefix},
                       e);
    for (int i = 0; !rc && i <= g->n; i++) {
        at[i] = i ? judge_lead(&j, &g->leads[i - 1], e) : judge_text(&j, "", e);
        rc = at[i] < 0 ? at[i] : 0;
    }
    if (!rc && !(rc = judge_end(&j, e))) {
        for (int i = 0; i <= g->n; i++)
            likelihood[i] = j.likelihood[at[i]];
        *chosen = bridge_choose(g, likelihood);
    }
    judge_done(&j);
    prompt_done(&p);
    return rc;
}

// Whether a second place may be looked for: sentences are read, --hops does not say otherwise,
// heads have voted, and the question is long and asks for one thing.
static int may_need(const struct asking *q)
{
    const struct ballot *b = q->votes.ballot;
    return read_sentences_only(q->how.mode) && !q->o->hops &&
           q->prompts.read.question_to - q->prompts.read.question_from >= LONG &&
           q->how.parts.likelihood > 1 && b->n_voters && b->n_blocks && b->score[b->order[0]] > 0 &&
           !question_for_several(q->o->question);
}

int bridge_take(struct asking *q, const struct lead *l, struct err *e)
{
    struct ballot *b = q->votes.ballot;
    q->chosen.lead = (struct focus){.global = l->global, .token = l->token, .found = 1};
    if (l->global == b->order[0])
        return 0;
    ballot_put(b, l->global, 1);
    return focus_at(q, l->global, l->token, e);
}

int bridge_over(struct asking *q, struct err *e)
{
    struct bridge g = {.question = question_itself(q->o->question)};
    int chosen = -1;
    if (!may_need(q))
        return 0;
    int rc = chosen_sentence(&g.first, q, q->votes.ballot->order[0], e);
    if (!rc && stands_ended(g.first.text, strlen(g.first.text)))
        rc = bridge_find(&g, q, e);
    const struct judge *j = &q->judged.judge;
    const int known = rc ? -1 : judge_known(j, g.first.text);
    if (known >= 0)
        bridge_despair(&g, j->likelihood[known]);
    if (!rc && g.n)
        rc = judge_leads(&g, q, &chosen, e);
    if (!rc && chosen >= 0)
        rc = bridge_take(q, &g.leads[chosen], e);
    bridge_done(&g);
    return rc;
}
