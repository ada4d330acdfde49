#include "engine/ask/near.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/ask/asking.h"
#include "engine/ask/near_words.h"
#include "engine/embed/embedder.h"
#include "engine/lines/lines.h"
#include "io/mem.h"

// What a sentence is about is often named beside it alone. A sentence's nearness is therefore its
// cosine and BESIDE of the better one's beside it, over what makes it the cosine again where that
// one has the USUAL share of it. Of 920 questions in the documents' words 787 instead of 783 are
// answered, of 338 in others 186 instead of 181; with a half 784 and 185.
static const float BESIDE = 0.3f, USUAL = 0.75f;

// Where the vectors of words are known, a sentence's nearness is WORD_BY_WORD that of its words
// (near_words.h), which SCALE and SHIFT make as large as a cosine, and the cosine's for the rest.
// Of 305 questions in other words than their document's the right sentence is then among the six
// nearest for 192 instead of 171, of 303 in its words for 270 instead of 251.
static const float WORD_BY_WORD = 0.7f, SCALE = 0.9f, SHIFT = -0.1f;

// The sentences of an index.
struct part {
    struct kvz_sentences s; // n 0: there are none by this embedder
    struct kvz_words w;     // n 0: nothing is known of their words
    float *nearness;        // [s.n]
};

// A text as the embedder has it.
struct meant {
    float *vector; // [n_embd]
    float *words;  // [n_words][n_embd]
    int n_words;
};

struct near {
    struct meant question;
    struct part *parts; // [n_parts]
    int n_parts;
    int64_t n_blocks;
    float *of_block; // [n_blocks]
    uint64_t *start; // [n_blocks]
};

static int meant_new(struct meant *t, size_t n_embd, struct err *e)
{
    *t = (struct meant){.vector = mem_new(n_embd, sizeof *t->vector, e),
                        .words = mem_new(EMBED_TOKENS * n_embd, sizeof *t->words, e)};
    return t->vector && t->words ? 0 : ERR_NOMEM;
}

static void meant_done(struct meant *t)
{
    free(t->vector);
    free(t->words);
}

// Turns cosines of part P into nearness.
static void add_beside(const struct part *p)
{
    float before = 0;
    for (uint64_t i = 0; i < p->s.n; i++) {
        const struct beside has = beside_of(&p->s, i);
        const float own = p->nearness[i], behind = has.behind ? p->nearness[i + 1] : 0;
        const float other = has.before && has.behind ? fmaxf(before, behind)
                            : has.before             ? before
                            : has.behind             ? behind
                                                     : USUAL * own;
        p->nearness[i] = (own + BESIDE * other) / (1 + BESIDE * USUAL);
        before = own;
    }
}

// How near part P is to VECTOR [dim], by scanning its vectors as a device scans keys: each is
// a block of its own. It is the embedder's: a GPU's scan is made for rows as long as a head.
static int scan(struct part *p, struct device *d, const float *vector, struct err *e)
{
    uint64_t *each = mem_new(p->s.n + 1, sizeof *each, e);
    p->nearness = mem_new(p->s.n, sizeof *p->nearness, e);
    int rc = each && p->nearness ? 0 : ERR_NOMEM;
    for (uint64_t i = 0; !rc && i <= p->s.n; i++)
        each[i] = i;
    if (!rc)
        d->ops->scan(d, &(struct scan){.q = vector,
                                       .n_q = 1,
                                       .head_dim = (int)p->s.dim,
                                       .scale = 1,
                                       .keys = p->s.vector,
                                       .key_scale = p->s.scale,
                                       .start = each,
                                       .n_blocks = (int64_t)p->s.n,
                                       .max = p->nearness});
    for (uint64_t i = 0; !rc && i < p->s.n; i++) // a file may hold no unit vectors
        p->nearness[i] = fminf(p->nearness[i], 1);
    if (!rc)
        add_beside(p);
    free(each);
    return rc;
}

// Adds to part P's nearness that of its words to the question's.
static int add_words(struct part *p, struct device *d, const struct meant *question, struct err *e)
{
    float *words = mem_new(p->s.n, sizeof *words, e);
    if (!words)
        return ERR_NOMEM;
    int rc = near_words(&p->s, &p->w, d, question->words, question->n_words, words, e);
    for (uint64_t i = 0; !rc && i < p->s.n; i++)
        p->nearness[i] =
            WORD_BY_WORD * (SCALE * words[i] + SHIFT) + (1 - WORD_BY_WORD) * p->nearness[i];
    free(words);
    return rc;
}

// Notes for each block of index number I its nearest sentence.
static int find_blocks(struct near *n, const struct asking *q, int i, struct err *e)
{
    const struct part *p = &n->parts[i];
    const uint64_t n_blocks = kvz_n_blocks(q->k[i]);
    int64_t global = q->votes.ballot->base[i];
    struct kvz_block b = {0};
    uint64_t block = 0;
    int rc = n_blocks ? kvz_block(q->k[i], 0, &b, e) : 0;
    for (uint64_t s = 0; !rc && s < p->s.n && block < n_blocks;) {
        const struct kvz_sentence *v = &p->s.v[s];
        const uint64_t middle = v->start + v->bytes / 2;
        if (b.document < v->document || (b.document == v->document && b.end <= middle)) {
            global++;
            rc = ++block < n_blocks ? kvz_block(q->k[i], block, &b, e) : 0;
            continue;
        }
        if (p->nearness[s] > n->of_block[global]) {
            n->of_block[global] = p->nearness[s];
            n->start[global] = v->start;
        }
        s++;
    }
    return rc;
}

// Takes the sentences of K that have vectors by X, and their words.
static int open_part(struct part *p, const struct kvz *k, const struct embedder_info *x,
                     struct err *e)
{
    int rc = kvz_sentences(k, &p->s, e);
    if (!rc && (p->s.digest != x->digest || (int)p->s.dim != x->n_embd))
        p->s.n = 0;
    if (!rc && p->s.n)
        rc = kvz_words(k, &p->w, e);
    return rc == ERR_FORMAT ? 0 : rc; // damaged, which has been said: what else there is is good
}

// Takes the sentences of all indexes that have vectors by X. *ANY: whether one has.
static int open_parts(struct near *n, const struct asking *q, const struct embedder_info *x,
                      int *any, struct err *e)
{
    int rc = 0;
    *any = 0;
    for (int i = 0; !rc && i < q->n_k; i++) {
        rc = open_part(&n->parts[i], q->k[i], x, e);
        *any |= !rc && n->parts[i].s.n;
    }
    return rc;
}

static int measure(struct near *n, const struct asking *q, struct err *e)
{
    const char *question = asking_told(q);
    const int64_t n_blocks = q->votes.ballot->n_blocks;
    const size_t n_embd = (size_t)embedder_info(q->o->embedder)->n_embd;
    struct meant *is = &n->question;
    struct device *d = embedder_device(q->o->embedder);
    int rc = meant_new(is, n_embd, e);
    n->of_block = mem_new((size_t)n_blocks, sizeof *n->of_block, e);
    n->start = mem_new((size_t)n_blocks, sizeof *n->start, e);
    n->n_blocks = n_blocks;
    rc = n->of_block && n->start ? rc : ERR_NOMEM;
    if (!rc)
        rc = embedder_one(q->o->embedder, question, strlen(question), is->vector, is->words,
                          &is->n_words, e);
    is->n_words = is->n_words < NEAR_WORDS_MOST ? is->n_words : NEAR_WORDS_MOST;
    for (int i = 0; !rc && i < n->n_parts; i++) {
        struct part *p = &n->parts[i];
        if (!p->s.n)
            continue;
        rc = scan(p, d, is->vector, e);
        if (!rc && p->w.n && is->n_words)
            rc = add_words(p, d, is, e);
        if (!rc)
            rc = find_blocks(n, q, i, e);
    }
    return rc;
}

int near_new(struct near **out, const struct asking *q, struct err *e)
{
    int any = 0;
    *out = NULL;
    if (!q->o->embedder)
        return 0;
    struct near *n = mem_new(1, sizeof *n, e);
    if (!n || !(n->parts = mem_new((size_t)q->n_k, sizeof *n->parts, e))) {
        free(n);
        return ERR_NOMEM;
    }
    n->n_parts = q->n_k;
    int rc = open_parts(n, q, embedder_info(q->o->embedder), &any, e);
    if (!rc && any)
        rc = measure(n, q, e);
    if (!rc && any)
        *out = n;
    else
        near_free(n);
    return rc;
}

void near_free(struct near *n)
{
    for (int i = 0; n && i < n->n_parts; i++)
        free(n->parts[i].nearness);
    if (n) {
        meant_done(&n->question);
        free(n->parts);
        free(n->of_block);
        free(n->start);
    }
    free(n);
}

int near_least(const struct near *n, const struct asking *q, const char *text, double *least,
               struct err *e)
{
    const int n_embd = embedder_info(q->o->embedder)->n_embd, n_words = n->question.n_words;
    struct meant t;
    int rc = meant_new(&t, (size_t)n_embd, e);
    *least = NOT_KNOWN;
    if (!rc && n_words)
        rc = embedder_one(q->o->embedder, text, strlen(text), t.vector, t.words, &t.n_words, e);
    if (!rc && n_words && t.n_words)
        *least = near_words_least(n->question.words, n_words, t.words, t.n_words, n_embd);
    meant_done(&t);
    return rc;
}

double near_block(const struct near *n, int64_t global)
{
    return (double)n->of_block[global];
}

int near_token(const struct near *n, const struct asking *q, int64_t global, uint32_t *token,
               struct err *e)
{
    uint64_t block;
    int index;
    ballot_locate(q->votes.ballot, global, &index, &block);
    return block_token_at(q->k[index], block, n->start[global], token, e);
}

double near_best(const struct near *n, double below, int64_t *global)
{
    double best = 0;
    for (int64_t i = 0; i < n->n_blocks; i++) {
        const double own = near_block(n, i);
        if (own < below && own > best) {
            best = own;
            *global = i;
        }
    }
    return best;
}

// The first sentence of S that begins in DOCUMENT at byte AT or later, or in a later document.
static uint64_t first_from(const struct kvz_sentences *s, uint32_t document, uint64_t at)
{
    uint64_t from = 0, to = s->n;
    while (from < to) {
        const uint64_t i = from + (to - from) / 2;
        if (s->v[i].document < document || (s->v[i].document == document && s->v[i].start < at))
            from = i + 1;
        else
            to = i;
    }
    return from;
}

// The cosine of the vectors of sentences A and B of S.
static double alike(const struct kvz_sentences *s, uint64_t a, uint64_t b)
{
    const int8_t *u = s->vector + a * s->dim, *v = s->vector + b * s->dim;
    int64_t sum = 0;
    for (uint32_t d = 0; d < s->dim; d++)
        sum += u[d] * v[d];
    return (double)s->scale[a] * (double)s->scale[b] * (double)sum;
}

double near_alike(const struct near *n, int index, uint32_t document, uint64_t start, uint64_t end,
                  uint64_t last)
{
    const struct kvz_sentences *s = &n->parts[index].s;
    const uint64_t from = first_from(s, document, start), to = first_from(s, document, end),
                   behind = first_from(s, document, last);
    double best = 0;
    for (uint64_t a = from; a < to; a++)
        for (uint64_t b = to; b < behind; b++)
            best = fmax(best, alike(s, a, b));
    return best;
}

double near_bytes(const struct near *n, int index, uint32_t document, uint64_t start, uint64_t end)
{
    const struct part *p = &n->parts[index];
    double best = 0;
    for (uint64_t i =
             first_from(&p->s, document, start > LONGEST_SENTENCE ? start - LONGEST_SENTENCE : 0);
         i < p->s.n && p->s.v[i].document == document && p->s.v[i].start < end; i++) {
        const struct kvz_sentence *v = &p->s.v[i];
        const uint64_t last = v->start + v->bytes, from = v->start > start ? v->start : start,
                       to = last < end ? last : end;
        if (from < to && (2 * (to - from) >= v->bytes || 2 * (to - from) >= end - start))
            best = fmax(best, (double)p->nearness[i]);
    }
    return best;
}
