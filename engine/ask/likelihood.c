// Query likelihood: which of the best blocks' sentences makes the question likely?
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/ask/asking.h"
#include "engine/ask/confidence.h"
#include "engine/ask/focus.h"
#include "engine/ask/follow.h"
#include "engine/ask/judge.h"
#include "engine/ask/likelihood.h"
#include "engine/ask/shortlist.h"
#include "engine/ask/votes.h"
#include "engine/passage/sentence.h"
#include "engine/question/question.h"
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

// The score of an only block, which heads cannot vote for, for each nat a token by which its best
// sentence makes the question likelier.
static const double ALONE = 3;

// Nats a token: a sentence that makes the question less likely than the best one does by this gets
// 1/e of its score.
static const double NATS = 0.2;

// Running sentences through the model is most of a question's time, so the following constants say
// which ones are not judged. All are nats a token but FAR and A_WORD.
//
// 1. By what is known beforehand (candidate.worth). A block is not judged when its sentence would
// have to make up for more than BEHIND: first for its votes and words being less than the best
// block's, then also for LACKING for each word of the question that the sentence lacks. This saves
// a third of the rows, and leaves out the best block for 2 of 146 questions.
static const double BEHIND = 0.7, LACKING = 0.4;

// 2. By what the most promising ones give. If AT_ONCE or more candidates are worth less than the
// best one by more than NEAR, the others are judged first (a pass of few rows takes as long as one
// of some more). The likelier the best of these makes the question, the fewer of the rest are
// judged (likelihood_behind): none when it is likelier than after no text by CLEAR - NEAR. This
// saves a quarter of the rows, and leaves out the best sentence for none of 137 questions.
static const double NEAR = 0.4, CLEAR = 1.5;
enum { AT_ONCE = 3 };

// 3. Of what is left as many as are to be ranked (--likelihood) are judged, those that are worth
// most. This saves a fifth of the rows, and of 433 questions that have a right sentence beside
// wrong ones among all of these it puts a right one first for 302 instead of 297: each sentence
// more is one more that may seem likely.

// 4. Another sentence of the best blocks is not judged when it has FAR fewer votes than the one
// with most, in z-scores, a word of the question that it lacks counting as A_WORD fewer, one that
// it has beyond that sentence's as A_WORD more. This saves three quarters of these sentences' rows,
// and leaves out the best sentence for 6 of 203 questions. Nor, where vectors tell which ones are
// near, when it is worth less than that sentence by WORSE: with 0.25 as many of 898 questions are
// answered as with 0.4, of 1,466 one less, 4 ms sooner; with 0.1 three less, 7 ms sooner.
static const double FAR = 1.65, A_WORD = 0.55, WORSE = 0.25;

// 5. Where vectors tell which sentences are near to the question, worth tells more: NEAREST blocks
// do unless --likelihood says how many, candidates that are worth less than the best one by APART
// are not judged if there are AT_ONCE or more of them, and else by TOO_FAR; and of the second block
// only its first sentence is, unless it is as good as the best block's but for SECOND. This saves a
// third of the rows, and of 1,332 questions as many are answered.
static const double APART = 0.3, TOO_FAR = 0.6, SECOND = 0.2;
enum { NEAREST = 5 };

// When no sentence makes the question likelier than no text does by this, it may be asked in other
// words than the document's, where votes tell less: half as many blocks again are judged.
static const double ENOUGH = 1.5;

// By how much a sentence that is not judged is taken to make the question likelier than no text
// does: the mean of 553 of them.
static const double UNREAD = 0.48;

// A block, and the sentence of it that may be judged.
struct candidate {
    int64_t global;
    double likelihood; // once judged: mean log probability of the question's tokens, corrected by
                       // asked_fit, and what its block's votes and words add
    double worth;      // before that: what votes and words add, less LACKING, and where vectors are
                       // known its fit, before it is listed how near its block is
    uint32_t token;    // in its sentence
    int found;         // 0: the whole block is judged
    int at;            // index of its sentence in the shortlist
};

// The sentences of all candidates; several blocks may share one. The judge's first text, NOTHING,
// is empty: the likelihood of the question after no text.
enum { NOTHING = 0 };
struct batch {
    struct judge *j; // q->judged.judge
    struct shortlist list;
    double of_blocks,
        of_sentences; // the largest worth of a block, and of a block with its sentence
    double best;      // the largest likelihood so far
};

// Room for MOST different sentences, and for those behind the best one (follow.c).
static int batch_new(struct batch *g, struct asking *q, int most, struct err *e)
{
    *g = (struct batch){.j = &q->judged.judge,
                        .of_blocks = -INFINITY,
                        .of_sentences = -INFINITY,
                        .best = -INFINITY};
    judge_done(g->j);
    int rc = judge_new(g->j,
                       &(struct judging){.m = q->m,
                                         .chat = q->how.chat,
                                         .question = q->prompts.ranked.ids,
                                         .n_question = q->prompts.ranked.n,
                                         .texts = 1 + most + FOLLOW_TEXTS,
                                         .prefix = &q->judged.prefix,
                                         .index = q->k[q->chosen.home]},
                       e);
    if (!rc)
        rc = shortlist_new(&g->list, q, most, e);
    return rc ? rc : judge_text(g->j, "", e); // NOTHING
}

static int by_likelihood(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    if (x->likelihood != y->likelihood)
        return x->likelihood < y->likelihood ? 1 : -1;
    return x->global < y->global ? -1 : x->global > y->global;
}

// The one that is worth most first.
static int by_worth(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    if (x->worth != y->worth)
        return x->worth < y->worth ? 1 : -1;
    return x->global < y->global ? -1 : x->global > y->global;
}

// Puts the order and scores of the N candidates, the first JUDGED of which were judged, into the
// ballot. The best one gets the score of the votes' first block, the others a part of it. Blocks
// that were not judged get at most the last one's score, and at most what being BEHIND would give.
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

// What a block's votes and words add to the likelihood of its sentence.
static double by_block(const struct ballot *b, int64_t global)
{
    double words = b->cover ? WORDS * fmax(b->cover[global] - COVER, 0) : 0;
    return words + VOTES * fmin(b->score[global], MOST_VOTES);
}

// The same with what its nearest sentence adds to its fit.
static double block_worth(const struct asking *q, int64_t global)
{
    const double nearest = q->near ? shortlist_nearness(near_block(q->near, global)) : 0;
    return by_block(q->votes.ballot, global) + nearest;
}

// Moves those of the candidates FROM .. TO - 1 whose worth is at least MOST - BEHIND to the front,
// in their order, and returns where these end.
static int worth_judging(const struct asking *q, struct candidate *c, int from, int to, double most,
                         double behind)
{
    int end = from;
    for (int i = from; i < to; i++) {
        struct candidate v = c[i];
        // Several things that are asked for may each stand in another place: all are judged.
        if (!question_for_several(q->o->question) && v.worth < most - behind)
            continue;
        memmove(c + end + 1, c + end, (size_t)(i - end) * sizeof *c);
        c[end++] = v;
    }
    return end;
}

static int list(struct asking *q, struct batch *g, struct candidate *c, struct err *e)
{
    return shortlist_add(&g->list, q, c->global, c->found ? &c->token : NULL, &c->at, e);
}

// Gives the sentences of N candidates that are not judged yet to the judge's next pass.
static int hand_in(struct batch *g, const struct candidate *c, int n, struct err *e)
{
    int rc = 0;
    for (int i = 0; !rc && i < n; i++) {
        struct listed *is = &g->list.v[c[i].at];
        if (is->judged)
            continue;
        is->judged = judge_text(g->j, is->text, e);
        rc = is->judged < 0 ? is->judged : 0;
    }
    return rc;
}

// Judges them, and keeps the best one's pass, which may be the beginning of what is read in the end
// (judge_keep).
static int judge_all(struct asking *q, struct batch *g, struct candidate *c, int n, struct err *e)
{
    int best = 0, rc = hand_in(g, c, n, e);
    if (!rc)
        rc = judge_end(g->j, e);
    for (int i = 0; !rc && i < n; i++) {
        const struct listed *is = &g->list.v[c[i].at];
        c[i].likelihood =
            g->j->likelihood[is->judged] + is->fit + by_block(q->votes.ballot, c[i].global);
        if (c[i].likelihood > g->best) {
            g->best = c[i].likelihood;
            best = is->judged;
        }
    }
    return rc || !best ? rc : judge_keep(g->j, best, e);
}

// What a sentence is worth beyond its block where vectors are known.
static double sentence_worth(const struct listed *is)
{
    return is->fit - LACKING * is->lacks;
}

// Appends to EACH, whose first is a candidate, the other sentences of its block that are worth
// judging: by their votes, by the question's words that they have and by how near they are to it.
// Returns their number, or an error.
static int others_of(struct asking *q, struct batch *g, struct candidate *each, struct err *e)
{
    const struct candidate own = each[0];
    uint32_t tokens[SENTENCES];
    double votes[SENTENCES], most = -INFINITY;
    uint64_t block;
    int index, some = 0, n = 0;
    ballot_locate(q->votes.ballot, own.global, &index, &block);
    int rc = sentence_tokens(q->k[index], block, tokens, SENTENCES, &some, e);
    if (rc || some < 2 || (rc = focus_votes(q, own.global, tokens, some, votes, e)))
        return rc;
    for (int t = 0; t < some; t++)
        most = fmax(most, votes[t]);
    for (int t = 0; !rc && t < some; t++) {
        struct candidate c = {.global = own.global, .token = tokens[t], .found = 1};
        if ((rc = list(q, g, &c, e)))
            return rc;
        const struct listed *is = &g->list.v[c.at], *first = &g->list.v[own.at];
        if (most - votes[t] + A_WORD * (is->lacks - first->lacks) < FAR &&
            (!q->near || sentence_worth(is) > sentence_worth(first) - WORSE))
            each[1 + n++] = c;
    }
    return n;
}

// Hands in, behind N candidates of which the first one is worth most, the other sentences of its
// block: if it turns out to be the best one, they need no pass of their own.
static int hand_in_others(struct asking *q, struct batch *g, const struct candidate *c, int n,
                          struct err *e)
{
    struct candidate each[1 + SENTENCES] = {c[0]};
    int others = 0, rc = hand_in(g, c, n, e);
    if (!rc && n && c->found)
        rc = others = others_of(q, g, each, e);
    return rc < 0 ? rc : hand_in(g, each + 1, others, e);
}

// Chooses for each of the N blocks of C the sentence that makes the question likeliest: another one
// than that with most votes only if it is better by MARGIN.
static int choose_sentences(struct asking *q, struct batch *g, struct candidate *c, int n,
                            double margin, struct err *e)
{
    struct candidate each[FOCUSED * (1 + SENTENCES)];
    int first[FOCUSED + 1]; // block i's sentences are EACH [first[i] .. first[i + 1]), the one with
                            // most votes first
    int all = 0, rc = 0;
    for (int i = 0; i < n; i++) {
        int others = 0;
        first[i] = all;
        each[all++] = c[i];
        const double behind = i && q->near ? SECOND : BEHIND;
        if (c[i].found && c[i].likelihood >= c[0].likelihood - behind)
            others = others_of(q, g, each + first[i], e);
        if (others < 0)
            return others;
        first[i + 1] = all += others;
    }
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

// signs.apart (confidence.h) of sentence BEST among all that are listed.
static int stand_apart(const struct batch *g, const struct listed *best, double *apart,
                       struct err *e)
{
    const int n = g->list.n;
    double *all = mem_new((size_t)n, sizeof *all, e);
    if (!all)
        return ERR_NOMEM;
    for (int i = 0; i < n; i++)
        all[i] = g->list.v[i].judged ? g->j->likelihood[g->list.v[i].judged]
                                     : g->j->likelihood[NOTHING] + UNREAD;
    *apart = confidence_apart(g->j->likelihood[best->judged], all, n);
    free(all);
    return 0;
}

// Notes what tells whether the sentence of the best block C has the answer. Votes, which are cast
// in any case, tell hardly anything of that.
static int find_signs(struct asking *q, const struct batch *g, const struct candidate *c,
                      struct err *e)
{
    const struct listed *best = &g->list.v[c->at];
    const double *nothing = g->j->tokens + (size_t)NOTHING * (size_t)g->j->n_q,
                 *own = g->j->tokens + (size_t)best->judged * (size_t)g->j->n_q,
                 likelihood = g->j->likelihood[best->judged];
    struct signs *s = &q->judged.signs;
    *s = (struct signs){.explained = confidence_explained(nothing, own, g->j->n_q),
                        .near = best->near,
                        .least = NOT_KNOWN};
    free(q->judged.text); // of the blocks that were ranked before
    if (!(q->judged.text = mem_strdup(best->text, e)))
        return ERR_NOMEM;
    int rc = stand_apart(g, best, &s->apart, e);
    if (rc || (rc = confidence_words(s, q, best->text, e)))
        return rc;
    s->lacking |= best->tells_nothing;
    if (q->votes.ballot->n_blocks == 1)
        q->votes.ballot->score[0] = ALONE * fmax(likelihood - g->j->likelihood[NOTHING], 0);
    return 0;
}

// How many blocks are to be ranked.
static int ranked(const struct asking *q)
{
    const int n = q->how.parts.likelihood;
    return q->near && !q->o->likelihood && n > NEAREST ? NEAREST : n;
}

// How many blocks may be judged; 0 when nothing can be told from it.
static int count(const struct asking *q)
{
    const struct ballot *b = q->votes.ballot;
    int n = ranked(q);
    if (b->n_voters && b->n_blocks == 1)
        return n > 1;
    if (!b->n_voters || !b->n_blocks || b->score[b->order[0]] <= 0 || n < 2)
        return 0;
    return b->n_blocks < n ? (int)b->n_blocks : n;
}

// Lists the nearest sentence of C's block, and takes it instead of C's where it is worth more.
static int list_nearest(struct asking *q, struct batch *g, struct candidate *c, struct err *e)
{
    struct candidate near = *c;
    if (near_block(q->near, c->global) <= 0)
        return 0;
    int rc = near_token(q->near, q, c->global, &near.token, e);
    if (rc || (rc = list(q, g, &near, e)))
        return rc;
    const struct listed *is = &g->list.v[c->at], *nearest = &g->list.v[near.at];
    if (sentence_worth(nearest) <= sentence_worth(is))
        return 0;
    *c = near;
    return focus_at(q, c->global, c->token, e);
}

// Lists the sentence of C's block on which its votes fall or, where that is about another thing of
// the same kind than is asked for, one about the right thing.
static int list_best(struct asking *q, struct batch *g, struct candidate *c, struct err *e)
{
    int rc = focus_of(q, c->global, &c->found, &c->token, e);
    if (rc || (rc = list(q, g, c, e)) || !c->found || (q->near && (rc = list_nearest(q, g, c, e))))
        return rc;
    const uint32_t token = c->token;
    rc = shortlist_add_asked(&g->list, q, c->global, &c->token, &c->at, e);
    return rc || c->token == token ? rc : focus_at(q, c->global, c->token, e);
}

// Lists the sentence of the first block, C. *N, the number of blocks that may be judged, becomes 1
// where the votes are SHARP, unless that is about another thing of the same kind than is asked for,
// which draws as many votes as the right one, has nothing of the kind that is asked for, or only
// names what is told elsewhere.
static int list_first(struct asking *q, struct batch *g, struct candidate *c, int sharp, int *n,
                      struct err *e)
{
    int rc = list_best(q, g, c, e);
    if (rc)
        return rc;
    const struct listed *is = &g->list.v[c->at];
    if (sharp && !is->of_another && !is->names_only && !is->misses)
        *n = 1;
    return 0;
}

int likelihood_judged(int n, int64_t n_blocks, double gain)
{
    const int64_t want = gain < ENOUGH ? n + (int64_t)n / 2 : n;
    return want < n_blocks ? (int)want : (int)n_blocks;
}

double likelihood_behind(double gain)
{
    return fmin(fmax(CLEAR - gain, NEAR), BEHIND);
}

// Nats a token by which the best of the sentences judged makes the question likelier than no text,
// those that are about another thing of the same kind aside.
static double best_gain(const struct batch *g)
{
    double best = -INFINITY;
    for (int i = 0; i < g->list.n; i++)
        if (g->list.v[i].judged && !g->list.v[i].of_another)
            best = fmax(best, g->j->likelihood[g->list.v[i].judged]);
    return best - g->j->likelihood[NOTHING];
}

// Whether one of the sentences listed is about another thing than is asked for: then the right one
// may well have fewer votes.
static int of_another(const struct batch *g)
{
    for (int i = 0; i < g->list.n; i++)
        if (g->list.v[i].of_another)
            return 1;
    return 0;
}

// Whether the first sentence listed has nothing of the kind that is asked for: likewise, however
// many votes and words its block has.
static int first_misses(const struct batch *g)
{
    return g->list.n > 0 && g->list.v[0].misses;
}

// How many candidates may still be judged when so many are; of those that each may be a part of the
// answer all.
static int room(const struct asking *q, int judged)
{
    return question_for_several(q->o->question) ? INT_MAX : ranked(q) - judged;
}

// Judges those of the candidates FROM .. TO - 1 that are worth it, by the sentences on which their
// votes fall, and moves them to the front. Returns where they end, or an error.
static int judge_those(struct asking *q, struct batch *g, struct candidate *c, int from, int to,
                       struct err *e)
{
    const double behind = first_misses(g) ? 3 * BEHIND : of_another(g) ? 2 * BEHIND : BEHIND;
    int rc = 0, end = worth_judging(q, c, from, to, g->of_blocks, behind);
    for (int i = from; !rc && i < end; i++) {
        if ((rc = list_best(q, g, &c[i], e)))
            break;
        const struct listed *is = &g->list.v[c[i].at];
        c[i].worth = by_block(q->votes.ballot, c[i].global) + (q->near ? is->fit : 0) -
                     LACKING * is->lacks - (is->misses ? BEHIND : 0);
        g->of_sentences = fmax(g->of_sentences, c[i].worth);
    }
    if (rc)
        return rc;
    end = worth_judging(q, c, from, end, g->of_sentences, q->near ? TOO_FAR : BEHIND);
    qsort(c + from, (size_t)(end - from), sizeof *c, by_worth);
    const int left = room(q, from);
    end = end - from < left ? end : from + left;
    const int near = worth_judging(q, c, from, end, g->of_sentences, q->near ? APART : NEAR);
    if (end - near >= AT_ONCE && q->near) {
        end = near;
    } else if (end - near >= AT_ONCE) {
        if ((rc = judge_all(q, g, c + from, near - from, e)))
            return rc;
        end = worth_judging(q, c, near, end, g->of_sentences, likelihood_behind(best_gain(g)));
    }
    if (!q->near || !(rc = hand_in_others(q, g, c + from, end - from, e)))
        rc = judge_all(q, g, c + from, end - from, e);
    return rc ? rc : end;
}

// Judges the *N best blocks, C, and, where these are not in the order of their worth, more of them
// when none of these answers, *N in all. Those that were judged, *JUDGED, come first, the likeliest
// one first.
static int judge_blocks(struct asking *q, struct batch *g, struct candidate *c, int *n, int *judged,
                        struct err *e)
{
    for (int i = 0; i < *n; i++)
        g->of_blocks = fmax(g->of_blocks, c[i].worth);
    int end = judge_those(q, g, c, 0, *n, e);
    if (end >= 0 && !q->near && room(q, end) > 0) {
        *n = likelihood_judged(*n, q->votes.ballot->n_blocks, best_gain(g));
        end = judge_those(q, g, c, end, *n, e);
    }
    if (end < 0)
        return end;
    qsort(c, (size_t)end, sizeof *c, by_likelihood);
    *judged = end;
    return 0;
}

// Puts the blocks in the order of their worth, nearest sentences included. The first one keeps the
// score of the votes' first one. *MOVED: whether that is another block.
static int order_by_worth(struct asking *q, int *moved, struct err *e)
{
    struct ballot *b = q->votes.ballot;
    const int64_t first = b->order[0];
    double *worth = mem_new((size_t)b->n_blocks, sizeof *worth, e);
    if (!worth)
        return ERR_NOMEM;
    for (int64_t i = 0; i < b->n_blocks; i++)
        worth[i] = block_worth(q, i);
    int rc = ballot_sort(b->order, worth, b->n_blocks, e);
    *moved = b->order[0] != first;
    b->score[b->order[0]] = fmax(b->score[b->order[0]], b->score[first]);
    free(worth);
    return rc;
}

int likelihood_rank(struct asking *q, struct err *e)
{
    struct ballot *b = q->votes.ballot;
    int judged = 1, moved = 0, rc = b->n_voters && b->n_blocks ? near_new(&q->near, q, e) : 0,
        n = count(q);
    const int sharp = n && votes_sharp(b, 1);
    if (!n || rc || (q->near && (rc = order_by_worth(q, &moved, e))))
        return rc;
    const int most = n > 1 ? likelihood_judged(n, b->n_blocks, -INFINITY) : 1;
    struct batch g = {0};
    struct candidate *c = mem_new((size_t)most, sizeof *c, e);
    rc = c ? batch_new(&g, q, 3 * most + FOCUSED * SENTENCES + 2, e) : ERR_NOMEM;
    for (int i = 0; !rc && i < most; i++)
        c[i] = (struct candidate){.global = b->order[i], .worth = block_worth(q, b->order[i])};
    if (!rc)
        rc = list_first(q, &g, c, sharp && !moved, &n, e);
    if (!rc && n == 1)
        rc = choose_sentences(q, &g, c, 1, b->n_blocks > 1 ? NATS : 0, e);
    else if (!rc && !(rc = judge_blocks(q, &g, c, &n, &judged, e)))
        rc = choose_sentences(q, &g, c, judged < FOCUSED ? judged : FOCUSED, 0, e);
    if (!rc && b->n_blocks > 1)
        reorder(b, c, judged, n);
    if (!rc)
        rc = find_signs(q, &g, c, e);
    q->judged.n = rc ? 0 : judged;
    shortlist_done(&g.list);
    free(c);
    return rc;
}
