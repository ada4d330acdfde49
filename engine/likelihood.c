// Query likelihood: which of the best blocks' sentences makes the question likely? The model reads
// each alone with the question after it (Sachan et al., arXiv:2204.07496, with no words between).
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/ask.h"
#include "io/mem.h"

enum {
    QUESTION = 64,  // tokens: of a longer question the first ones count
    SENTENCE = 128, // of a longer sentence likewise
    BATCH = 8,      // candidates that run at once
    ROWS = 128,     // tokens whose logits are asked for at once
    SENTENCES = 8,  // of a block
};
// By how many nats a token a sentence falls behind the best one for each e-th part of its score.
static const double NATS = 0.2;

// Logits so far below the largest one are all together less than 1 % of it: not worth their
// exponentials.
static const double FAR = 16;

struct candidate {
    int64_t global;
    double likelihood; // mean log probability of the question's tokens
    uint32_t token;    // in its sentence
    int found;         // 0: all of the block
};

// The log probability of the token ID after what LOGITS [n_vocab] come from.
static double log_probability(const float *logits, size_t n_vocab, uint32_t id)
{
    enum { LANES = 16 }; // so many maxima side by side: one alone waits for itself
    float most[LANES], top = -INFINITY;
    for (int i = 0; i < LANES; i++)
        most[i] = -INFINITY;
    for (size_t t = 0; t + LANES <= n_vocab; t += LANES)
        for (size_t i = 0; i < LANES; i++)
            most[i] = logits[t + i] > most[i] ? logits[t + i] : most[i];
    for (int i = 0; i < LANES; i++)
        top = most[i] > top ? most[i] : top;
    for (size_t t = n_vocab / LANES * LANES; t < n_vocab; t++)
        top = logits[t] > top ? logits[t] : top;
    double all = 0;
    float least = top - (float)FAR;
    for (size_t t = 0; t < n_vocab; t++)
        if (logits[t] > least)
            all += exp((double)logits[t] - (double)top);
    return (double)logits[id] - (double)top - log(all);
}

// The template's head, in sight of every candidate.
static int open_stream(struct stream **s, const struct asking *q, int room, struct err *e)
{
    struct prompt head = {0};
    int rc = prompt_head(&head, q->m, q->chat, e), n = head.n > room ? head.n : room;
    if (!rc)
        rc = stream_new(s, q->m, &(struct stream_options){.window = head.n + room, .chunk = n}, e);
    if (!rc && head.n)
        rc = run_tokens(*s, head.ids, head.n, NULL, e);
    prompt_done(&head);
    return rc;
}

// Several candidates in one pass, blind to one another.
struct batch {
    struct prompt p; // their tokens, one after the other
    int groups[BATCH + 1], n;
    int *rows;                // [most * n_q] the token before each of the question's
    size_t n_vocab;
    struct candidate *out;    // [n] whose likelihoods are being found
    int n_q, most;            // tokens of the question; candidates that fit
    const uint32_t *question; // [n_q]
};

// Rows of logits, n_q of each candidate.
static void take(void *arg, int first, int n, const float *rows)
{
    struct batch *g = arg;
    for (int i = first; i < first + n; i++, rows += g->n_vocab)
        g->out[i / g->n_q].likelihood += log_probability(rows, g->n_vocab, g->question[i % g->n_q]) / g->n_q;
}

// The likelihoods of the candidates of the batch, OUT [g->n], which is empty then.
static int judge(struct batch *g, struct stream *s, struct candidate *out, struct err *e)
{
    int n = g->p.n;
    if (!g->n)
        return 0;
    g->out = out;
    for (int i = 0; i < g->n; i++)
        out[i].likelihood = 0;
    int rc = forward(s,
                     &(struct forward){.tokens = g->p.ids,
                                       .n = n,
                                       .take = take,
                                       .take_arg = g,
                                       .n_logits = g->n * g->n_q,
                                       .rows = g->rows,
                                       .groups = g->groups,
                                       .n_groups = g->n},
                     e);
    s->n_local -= n;
    s->n_seen -= n;
    g->p.n = g->n = 0;
    return rc;
}

// The question's last token predicts nothing that counts.
static int add(struct batch *g, const struct prompt *candidate, struct err *e)
{
    int rc = prompt_ids(&g->p, candidate->ids, candidate->n - 1, e);
    g->groups[g->n + 1] = g->p.n;
    for (int i = 0; i < g->n_q; i++)
        g->rows[g->n * g->n_q + i] = g->p.n - g->n_q + i;
    g->n++;
    return rc;
}

static int by_likelihood(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    if (x->likelihood != y->likelihood)
        return x->likelihood < y->likelihood ? 1 : -1;
    return x->global < y->global ? -1 : x->global > y->global;
}

// The candidates' order and scores into the ballot: the best one keeps the score of the votes'
// first, the others a part of it, and nothing that was not judged has more than the last of them.
static void reorder(struct ballot *b, struct candidate *c, int n)
{
    double top = b->score[b->order[0]], last = top;
    qsort(c, (size_t)n, sizeof *c, by_likelihood);
    for (int i = 0; i < n; i++) {
        b->order[i] = c[i].global;
        b->score[c[i].global] = last = top * exp((c[i].likelihood - c[0].likelihood) / NATS);
    }
    for (int64_t i = n; i < b->n_blocks; i++)
        if (b->score[b->order[i]] > last)
            b->score[b->order[i]] = last;
}

static int batch_new(struct batch *g, const struct asking *q, struct err *e)
{
    int n_q = q->prompt.question_to - q->prompt.question_from;
    g->n_q = n_q < QUESTION ? n_q : QUESTION;
    g->question = q->prompt.ids + q->prompt.question_from;
    g->most = ROWS / g->n_q < BATCH ? ROWS / g->n_q : BATCH;
    g->n_vocab = (size_t)q->m->info.n_vocab;
    g->rows = mem_new((size_t)(g->most * g->n_q), sizeof *g->rows, e);
    return g->rows ? 0 : ERR_NOMEM;
}

// The candidate's sentence, an empty line, the question.
static int candidate_prompt(struct prompt *p, struct asking *q, const struct candidate *c,
                            const struct batch *g, struct err *e)
{
    uint64_t block;
    int index;
    struct sentence v = {0};
    ballot_locate(q->ballot, c->global, &index, &block);
    int rc = sentence_around(&v, q->k[index], block, c->found ? &c->token : NULL, e);
    p->n = 0;
    if (!rc)
        rc = prompt_text(p, q->m, v.text, TOK_PLAIN, e);
    p->n = p->n < SENTENCE ? p->n : SENTENCE;
    if (!rc)
        rc = prompt_text(p, q->m, "\n\n", TOK_PLAIN, e);
    sentence_done(&v);
    return rc ? rc : prompt_ids(p, g->question, g->n_q, e);
}

static int judge_all(struct asking *q, struct stream *s, struct batch *g, struct candidate *c,
                     int n, struct err *e)
{
    struct prompt p = {0};
    int rc = 0;
    for (int i = 0; !rc && i < n; i++)
        if (!(rc = candidate_prompt(&p, q, &c[i], g, e)) && !(rc = add(g, &p, e)) &&
            (g->n == g->most || i + 1 == n))
            rc = judge(g, s, c + i + 1 - g->n, e);
    prompt_done(&p);
    return rc;
}

// Of the N blocks of C, the sentence of each that makes the question likeliest.
static int choose_sentences(struct asking *q, struct stream *s, struct batch *g,
                            struct candidate *c, int n, struct err *e)
{
    struct candidate each[FOCUSED * SENTENCES];
    int all = 0, rc = 0, of[FOCUSED * SENTENCES];
    for (int i = 0; !rc && i < n; i++) {
        uint32_t tokens[SENTENCES];
        uint64_t block;
        int index, some = 0;
        ballot_locate(q->ballot, c[i].global, &index, &block);
        if (c[i].found)
            rc = sentence_tokens(q->k[index], block, tokens, SENTENCES, &some, e);
        for (int t = 0; some > 1 && t < some; t++) {
            of[all] = i;
            each[all++] = (struct candidate){.global = c[i].global, .token = tokens[t], .found = 1};
        }
    }
    if (!rc)
        rc = judge_all(q, s, g, each, all, e);
    for (int t = 0; !rc && t < all; t++)
        if (each[t].likelihood > c[of[t]].likelihood)
            c[of[t]] = each[t];
    for (int i = 0; !rc && i < n; i++)
        if (c[i].found)
            q->focused[q->n_focused++] = (struct focused){c[i].global, c[i].token};
    return rc;
}

// How many blocks are judged.
static int count(const struct asking *q)
{
    const struct ballot *b = q->ballot;
    int n = q->parts.likelihood;
    if (!b->n_voters || !b->n_blocks || b->score[b->order[0]] <= 0 || votes_sharp(b, 1))
        return 0;
    return b->n_blocks < n ? (int)b->n_blocks : n;
}

int likelihood_rank(struct asking *q, struct err *e)
{
    struct ballot *b = q->ballot;
    int n = count(q), rc = 0;
    if (n < 2)
        return 0;
    struct stream *s = NULL;
    struct batch g = {0};
    struct candidate *c = mem_new((size_t)n, sizeof *c, e);
    if (!c || (rc = batch_new(&g, q, e)))
        rc = ERR_NOMEM;
    if (!rc) // the empty line is a token or two
        rc = open_stream(&s, q, g.most * (SENTENCE + g.n_q + 8), e);
    for (int i = 0; !rc && i < n; i++) {
        c[i].global = b->order[i];
        rc = focus_of(q, c[i].global, &c[i].found, &c[i].token, e);
    }
    if (!rc && !(rc = judge_all(q, s, &g, c, n, e))) {
        qsort(c, (size_t)n, sizeof *c, by_likelihood);
        rc = choose_sentences(q, s, &g, c, n < FOCUSED ? n : FOCUSED, e);
    }
    if (!rc)
        reorder(b, c, n);
    prompt_done(&g.p);
    free(g.rows);
    free(c);
    stream_free(s);
    return rc;
}
