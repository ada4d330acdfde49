#include "engine/survey/spelling.h"

#include <string.h>

#include "engine/lookup/texts.h"
#include "engine/words/chars.h"
#include "engine/words/words.h"
#include "io/mem.h"

enum {
    SLIPS = 4,    // words of a question that are looked for, at most
    SHORTEST = 5, // letters of one that may be a word of a document,
    COMMON = 4,   // or of those below
    LONGEST = 32,
    OTHER = 6, // letters of one that may have another letter in it
};

// Words with which questions are asked, and whose loss changes what is asked for.
static const char ASKING[] =
    "which what where when whose should would could does about there their";

// A word of the question, and what may have been meant.
struct slip {
    const char *word; // [n]
    size_t n;
    char stem[WORD_STEM];
    const char *meant; // [n_meant] in a document, with as few capitals as anywhere; NULL: none yet
    size_t n_meant;
    int is_there;  // 1: a document has the word, or two others like it: it is left as it is
    int is_common; // 1: what is meant is one of ASKING
};

static int is_rest(const char *a, size_t n, const char *b, size_t m)
{
    return n == m && word_same(a, n, b, m) == n;
}

// Whether one slip makes B [m] of A [n], which begin alike.
static int is_slip(const char *a, size_t n, const char *b, size_t m)
{
    static const char derives[] = "SsRrDdNnYy"; // "tuner" is no slip of "tune"
    const size_t i = word_same(a, n, b, m);
    if (!i || (i == n && i == m))
        return 0;
    if ((i == n && m == n + 1 && is_one_of(b[i], derives)) ||
        (i == m && n == m + 1 && is_one_of(a[i], derives)))
        return 0;
    if (n != m)
        return n < m ? is_rest(a + i, n - i, b + i + 1, m - i - 1)
                     : is_rest(a + i + 1, n - i - 1, b + i, m - i);
    if (n >= OTHER && is_rest(a + i + 1, n - i - 1, b + i + 1, m - i - 1))
        return 1;
    return i + 1 < n && to_small(a[i]) == to_small(b[i + 1]) &&
           to_small(a[i + 1]) == to_small(b[i]) &&
           is_rest(a + i + 2, n - i - 2, b + i + 2, m - i - 2);
}

static int is_of_letters(const char *word, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!is_lower(to_small(word[i])))
            return 0;
    return 1;
}

// Whether the word of S is a slip of one of ASKING, which it means then.
static int asks(struct slip *s)
{
    char stem[WORD_STEM];
    size_t bytes;
    for (size_t at = 0; word_next(ASKING, sizeof ASKING - 1, &at, stem, &bytes);)
        if (is_slip(s->word, s->n, ASKING + at - bytes, bytes)) {
            s->meant = ASKING + at - bytes;
            s->n_meant = bytes;
            s->is_common = 1;
            return 1;
        }
    return 0;
}

// Words of QUESTION that may have been mistyped, to S [SLIPS]; their number.
static int find_slips(struct slip *s, const char *question, spelling_is_word *is_word,
                      const void *ctx)
{
    const size_t n = strlen(question);
    size_t bytes, quoted = 0, from = 0;
    char stem[WORD_STEM], own[LONGEST];
    int slips = 0;
    for (size_t at = 0; slips < SLIPS && word_next(question, n, &at, stem, &bytes); from = at) {
        const char *word = question + at - bytes;
        for (const char *p = question + from; p < word; p++)
            quoted += *p == '"' || *p == '`';
        if (quoted % 2 || bytes < COMMON || bytes > LONGEST || !is_of_letters(word, bytes) ||
            word_is_common(stem))
            continue;
        for (size_t i = 0; i < bytes; i++)
            own[i] = to_small(word[i]);
        if (is_word(ctx, own, bytes))
            continue;
        s[slips] = (struct slip){.word = word, .n = bytes};
        memcpy(s[slips].stem, stem, WORD_STEM);
        slips += asks(&s[slips]) || bytes >= SHORTEST;
    }
    return slips;
}

static int capitals(const char *word, size_t n)
{
    int of = 0;
    for (size_t i = 0; i < n; i++)
        of += is_upper(word[i]);
    return of;
}

// A document has WORD [n].
static void compare(struct slip *s, const char *word, size_t n, const char stem[WORD_STEM])
{
    if (!memcmp(s->stem, stem, WORD_STEM)) {
        s->is_there = 1;
        return;
    }
    if (s->is_common || n + 1 < s->n || n > s->n + 1 || to_small(*word) != to_small(*s->word) ||
        !is_slip(s->word, s->n, word, n) || !is_of_letters(word, n) || word_is_common(stem))
        return;
    if (!s->meant ||
        (is_rest(s->meant, s->n_meant, word, n) && capitals(word, n) < capitals(s->meant, n))) {
        s->meant = word;
        s->n_meant = n;
    } else if (!is_rest(s->meant, s->n_meant, word, n)) {
        s->is_there = 1;
    }
}

// Searches T's text for the words of S [slips] that it has, in small letters or with a capital:
// most of them, and much faster than word by word. Returns how many are left.
static int leave_known(struct slip *s, int slips, const struct texts *t)
{
    int left = 0;
    for (int i = 0; i < slips; i++) {
        char own[LONGEST];
        for (size_t j = 0; j < s[i].n; j++)
            own[j] = to_small(s[i].word[j]);
        s[i].is_there = s[i].is_there || words_stand_in(t->text, t->n, own, s[i].n);
        own[0] = (char)(own[0] - 'a' + 'A');
        s[i].is_there = s[i].is_there || words_stand_in(t->text, t->n, own, s[i].n);
        left += !s[i].is_there;
    }
    return left;
}

static void look_through(struct slip *s, int slips, const struct texts *t)
{
    char stem[WORD_STEM];
    size_t bytes;
    int left = leave_known(s, slips, t);
    for (size_t at = 0; left && word_next(t->text, t->n, &at, stem, &bytes);) {
        left = 0;
        for (int i = 0; i < slips; i++) {
            if (!s[i].is_there)
                compare(&s[i], t->text + at - bytes, bytes, stem);
            left += !s[i].is_there;
        }
    }
}

// Whether S's word is a name by its capital, which nothing before it in QUESTION asks for, and what
// may be meant is none: "Wales" is no slip of "whales".
static int is_name(const struct slip *s, const char *question)
{
    const char *p = s->word;
    while (p > question && !word_has(p[-1]) && !is_one_of(p[-1], ".!?:"))
        p--;
    return p > question && word_has(p[-1]) && is_upper(*s->word) &&
           capitals(s->word, s->n) < (int)s->n && !is_upper(*s->meant) && !s->is_common;
}

// QUESTION with what was meant by S [n]; NULL without memory.
static char *with_meant(const char *question, const struct slip *s, int n, struct err *e)
{
    size_t bytes = strlen(question) + 1, to = 0;
    for (int i = 0; i < n; i++)
        bytes += s[i].n_meant;
    char *out = mem_new(bytes, 1, e);
    const char *from = question;
    for (int i = 0; out && i < n; i++) {
        const size_t before = (size_t)(s[i].word - from);
        memcpy(out + to, from, before);
        memcpy(out + to + before, s[i].meant, s[i].n_meant);
        to += before + s[i].n_meant;
        from = s[i].word + s[i].n;
    }
    if (out)
        memcpy(out + to, from, strlen(from) + 1);
    return out;
}

int spelling_mended(char **out, const char *question, struct kvz *const *k, int n_k,
                    spelling_is_word *is_word, const void *ctx, struct err *e)
{
    struct slip s[SLIPS];
    struct texts t;
    const int slips = find_slips(s, question, is_word, ctx);
    int n = 0, rc = slips ? texts_are_there(k, n_k, e) : 0;
    *out = NULL;
    if (rc <= 0)
        return rc;
    texts_begin(&t, k, n_k);
    while ((rc = texts_next(&t, e)) > 0)
        look_through(s, slips, &t);
    for (int i = 0; i < slips; i++)
        if (s[i].meant && !s[i].is_there && !is_name(&s[i], question))
            s[n++] = s[i];
    if (!rc && n && !(*out = with_meant(question, s, n, e)))
        rc = ERR_NOMEM;
    return rc;
}
