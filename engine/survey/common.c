// The words, or numbers, that are most common in the texts. If there are too many different ones
// for the table, they are counted in parts, one pass each.
#include <stdlib.h>
#include <string.h>

#include "engine/survey/surveys.h"
#include "engine/words/chars.h"
#include "engine/words/letter.h"
#include "engine/words/names.h"
#include "io/hash.h"
#include "io/mem.h"

enum { SLOTS = 1 << 16, FULL = SLOTS / 2, WORD = 64 }; // WORD: bytes of a word and a NUL

struct tally {
    char word[WORD]; // in small letters, padded with NUL
    uint64_t n;      // 0: an empty slot
    uint64_t order;  // number of words before its first place
};

struct common {
    const struct wanted *w;
    struct tally *slots; // [SLOTS]
    struct tally *best;  // [w->n + 1] of the parts so far, most common first
    int used, n_best;
    uint64_t parts, part, seen; // number of parts, the one being counted; words seen so far
};

// Bytes of what a word begins with or, INSIDE of it, goes on with at text[I]: a letter or digit,
// and an apostrophe or underscores before one.
static size_t part_at(const char *text, size_t n, size_t i, int inside)
{
    const size_t letter = i < n ? letter_at(text + i, n - i) : 0;
    size_t joint = 0;
    if (letter || !inside || i >= n)
        return letter;
    while (i + joint < n && text[i + joint] == '_')
        joint++;
    if (!joint)
        joint = text[i] == '\'' ? 1 : n - i > 3 && !memcmp(text + i, "\u2019", 3) ? 3 : 0;
    return joint && letter_at(text + i + joint, n - i - joint) ? joint : 0;
}

// The byte behind the character at byte AT.
static size_t behind(const char *text, size_t n, size_t at)
{
    do
        at++;
    while (at < n && ((unsigned char)text[at] & 0xc0) == 0x80);
    return at;
}

// Appends the BYTES of P, in small letters, to WORD [WORD], of LEN bytes; returns the sum, which
// may be more than there is room for.
static size_t append(char word[WORD], size_t len, const char *p, size_t bytes)
{
    char small[LETTER_BYTES];
    for (size_t end, at = 0; at < bytes; at = end) {
        end = behind(p, bytes, at);
        const size_t n = letter_small(p + at, end - at, small);
        if (len + n <= WORD)
            memcpy(word + len, small, n);
        len += n;
    }
    return len;
}

// Copies the next word, or number with NUMBERS, of TEXT[*AT .. N) to WORD; 0 at the end.
static int next_counted(const char *text, size_t n, size_t *at, int numbers, char word[WORD])
{
    while (*at < n) {
        size_t len = 0, bytes;
        int letters = 0;
        memset(word, 0, WORD);
        for (; (bytes = part_at(text, n, *at, len > 0)); *at += bytes) {
            letters |= !is_digit(text[*at]);
            len = append(word, len, text + *at, bytes);
        }
        if (!len)
            *at = behind(text, n, *at);
        else if (letters != numbers && len <= WORD)
            return 1;
    }
    return 0;
}

// Returns 0 if the table is full.
static int count_word(struct common *c, const char word[WORD])
{
    uint64_t hash = hash64(word, WORD);
    c->seen++;
    if ((hash >> 32) % c->parts != c->part)
        return 1;
    size_t at = hash % SLOTS;
    while (c->slots[at].n && memcmp(c->slots[at].word, word, WORD) != 0)
        at = (at + 1) % SLOTS;
    if (!c->slots[at].n++) {
        memcpy(c->slots[at].word, word, WORD);
        c->slots[at].order = c->seen;
        c->used++;
    }
    return c->used < FULL;
}

// Keeps T if it is among the most common; of equally common ones those that come first in the
// texts.
static void keep_best(struct common *c, const struct tally *t)
{
    int at = c->n_best;
    while (at > 0 && (t->n > c->best[at - 1].n ||
                      (t->n == c->best[at - 1].n && t->order < c->best[at - 1].order)))
        at--;
    if (at == c->w->n)
        return;
    memmove(c->best + at + 1, c->best + at, (size_t)(c->n_best - at) * sizeof *c->best);
    c->best[at] = *t;
    c->n_best += c->n_best < c->w->n;
}

// Counts one part of the words: 1, 0 if there are too many, or an error.
static int count_part(struct common *c, const struct lookup *v, struct err *e)
{
    struct texts t;
    char word[WORD];
    int rc, fits = 1;
    memset(c->slots, 0, SLOTS * sizeof *c->slots);
    c->used = 0;
    c->seen = 0;
    texts_begin(&t, v->k, v->n_k);
    while (fits && (rc = texts_next(&t, e)) > 0)
        for (size_t at = 0; fits && next_counted(t.text, t.n, &at, c->w->numbers, word);)
            fits = count_word(c, word);
    if (!fits || rc)
        return fits ? rc : 0;
    for (size_t i = 0; i < SLOTS; i++)
        if (c->slots[i].n)
            keep_best(c, &c->slots[i]);
    return 1;
}

// Counts all words, in as many parts as are needed for each to fit: 1, or an error.
static int count_all(struct common *c, const struct lookup *v, struct err *e)
{
    for (c->parts = 1;; c->parts *= 2) {
        int rc = 1;
        c->n_best = 0;
        for (c->part = 0; rc > 0 && c->part < c->parts; c->part++)
            rc = count_part(c, v, e);
        if (rc)
            return rc;
    }
}

// Adds the first place of WORD.
static int add_first(struct lookup *v, const char *word, struct err *e)
{
    struct texts t;
    size_t at = 0, bytes;
    int rc;
    texts_begin(&t, v->k, v->n_k);
    while ((rc = texts_next(&t, e)) > 0)
        if (name_next(word, t.text, t.n, &at, &bytes))
            return lookup_add(v, &t, (struct span_of_text){at, at + bytes}, 1, e);
    return rc;
}

int survey_common(struct lookup *v, struct err *e)
{
    struct common c = {.w = &v->w};
    c.slots = mem_new(SLOTS, sizeof *c.slots, e);
    c.best = mem_new((size_t)v->w.n + 1, sizeof *c.best, e);
    int rc = c.slots && c.best ? count_all(&c, v, e) : ERR_NOMEM;
    for (int i = 0; rc > 0 && i < c.n_best; i++) {
        char word[WORD + 1] = "";
        memcpy(word, c.best[i].word, WORD);
        fprintf(v->out, "%s%s (%llu%s)", i ? ", " : "", word, (unsigned long long)c.best[i].n,
                i                 ? ""
                : c.best[i].n > 1 ? " times"
                                  : " time");
        if (i < v->s->most) {
            int added = add_first(v, word, e);
            rc = added < 0 ? added : rc;
        }
    }
    rc = rc > 0 ? c.n_best > 0 : rc;
    free(c.slots);
    free(c.best);
    return rc;
}
