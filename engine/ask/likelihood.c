// Query likelihood: which of the best blocks' sentences makes the question likely?
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/ask/answered.h"
#include "engine/ask/asking.h"
#include "engine/ask/contents.h"
#include "engine/ask/judge.h"
#include "engine/text/asked.h"
#include "engine/text/halves.h"
#include "io/mem.h"

enum {
    SENTENCES = 8, // of a block
    FOCUSED = 2,   // blocks whose sentences are judged one by one
};
// What a block has of the weight of the question's words beyond COVER counts as so many nats a
// token: where an answer stands in the question's own words, these tell more than the rest of the
// sentence.
static const double WORDS = 2, COVER = 0.5;

// What a block's score by the votes counts as, likewise: a score beyond MOST_VOTES, which among
// thousands of blocks the first one may have for nothing, is no better.
static const double VOTES = 0.15, MOST_VOTES = 9;

// What a sentence with all numbers of the question counts as, likewise, and a row of a table one of
// whose cells it names.
static const double NUMBERS = 1, ROW = 1;

// What a definition counts as, likewise, of what is asked for.
static const double DEFINES = 1;

// What a line of a table of contents falls behind by, likewise: more than anything makes up for.
static const double CONTENTS = 20;

// The score of an only block, which heads cannot vote for, for each nat a token by which its best
// sentence makes the question likelier.
static const double ALONE = 3;

// By how many nats a token a sentence falls behind the best one for each e-th part of its score.
static const double NATS = 0.2;

// Passes over sentences are most of what a question takes. Behind by more than BEHIND in what it
// has beside its sentence, a block is not judged; of 207 questions none had its best block there.
static const double BEHIND = 0.7;

// Where none of the sentences makes the question likelier than no text does by so many nats a
// token, it may be asked in other words than the document's, of which votes tell less: half as many
// blocks again are judged.
static const double ENOUGH = 1.5;

struct candidate {
    int64_t global;
    double likelihood; // mean log probability of the question's tokens, and what its block adds
    uint32_t token;    // in its sentence
    int found;         // 0: all of the block
    int sentence;      // which of those read it is
};

// The sentences that are judged, each once: several blocks may share one. The first of them is no
// text at all.
enum { NOTHING = 0 };
struct batch {
    struct judge j;
    struct judged {
        int index; // of its index file
        uint32_t document;
        uint64_t start, end;
        double fit; // as an answer of the kind that is asked for (asked.h)
    } * read;       // [j.n]
};

static void batch_done(struct batch *g)
{
    judge_done(&g->j);
    free(g->read);
}

// Room for SENTENCES_N different sentences.
static int batch_new(struct batch *g, const struct asking *q, int sentences_n, struct err *e)
{
    const struct prompt *p = &q->prompt;
    int rc = judge_new(&g->j, q->m, q->chat, p->ids + p->question_from,
                       p->question_to - p->question_from, NULL, sentences_n, e);
    if (!rc && !(g->read = mem_new((size_t)sentences_n, sizeof *g->read, e)))
        rc = ERR_NOMEM;
    return rc ? rc : judge_text(&g->j, "", e);
}

static int by_likelihood(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    if (x->likelihood != y->likelihood)
        return x->likelihood < y->likelihood ? 1 : -1;
    return x->global < y->global ? -1 : x->global > y->global;
}

// The candidates' order and scores into the ballot, JUDGED of N first: the best one keeps the score
// of the votes' first, the others a part of it, and nothing that was not judged has more than the
// last of them, or than one as far behind as those are that were not worth judging.
static void reorder(struct ballot *b, struct candidate *c, int judged, int n)
{
    double top = b->score[b->order[0]], last = top;
    qsort(c, (size_t)judged, sizeof *c, by_likelihood);
    for (int i = 0; i < n; i++)
        b->order[i] = c[i].global;
    for (int i = 0; i < judged; i++)
        b->score[c[i].global] = last = top * exp((c[i].likelihood - c[0].likelihood) / NATS);
    if (judged < n)
        last = fmin(last, top * exp(-BEHIND / NATS));
    for (int64_t i = judged; i < b->n_blocks; i++)
        if (b->score[b->order[i]] > last)
            b->score[b->order[i]] = last;
}

// Which of the sentences read V is, or j.n.
static int find(const struct batch *g, const struct judged *v)
{
    for (int i = 0; i < g->j.n; i++)
        if (g->read[i].index == v->index && g->read[i].document == v->document &&
            g->read[i].start == v->start && g->read[i].end == v->end)
            return i;
    return g->j.n;
}

// Puts the candidate's sentence among those that are judged, if it is not there yet.
static int judge_one(struct asking *q, struct batch *g, struct candidate *c, struct err *e)
{
    uint64_t block;
    int index;
    struct sentence v = {0};
    ballot_locate(q->ballot, c->global, &index, &block);
    int rc = sentence_around(&v, q->k[index], block, c->found ? &c->token : NULL, e);
    struct judged is = {.index = index, .document = v.document, .start = v.start, .end = v.end};
    c->sentence = find(g, &is);
    if (!rc && c->sentence == g->j.n) {
        int entry = 0;
        is.fit = asked_fit(q->o->question, v.text) + ROW * asked_row(q->o->question, v.text);
        is.fit += DEFINES * asked_defines(q->o->question, v.text);
        if (!(rc = contents_has(q->k[index], v.document, v.start, &entry, e)) && entry)
            is.fit -= CONTENTS;
        g->read[g->j.n] = is;
        if (!rc && c->found)
            rc = sentence_headed(&v, q->k[index], block, q->o->question, e);
        g->read[g->j.n].fit += rc ? 0 : NUMBERS * asked_numbers(q->o->question, v.text);
        if (!rc)
            rc = judge_text(&g->j, v.text, e);
    }
    sentence_done(&v);
    return rc;
}

// What a block has for it beside its sentence.
static double by_block(const struct ballot *b, int64_t global)
{
    double words = b->cover ? WORDS * fmax(b->cover[global] - COVER, 0) : 0;
    return words + VOTES * fmin(b->score[global], MOST_VOTES);
}

// What a block needs to be worth judging, of the N best, C.
static double least_worth(const struct asking *q, const struct candidate *c, int n)
{
    double most = -INFINITY;
    if (asks_for_several(q->o->question)) // of which each may stand in another place
        return -INFINITY;
    for (int i = 0; i < n; i++)
        most = fmax(most, by_block(q->ballot, c[i].global));
    return most - BEHIND;
}

// The candidates FROM to TO, those that have LEAST first, in their order otherwise; returns where
// these end.
static int worth_judging(const struct asking *q, struct candidate *c, int from, int to,
                         double least)
{
    int worth = from;
    for (int i = from; i < to; i++) {
        struct candidate v = c[i];
        if (by_block(q->ballot, v.global) < least)
            continue;
        memmove(c + worth + 1, c + worth, (size_t)(i - worth) * sizeof *c);
        c[worth++] = v;
    }
    return worth;
}

static int judge_all(struct asking *q, struct batch *g, struct candidate *c, int n, struct err *e)
{
    int rc = 0;
    for (int i = 0; !rc && i < n; i++)
        rc = judge_one(q, g, &c[i], e);
    if (!rc)
        rc = judge_end(&g->j, e);
    for (int i = 0; !rc && i < n; i++)
        c[i].likelihood = g->j.likelihood[c[i].sentence] + g->read[c[i].sentence].fit +
                          by_block(q->ballot, c[i].global);
    return rc;
}

// Of the N blocks of C, the sentence of each that makes the question likeliest. Where the votes are
// sharp theirs, which is judged here, stays unless another one is better by MARGIN.
static int choose_sentences(struct asking *q, struct batch *g, struct candidate *c, int n,
                            double margin, struct err *e)
{
    struct candidate each[FOCUSED * (1 + SENTENCES)];
    int first[FOCUSED + 1]; // of EACH those of block I are FIRST[I] and on, the votes' own first
    int all = 0, rc = 0;
    for (int i = 0; !rc && i < n; i++) {
        uint32_t tokens[SENTENCES];
        uint64_t block;
        int index, some = 0;
        ballot_locate(q->ballot, c[i].global, &index, &block);
        first[i] = all;
        each[all++] = c[i];
        if (c[i].found)
            rc = sentence_tokens(q->k[index], block, tokens, SENTENCES, &some, e);
        for (int t = 0; some > 1 && t < some; t++)
            each[all++] = (struct candidate){.global = c[i].global, .token = tokens[t], .found = 1};
        first[i + 1] = all;
    }
    if (!rc)
        rc = judge_all(q, g, each, all, e);
    for (int i = 0; !rc && i < n; i++) {
        int best = first[i];
        for (int t = best + 1; t < first[i + 1]; t++)
            best = each[t].likelihood > each[best].likelihood ? t : best;
        c[i] = each[best].likelihood > each[first[i]].likelihood + margin ? each[best]
                                                                          : each[first[i]];
        if (c[i].found)
            rc = focus_at(q, c[i].global, c[i].token, e);
    }
    return rc;
}

// How sure it is that the sentence of the best block C has the answer. Votes, which are cast in any
// case, tell hardly anything of that.
static int find_chance(struct asking *q, const struct batch *g, const struct candidate *c,
                       struct err *e)
{
    const double *tokens = g->j.tokens, *nothing = tokens + (size_t)NOTHING * (size_t)g->j.n_q,
                 *own = tokens + (size_t)c->sentence * (size_t)g->j.n_q;
    struct signs signs = {.explained = answered_explained(nothing, own, g->j.n_q),
                          .apart =
                              answered_apart(g->j.likelihood[c->sentence],
                                             g->j.likelihood + NOTHING + 1, g->j.n - NOTHING - 1)};
    struct sentence v = {0};
    uint64_t block;
    int index;
    ballot_locate(q->ballot, c->global, &index, &block);
    int rc = sentence_around(&v, q->k[index], block, c->found ? &c->token : NULL, e);
    if (!rc && c->found)
        rc = sentence_headed(&v, q->k[index], block, q->o->question, e);
    if (!rc)
        rc = answered_words(&signs, q, v.text, e);
    if (!rc) {
        q->chance = answered_chance(&signs);
        if (q->ballot->n_blocks == 1)
            q->ballot->score[0] =
                ALONE * fmax(g->j.likelihood[c->sentence] - g->j.likelihood[NOTHING], 0);
    }
    sentence_done(&v);
    return rc;
}

// How many blocks may be judged.
static int count(const struct asking *q)
{
    const struct ballot *b = q->ballot;
    int n = q->parts.likelihood;
    if (b->n_voters && b->n_blocks == 1)
        return n > 1;
    if (!b->n_voters || !b->n_blocks || b->score[b->order[0]] <= 0 || n < 2)
        return 0;
    if (votes_sharp(b, 1))
        return 1;
    return b->n_blocks < n ? (int)b->n_blocks : n;
}

// By how many nats a token the best of the sentences judged makes the question likelier than no
// text does.
static double best_gain(const struct batch *g)
{
    double best = -INFINITY;
    for (int i = NOTHING + 1; i < g->j.n; i++)
        best = fmax(best, g->j.likelihood[i]);
    return best - g->j.likelihood[NOTHING];
}

int likelihood_judged(int n, int64_t n_blocks, double gain)
{
    const int64_t want = gain < ENOUGH ? n + (int64_t)n / 2 : n;
    return want < n_blocks ? (int)want : (int)n_blocks;
}

// Those of the candidates FROM to TO that are worth it, judged by the sentences on which the votes
// fall, and first of them; returns where they end, or an error.
static int judge_those(struct asking *q, struct batch *g, struct candidate *c, int from, int to,
                       double least, struct err *e)
{
    const int end = worth_judging(q, c, from, to, least);
    int rc = 0;
    for (int i = from; !rc && i < end; i++)
        rc = focus_of(q, c[i].global, &c[i].found, &c[i].token, e);
    if (!rc)
        rc = judge_all(q, g, c + from, end - from, e);
    return rc ? rc : end;
}

// The *N best blocks, C, and where none of them answers more, *N in all: those that are JUDGED
// first, the best one first.
static int judge_blocks(struct asking *q, struct batch *g, struct candidate *c, int *n, int *judged,
                        struct err *e)
{
    const double least = least_worth(q, c, *n);
    int end = judge_those(q, g, c, 0, *n, least, e);
    if (end >= 0) {
        *n = likelihood_judged(*n, q->ballot->n_blocks, best_gain(g));
        end = judge_those(q, g, c, end, *n, least, e);
    }
    if (end < 0)
        return end;
    qsort(c, (size_t)end, sizeof *c, by_likelihood);
    *judged = end;
    return 0;
}

int likelihood_rank(struct asking *q, struct err *e)
{
    struct ballot *b = q->ballot;
    int n = count(q), judged = 1, rc = 0;
    if (!n)
        return 0;
    const int most = n > 1 ? likelihood_judged(n, b->n_blocks, -INFINITY) : 1;
    struct batch g = {0};
    struct candidate *c = mem_new((size_t)most, sizeof *c, e);
    rc = c ? batch_new(&g, q, most + FOCUSED * SENTENCES + 2, e) : ERR_NOMEM;
    for (int i = 0; !rc && i < most; i++)
        c[i].global = b->order[i];
    if (!rc && n == 1) {
        if (!(rc = focus_of(q, c[0].global, &c[0].found, &c[0].token, e)))
            rc = choose_sentences(q, &g, c, 1, b->n_blocks > 1 ? NATS : 0, e);
    } else if (!rc && !(rc = judge_blocks(q, &g, c, &n, &judged, e))) {
        rc = choose_sentences(q, &g, c, judged < FOCUSED ? judged : FOCUSED, 0, e);
    }
    if (!rc && b->n_blocks > 1)
        reorder(b, c, judged, n);
    if (!rc)
        rc = find_chance(q, &g, c, e);
    q->judged = rc ? 0 : judged;
    batch_done(&g);
    free(c);
    return rc;
}
