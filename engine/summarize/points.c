#include "engine/summarize/points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/method/ballot.h"
#include "engine/text/statement.h"
#include "engine/text/words.h"
#include "io/mem.h"

enum {
    ATTENDED = 8,   // blocks of a part that are looked at
    SENTENCES = 32, // of a block
    SHORTEST = 4    // bytes of a word that counts
};
static const double NO_PROSE = 0.2;

struct word {
    char stem[WORD_STEM];
    double share;
};

// What each word is worth; sorted by their stems.
struct lexicon {
    struct word *v; // [n]
    size_t n, cap;
};

static int by_stem(const void *a, const void *b)
{
    return memcmp(((const struct word *)a)->stem, ((const struct word *)b)->stem, WORD_STEM);
}

// The next word of TEXT [n] that says something; 0: there is none.
static int telling_word(const char *text, size_t n, size_t *at, struct word *w)
{
    size_t bytes;
    while (word_next(text, n, at, w->stem, &bytes))
        if (bytes >= SHORTEST && !word_is_common(w->stem))
            return 1;
    return 0;
}

static int lexicon_add(struct lexicon *l, const char *text, struct err *e)
{
    struct word w = {.share = 1};
    int rc = 0;
    for (size_t at = 0; !rc && telling_word(text, strlen(text), &at, &w);) {
        void *v = l->v;
        rc = mem_grow(&v, &l->cap, l->n + 1, sizeof *l->v, e);
        l->v = v;
        if (!rc)
            l->v[l->n++] = w;
    }
    return rc;
}

// Counts become shares.
static void lexicon_end(struct lexicon *l)
{
    const double all = (double)l->n;
    size_t n = 0;
    if (l->n)
        qsort(l->v, l->n, sizeof *l->v, by_stem);
    for (size_t i = 0; i < l->n; i++) {
        if (n && !by_stem(&l->v[n - 1], &l->v[i]))
            l->v[n - 1].share++;
        else
            l->v[n++] = l->v[i];
    }
    l->n = n;
    for (size_t i = 0; i < n; i++)
        l->v[i].share /= all;
}

static struct word *lexicon_find(const struct lexicon *l, const struct word *w)
{
    return l->n ? bsearch(w, l->v, l->n, sizeof *l->v, by_stem) : NULL;
}

static double worth(const struct lexicon *l, const char *text)
{
    struct word w;
    double sum = 0;
    int words = 0;
    for (size_t at = 0, before; before = at, telling_word(text, strlen(text), &at, &w);) {
        words++;
        if (!word_is_in(text, before, w.stem))
            sum += lexicon_find(l, &w)->share;
    }
    return words ? sum / sqrt(words) * (statement_is_prose(text) ? 1 : NO_PROSE) : 0;
}

// The words of TEXT have been said.
static void lexicon_say(struct lexicon *l, const char *text)
{
    struct word w;
    for (size_t at = 0, before; before = at, telling_word(text, strlen(text), &at, &w);)
        if (!word_is_in(text, before, w.stem)) {
            struct word *known = lexicon_find(l, &w);
            known->share *= known->share;
        }
}

void points_done(struct points *p)
{
    for (int i = 0; i < p->n; i++)
        sentence_done(&p->v[i].v);
    free(p->v);
    *p = (struct points){0};
}

// Of the blocks FROM .. TO the ATTENDED at most that received most attention to BLOCKS in document
// order; returns how many.
static int attended(const struct kvz *k, uint64_t from, uint64_t to, struct point *blocks,
                    struct err *e)
{
    int n = 0;
    for (uint64_t b = from; b < to; b++) {
        struct kvz_block info;
        int rc = kvz_block(k, b, &info, e), least = 0;
        if (rc)
            return rc;
        for (int i = 1; i < n; i++)
            least = blocks[i].mass < blocks[least].mass ? i : least;
        if (n == ATTENDED && blocks[least].mass >= (double)info.mass)
            continue;
        if (n == ATTENDED)
            memmove(blocks + least, blocks + least + 1, (size_t)(--n - least) * sizeof *blocks);
        blocks[n++] = (struct point){.block = b, .mass = (double)info.mass};
    }
    return n;
}

// X stands where its text begins, which may be in a block before, or behind one that ends in white
// space.
static int find_beginning(struct point *x, const struct kvz *k, struct err *e)
{
    struct kvz_block b;
    int rc = kvz_block(k, x->block, &b, e);
    while (!rc && x->v.start < b.start && x->block)
        rc = kvz_block(k, --x->block, &b, e);
    while (!rc && x->v.start >= b.end && x->block + 1 < kvz_n_blocks(k))
        rc = kvz_block(k, ++x->block, &b, e);
    return rc;
}

// A sentence that is not there yet; neighbours may share one.
static int add_sentence(struct points *p, const struct kvz *k, struct point x,
                        const uint32_t *token, struct err *e)
{
    void *v = p->v;
    int rc = sentence_around(&x.v, k, x.block, token, e), known = 0;
    for (int i = p->n - 1; !rc && i >= 0 && i >= p->n - SENTENCES; i--)
        known |= sentences_overlap(&x.v, &p->v[i].v);
    x.whole = !token;
    if (!rc && !known && !x.whole)
        rc = find_beginning(&x, k, e);
    if (!rc && !known && !(rc = mem_grow(&v, &p->cap, (size_t)p->n + 1, sizeof *p->v, e))) {
        p->v = v;
        p->v[p->n++] = x;
        return 0;
    }
    sentence_done(&x.v);
    return rc;
}

static int add_block(struct points *p, const struct kvz *k, struct point x, struct err *e)
{
    uint32_t tokens[SENTENCES];
    int n, rc = sentence_tokens(k, x.block, tokens, SENTENCES, &n, e);
    if (!rc && !n)
        return add_sentence(p, k, x, NULL, e);
    for (int i = 0; !rc && i < n; i++)
        rc = add_sentence(p, k, x, &tokens[i], e);
    return rc;
}

// Marks the worthiest of the points FROM .. TO, of BYTES bytes together at least where there are as
// many, by a worth below 0. Returns what is over BYTES.
static int64_t take(struct points *p, int from, int to, int64_t bytes, struct lexicon *l)
{
    while (bytes > 0) {
        int best = -1;
        double most = 0;
        for (int i = from; i < to; i++) {
            double is = p->v[i].worth < 0 ? 0 : worth(l, p->v[i].v.text);
            if (is > most) {
                most = is;
                best = i;
            }
        }
        if (best < 0)
            break;
        lexicon_say(l, p->v[best].v.text);
        bytes -= (int64_t)strlen(p->v[best].v.text);
        p->v[best].worth = -most;
    }
    return bytes;
}

// Where no sentence has a word that says something ("Hi."), they are taken as they come.
static void take_any(struct points *p, int64_t bytes)
{
    for (int i = 0; i < p->n; i++)
        if (p->v[i].worth < 0)
            return;
    for (int i = 0; i < p->n && bytes > 0; i++) {
        p->v[i].worth = -1;
        bytes -= (int64_t)strlen(p->v[i].v.text);
    }
}

// What was not taken goes; the others are worth what they were when they were taken.
static void keep_taken(struct points *p)
{
    int n = 0;
    for (int i = 0; i < p->n; i++) {
        if (p->v[i].worth >= 0) {
            sentence_done(&p->v[i].v);
            continue;
        }
        p->v[i].worth = -p->v[i].worth;
        p->v[n++] = p->v[i];
    }
    p->n = n;
}

// Bytes of text that TOKENS tokens of the blocks FROM .. TO are.
static int bytes_of(const struct kvz *k, uint64_t from, uint64_t to, int tokens, int64_t *bytes,
                    struct err *e)
{
    int64_t n = 0;
    *bytes = 0;
    for (uint64_t i = from; i < to; i++) {
        struct kvz_block b;
        int rc = kvz_block(k, i, &b, e);
        if (rc)
            return rc;
        *bytes += (int64_t)(b.end - b.start);
        n += b.n_tokens;
    }
    *bytes = n ? *bytes * tokens / n : 0;
    return 0;
}

int points_new(struct points *p, const struct kvz *k, uint64_t from, uint64_t to, int tokens,
               struct err *e)
{
    const uint64_t n = to - from;
    uint64_t parts = (uint64_t)tokens / kvz_meta(k)->block;
    struct lexicon l = {0};
    int64_t bytes = 0, left = 0;
    parts = parts < 1 ? 1 : parts > n ? n : parts;
    int *ends = mem_new(parts + 1, sizeof *ends, e), rc = ends ? 0 : ERR_NOMEM;
    *p = (struct points){0};
    for (uint64_t i = 0; !rc && i < parts; i++) {
        struct point blocks[ATTENDED];
        int some = attended(k, from + n * i / parts, from + n * (i + 1) / parts, blocks, e);
        rc = some < 0 ? some : 0;
        for (int j = 0; !rc && j < some; j++)
            rc = add_block(p, k, blocks[j], e);
        ends[i + 1] = p->n;
    }
    for (int i = 0; !rc && i < p->n; i++)
        rc = lexicon_add(&l, p->v[i].v.text, e);
    rc = rc ? rc : bytes_of(k, from, to, tokens, &bytes, e);
    if (!rc)
        lexicon_end(&l);
    for (uint64_t i = 0; !rc && i < parts; i++)
        left = take(p, ends[i], ends[i + 1], left + bytes / (int64_t)parts, &l);
    if (!rc) {
        take_any(p, bytes);
        keep_taken(p);
    } else
        points_done(p);
    free(l.v);
    free(ends);
    return rc;
}

int points_text(char **out, const struct points *p, struct err *e)
{
    size_t bytes = 1, at = 0;
    for (int i = 0; i < p->n; i++)
        bytes += strlen(p->v[i].v.text) + 1;
    if (!(*out = mem_new(bytes, 1, e)))
        return ERR_NOMEM;
    for (int i = 0; i < p->n; i++) {
        size_t n = strlen(p->v[i].v.text);
        memcpy(*out + at, p->v[i].v.text, n);
        at += n;
        (*out)[at++] = '\n';
    }
    return 0;
}

int points_of_blocks(struct points *p, const struct kvz *k, const uint64_t *blocks, int n,
                     struct err *e)
{
    int rc = 0;
    *p = (struct points){0};
    for (int i = 0; !rc && i < n; i++) {
        struct kvz_block b;
        if (!(rc = kvz_block(k, blocks[i], &b, e)))
            rc = add_sentence(p, k, (struct point){.block = blocks[i], .mass = (double)b.mass},
                              NULL, e);
    }
    if (rc)
        points_done(p);
    return rc;
}

int point_evidence(struct evidence *v, const struct point *x, const struct kvz *k, struct err *e)
{
    int rc = evidence_of(v, k, 0, x->block, x->mass, e);
    if (!rc && !x->whole) {
        v->focus_start = x->v.start;
        v->focus_end = x->v.end < v->end ? x->v.end : v->end;
    }
    return rc;
}

int points_best(const struct point **best, const struct points *p, const char *sentence, size_t n,
                struct err *e)
{
    const char **texts = mem_new((size_t)p->n, sizeof *texts, e);
    if (!texts)
        return ERR_NOMEM;
    for (int i = 0; i < p->n; i++)
        texts[i] = p->v[i].v.text;
    *best = p->n ? &p->v[statement_best(sentence, n, texts, p->n)] : NULL;
    free(texts);
    return 0;
}
