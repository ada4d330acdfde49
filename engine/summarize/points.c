#include "engine/summarize/points.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/lines/lines.h"
#include "engine/sentences/cut.h"
#include "engine/sentences/sentences.h"
#include "engine/sentences/stands.h"
#include "engine/words/chars.h"
#include "engine/words/statement.h"
#include "engine/words/words.h"
#include "io/mem.h"

enum {
    KEPT = 8,     // sentences of a part that are chosen from
    PART = 24,    // words that each part is to say
    SHORTEST = 4, // bytes of a word that counts
    FULL = 5,     // words that count, of which a sentence should have as many
    TIMES = 1 << 20,
};
static const double LEADING = 3, // the first sentence under a heading
    OPENING = 1.5,               // one of the first few of a document, and more the first
    SAID = 0.1,                  // a word that was said
    OFTEN = 0.1,                 // one that is there three times, at the foot of each mail or page
    AGAIN = 0.5;                 // the next sentence of the same part, or under the same heading

// Words of headings under which a text says what it says.
static const char SUMMARIES[] = "abstract summary introduction overview conclusion purpose";

// What each word is worth: a table of SIZE places, a power of two, half of which may be taken.
// Words that come when it is full are rare ones.
struct lexicon {
    struct counted_word *v; // [size]
    size_t size, n;
    double all;    // words that were counted
    int64_t words; // and those that say nothing
    uint64_t headings;
    unsigned char *times; // [TIMES] how often sentences are there, by a hash of their words
};
struct counted_word {
    char stem[WORD_STEM], said;
    double count; // 0: the place is free
};

// The next word of TEXT [n] that says something; 0: there is none.
static int telling_word(const char *text, size_t n, size_t *at, char stem[WORD_STEM])
{
    size_t bytes;
    while (word_next(text, n, at, stem, &bytes))
        if (bytes >= SHORTEST && !word_is_common(stem))
            return 1;
    return 0;
}

static uint32_t hash_stem(uint32_t hash, const char stem[WORD_STEM])
{
    for (int i = 0; i < WORD_STEM; i++)
        hash = word_hash_add(hash, stem[i]);
    return hash;
}

// Where it is counted how often the sentence TEXT [n] is there.
static unsigned char *times_of(const struct lexicon *l, const char *text, size_t n)
{
    char stem[WORD_STEM];
    uint32_t hash = WORD_HASH;
    for (size_t at = 0; word_next(text, n, &at, stem, NULL);)
        hash = hash_stem(hash, stem);
    return &l->times[(hash ^ hash >> 16) % TIMES];
}

// Its place.
static struct counted_word *lexicon_find(const struct lexicon *l, const char stem[WORD_STEM])
{
    size_t i = hash_stem(WORD_HASH, stem) & (l->size - 1);
    while (l->v[i].count > 0 && memcmp(l->v[i].stem, stem, WORD_STEM))
        i = (i + 1) & (l->size - 1);
    return &l->v[i];
}

static void lexicon_add(struct lexicon *l, const char *text, size_t n)
{
    char stem[WORD_STEM];
    for (size_t at = 0; telling_word(text, n, &at, stem); l->all++) {
        struct counted_word *w = lexicon_find(l, stem);
        if (w->count > 0)
            w->count++;
        else if (l->n < l->size / 2) {
            memcpy(w->stem, stem, WORD_STEM);
            w->count = 1;
            l->n++;
        }
    }
}

// What the words of TEXT [n] are worth on average, each counted once. The mean of two or three
// words of an otherwise empty sentence is often high.
static double worth(const struct lexicon *l, const char *text, size_t n)
{
    char stem[WORD_STEM];
    double sum = 0;
    int words = 0;
    for (size_t at = 0, before; before = at, telling_word(text, n, &at, stem);) {
        const struct counted_word *w = lexicon_find(l, stem);
        words++;
        if (!word_is_in(text, before, stem))
            sum += w->count / l->all * (w->said ? SAID : 1);
    }
    return sum / (words > FULL ? words : FULL);
}

// The words of TEXT have been said.
static void lexicon_say(struct lexicon *l, const char *text)
{
    char stem[WORD_STEM];
    for (size_t at = 0; telling_word(text, strlen(text), &at, stem);)
        lexicon_find(l, stem)->said = 1;
}

void point_done(struct point *x)
{
    sentence_done(&x->v);
    free(x->heading);
    *x = (struct point){0};
}

void points_done(struct points *p)
{
    for (int i = 0; i < p->n; i++)
        point_done(&p->v[i]);
    free(p->v);
    *p = (struct points){0};
}

int points_words(const char *text, size_t n)
{
    int words = 0;
    for (size_t i = 0; i < n; i++)
        words += !is_space(text[i]) && (!i || is_space(text[i - 1]));
    return words;
}

int point_new(struct point *x, const struct sentences *w, double stands, struct err *e)
{
    struct kvz_block b;
    int rc = kvz_block(w->k, w->block, &b, e);
    if (rc)
        return rc;
    *x = (struct point){.v = {.document = (uint32_t)b.document, .start = w->start, .end = w->end},
                        .block = w->block,
                        .mass = (double)b.mass,
                        .stands = stands,
                        .of_heading = w->of_heading,
                        .heading = mem_strdup(w->heading, e)};
    x->v.text = mem_new(w->last - w->first + 1, 1, e);
    if (!x->heading || !x->v.text) {
        point_done(x);
        return ERR_NOMEM;
    }
    x->v.text[cut_mend(&w->c, w->first, w->last, x->v.text)] = 0;
    x->words = points_words(x->v.text, strlen(x->v.text));
    return 0;
}

// Whether the sentence at which W stands is but the number of a clause and a few words, with more
// of it behind them: "C4 Somewhere else to live.", its title.
static int only_titles(const struct sentences *w)
{
    enum { CODE = 6, FEW = 8 }; // bytes of the number, words of the title
    const char *text = w->text + w->first;
    const size_t n = w->last - w->first;
    size_t i = 0, digits = 0, words = 0, at, bytes;
    for (; i < n && i < CODE && !is_space(text[i]); i++) {
        digits += is_digit(text[i]);
        if (!is_digit(text[i]) && !is_upper(text[i]) && text[i] != '.')
            return 0;
    }
    if (!digits || i == n || !is_space(text[i]) || text[n - 1] != '.')
        return 0;
    char word[WORD_LISTED];
    for (at = i; (bytes = word_small(text, n, &at, word, sizeof word)) > 0;)
        words++;
    return words <= FEW && w->last < w->n && !line_is_bare(&w->c, line_start(&w->c, w->last + 1));
}

// What the sentence at which W stands is worth beside what its words are. Nothing is before the
// first one of a document that it could lean on.
static double standing(const struct sentences *w, const struct lexicon *l)
{
    enum { FEW = 3 };
    double stands =
        only_titles(w) ? STANDS_IN_LINE : stands_alone(w->text + w->first, w->last - w->first);
    if (*times_of(l, w->text + w->first, w->last - w->first) >= FEW)
        return stands * OFTEN;
    if (stands >= STANDS_LEANING && w->of_document == 1)
        stands = LEADING;
    if (words_any(SUMMARIES, w->heading, strlen(w->heading)))
        stands *= LEADING;
    else if (w->of_document <= FEW)
        stands *= OPENING;
    return stands * (w->under == 1 ? LEADING : 1);
}

// Whether KNOWN has three in four of the words of TEXT [n].
static int says_again(const char *text, size_t n, const char *known)
{
    char stem[WORD_STEM];
    int words = 0, said = 0;
    for (size_t at = 0; telling_word(text, n, &at, stem); words++)
        said += word_is_in(known, strlen(known), stem);
    return said && 4 * said >= 3 * words;
}

// The sentence at which W stands is the first of those of PART, V [KEPT], the worthiest first, that
// are worth less, unless one that is worth more says the same.
static int keep(struct point *v, int part, const struct sentences *w, const struct lexicon *l,
                struct err *e)
{
    const char *text = w->text + w->first;
    const size_t n = w->last - w->first;
    const double stands = standing(w, l);
    const double is = worth(l, text, n) * stands;
    struct point x;
    int at = KEPT, last = KEPT - 1, rc;
    while (at > 0 && (!v[at - 1].v.text || v[at - 1].worth < is))
        at--;
    if (at == KEPT)
        return 0;
    for (int i = 0; i < at; i++)
        if (says_again(text, n, v[i].v.text))
            return 0;
    if ((rc = point_new(&x, w, stands, e)))
        return rc;
    for (int i = KEPT - 1; i >= at; i--) // one that says the same goes, else the last
        if (v[i].v.text && says_again(v[i].v.text, strlen(v[i].v.text), x.v.text))
            last = i;
    x.worth = is;
    x.part = part;
    point_done(&v[last]);
    memmove(v + at + 1, v + at, (size_t)(last - at) * sizeof *v);
    v[at] = x;
    return 0;
}

static int count_all(struct lexicon *l, struct kvz *k, uint64_t from, uint64_t to, struct err *e)
{
    struct sentences w;
    int rc = sentences_begin(&w, k, from, to, e);
    while (!rc && (rc = sentences_next(&w, e)) > 0) {
        lexicon_add(l, w.text + w.first, w.last - w.first);
        unsigned char *times = times_of(l, w.text + w.first, w.last - w.first);
        *times += *times < 255;
        l->headings = w.of_heading;
        l->words += points_words(w.text + w.first, w.last - w.first);
        rc = 0;
    }
    sentences_done(&w);
    return rc;
}

// Of each of N_PARTS parts the worthiest sentences, to P.
static int keep_all(struct points *p, int n_parts, const struct lexicon *l, struct kvz *k,
                    uint64_t from, uint64_t to, struct err *e)
{
    struct sentences w;
    int rc = sentences_begin(&w, k, from, to, e);
    while (!rc && (rc = sentences_next(&w, e)) > 0) {
        const int part = (int)((w.block - from) * (uint64_t)n_parts / (to - from));
        rc = keep(p->v + part * KEPT, part, &w, l, e);
    }
    sentences_done(&w);
    return rc;
}

// How many sentences that are taken stand near X: under its heading, and, where the headings of the
// text do not tell its parts, in its part.
static int said_near(const struct points *p, const struct point *x, int by_parts)
{
    int n = 0;
    for (int i = 0; i < p->n; i++)
        if (p->v[i].taken)
            n += (p->v[i].of_heading == x->of_heading) + (by_parts && p->v[i].part == x->part);
    return n;
}

static int is_news(const struct points *p, const struct point *x)
{
    for (int i = 0; i < p->n; i++)
        if (p->v[i].taken && says_again(x->v.text, strlen(x->v.text), p->v[i].v.text))
            return 0;
    return 1;
}

// The worthiest, as far as is known, of those sentences of at most WORDS words that stand for
// themselves better than LEAST; NULL: there is none.
static struct point *best_of(const struct points *p, int words, double least)
{
    struct point *best = NULL;
    for (int i = 0; i < p->n; i++) {
        struct point *x = &p->v[i];
        if (x->v.text && !x->taken && x->stands >= least && x->words <= words &&
            (!best || x->worth > best->worth))
            best = x;
    }
    return best;
}

// Takes, as long as there is room for them among WORDS, the worthiest of sentences that stand for
// themselves better than LEAST. TAKEN: words so far. With each that is taken others are worth less,
// never more, so that one that is still worth most when it is looked at again is.
static void take(struct points *p, int words, double least, int *taken, struct lexicon *l)
{
    const uint64_t parts = (uint64_t)p->n / KEPT;
    const int by_parts = 2 * l->headings < parts || l->headings > 2 * parts;
    while (10 * *taken < 9 * words) {
        struct point *x = best_of(p, *taken ? words + words / 8 - *taken : INT_MAX, least);
        if (!x)
            break;
        const double is = worth(l, x->v.text, strlen(x->v.text)) * x->stands *
                          pow(AGAIN, said_near(p, x, by_parts));
        if (is < x->worth) {
            x->worth = is;
            continue;
        }
        if (!is_news(p, x)) {
            x->stands = -1;
            continue;
        }
        lexicon_say(l, x->v.text);
        *taken += x->words;
        x->taken = 1;
    }
}

static int by_place(const void *a, const void *b)
{
    const struct point *x = a, *y = b;
    if (x->block != y->block)
        return x->block < y->block ? -1 : 1;
    return (x->v.start > y->v.start) - (x->v.start < y->v.start);
}

// What was not taken goes; the others stand as in the document.
static void keep_taken(struct points *p)
{
    int n = 0;
    for (int i = 0; i < p->n; i++) {
        if (p->v[i].taken)
            p->v[n++] = p->v[i];
        else
            point_done(&p->v[i]);
    }
    p->n = n;
    if (n)
        qsort(p->v, (size_t)n, sizeof *p->v, by_place);
}

int points_new(struct points *p, struct kvz *k, uint64_t from, uint64_t to, int words, int half,
               struct err *e)
{
    struct lexicon l = {.size = 1 << 17};
    int n_parts = words / PART < 1 ? 1 : words / PART, taken = 0, rc = 0;
    if ((uint64_t)n_parts > to - from)
        n_parts = (int)(to - from);
    *p =
        (struct points){.v = mem_new((size_t)n_parts * KEPT, sizeof *p->v, e), .n = n_parts * KEPT};
    l.v = mem_new(l.size, sizeof *l.v, e);
    l.times = mem_new(TIMES, 1, e);
    if (!p->v || !l.v || !l.times) {
        p->n = p->v ? p->n : 0;
        rc = ERR_NOMEM;
    }
    rc = rc ? rc : count_all(&l, k, from, to, e);
    if (half && words > l.words / 2)
        words = (int)(l.words / 2);
    rc = rc ? rc : keep_all(p, n_parts, &l, k, from, to, e);
    if (!rc) {
        take(p, words, STANDS_LEANING, &taken, &l);
        if (2 * taken < words)
            take(p, words, STANDS_IN_LINE, &taken, &l);
        if (!taken)
            take(p, words, 0, &taken, &l);
        keep_taken(p);
    } else
        points_done(p);
    free(l.v);
    free(l.times);
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

// All of a block.
static int add_block(struct points *p, const struct kvz *k, uint64_t block, double mass,
                     struct err *e)
{
    struct point x = {.block = block, .mass = mass, .whole = 1};
    int rc = sentence_around(&x.v, k, block, NULL, e);
    if (!rc && !(rc = MEM_GROW(p->v, p->cap, (size_t)p->n + 1, e))) {
        p->v[p->n++] = x;
        return 0;
    }
    point_done(&x);
    return rc;
}

int points_of_blocks(struct points *p, const struct kvz *k, const uint64_t *blocks, int n,
                     struct err *e)
{
    int rc = 0;
    *p = (struct points){0};
    for (int i = 0; !rc && i < n; i++) {
        struct kvz_block b;
        if (!(rc = kvz_block(k, blocks[i], &b, e)))
            rc = add_block(p, k, blocks[i], (double)b.mass, e);
    }
    if (rc)
        points_done(p);
    return rc;
}

int point_evidence(struct evidence *v, const struct point *x, struct kvz *k, struct err *e)
{
    int rc = evidence_of(v, k, 0, x->block, x->mass, e);
    if (!rc && !x->whole)
        rc = evidence_show(v, k, x->v.start, x->v.end, e);
    if (!rc)
        rc = evidence_whole(v, k, e);
    if (rc) {
        free(v->text);
        v->text = NULL;
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
