// Kinds are found as log parsers find them: lines of as many words are of one kind where most words
// that have no digit are the same (He et al., Drain: An Online Log Parsing Approach with Fixed
// Depth Tree, 2017).
#include "engine/summarize/kinds.h"

#include <stdlib.h>
#include <string.h>

#include "engine/sentences/sentences.h"
#include "engine/sentences/stands.h"
#include "engine/words/chars.h"
#include "engine/words/words.h"
#include "io/mem.h"

enum {
    KINDS = 512, // that are told apart; more are no kinds any more
    WORDS = 32,  // of a line that are looked at
    ALIKE = 3,   // lines of one kind, that make it one
    NUMBER = 1   // stands for a word with a digit
};

struct kind {
    uint32_t words[WORDS]; // [n] hashes
    int n;
    int64_t times;
    struct point first;
};

struct kinds {
    struct kind *v; // [KINDS]
    int n;
    int64_t lines, prose; // prose: of these, whole sentences
};

static int divides(char c)
{
    return is_space(c) || is_one_of(c, ",;|");
}

static int words_of(const char *text, size_t n, uint32_t words[WORDS])
{
    int count = 0;
    for (size_t at = 0; at < n && count < WORDS;) {
        uint32_t hash = WORD_HASH;
        int number = 0;
        while (at < n && divides(text[at]))
            at++;
        if (at == n)
            break;
        for (; at < n && !divides(text[at]); at++) {
            hash = word_hash_add(hash, text[at]);
            number |= is_digit(text[at]);
        }
        words[count++] = number ? NUMBER : hash;
    }
    return count;
}

// Whether two lines of N words are of one kind: two in three of those that are no numbers in both.
static int is_alike(const uint32_t *a, const uint32_t *b, int n)
{
    int told = 0, same = 0;
    for (int i = 0; i < n; i++) {
        told += a[i] != NUMBER || b[i] != NUMBER;
        same += a[i] != NUMBER && a[i] == b[i];
    }
    return 3 * same >= 2 * told;
}

// Counts the line at which W stands, of which a new kind keeps a copy.
static int count_line(struct kinds *s, const struct sentences *w, struct err *e)
{
    uint32_t words[WORDS];
    const int n = words_of(w->text + w->first, w->last - w->first, words);
    s->lines++;
    s->prose += stands_alone(w->text + w->first, w->last - w->first) >= 1;
    for (int i = 0; i < s->n; i++)
        if (s->v[i].n == n && is_alike(s->v[i].words, words, n)) {
            s->v[i].times++;
            return 0;
        }
    if (s->n == KINDS)
        return 0;
    struct kind *k = &s->v[s->n];
    int rc = point_new(&k->first, w, 0, e);
    if (rc)
        return rc;
    memcpy(k->words, words, sizeof words);
    k->n = n;
    k->times = 1;
    s->n++;
    return 0;
}

static int by_times(const void *a, const void *b)
{
    const struct kind *x = a, *y = b;
    if (x->times != y->times)
        return x->times > y->times ? -1 : 1;
    return (x->first.v.start > y->first.v.start) - (x->first.v.start < y->first.v.start);
}

static int are_records(const struct kinds *s)
{
    int64_t alike = 0;
    for (int i = 0; i < s->n; i++)
        alike += s->v[i].times >= ALIKE ? s->v[i].times : 0;
    return s->lines >= 4 * ALIKE && 4 * alike >= 3 * s->lines && 4 * s->prose <= s->lines;
}

// The most frequent ones in half of WORDS words, at most, then the rarest.
static void choose(struct kinds *s, int words)
{
    int taken = 0;
    qsort(s->v, (size_t)s->n, sizeof *s->v, by_times);
    for (int i = 0, j = s->n; i < j && taken < words;) {
        const int often = 2 * taken < words && (s->v[i].times >= ALIKE || !i);
        struct kind *k = often ? &s->v[i++] : &s->v[--j];
        k->first.taken = 1;
        taken += k->first.words;
    }
}

int points_of_kinds(struct points *p, struct kvz *k, uint64_t from, uint64_t to, int words,
                    struct err *e)
{
    struct sentences w = {0};
    struct kinds s = {.v = mem_new(KINDS, sizeof *s.v, e)};
    int rc = s.v ? sentences_begin(&w, k, from, to, e) : ERR_NOMEM, records = 0;
    *p = (struct points){0};
    while (!rc && (rc = sentences_next(&w, e)) > 0)
        rc = count_line(&s, &w, e);
    sentences_done(&w);
    if (!rc && (records = are_records(&s))) {
        choose(&s, words);
        if (!(p->v = mem_new((size_t)s.n, sizeof *p->v, e)))
            rc = ERR_NOMEM;
        for (int i = 0; !rc && i < s.n; i++)
            if (s.v[i].first.taken) {
                p->v[p->n] = s.v[i].first;
                p->v[p->n++].times = s.v[i].times;
                s.v[i].first = (struct point){0};
            }
    }
    for (int i = 0; s.v && i < s.n; i++)
        point_done(&s.v[i].first);
    free(s.v);
    return rc ? rc : records;
}
