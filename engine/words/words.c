#define _GNU_SOURCE // memmem
#include "engine/words/words.h"

#include <string.h>

#include "engine/words/chars.h"
#include "engine/words/irregular.h"

// C in lower case if it is a byte of words, else 0.
static unsigned char folded(char c)
{
    const unsigned char u = (unsigned char)c, low = u | 0x20;
    if (low >= 'a' && low <= 'z')
        return low;
    return (u >= '0' && u <= '9') || u >= 0x80 ? u : 0;
}

int word_has(char c)
{
    return folded(c) != 0;
}

size_t word_start_before(const char *text, size_t least, size_t to)
{
    while (to > least && word_has(text[to - 1]))
        to--;
    return to;
}

// The stem of the word TEXT [n], which has a digit and is longer than a stem, such as a number or
// the name of a part. Two that only begin alike get different stems.
static void numbered_stem(const char *text, size_t n, char stem[WORD_STEM])
{
    enum { KEPT = 1 };         // its first byte,
    uint32_t hash = WORD_HASH; // and a hash of all bytes
    for (size_t i = 0; i < n; i++)
        hash = word_hash_add(hash, (char)folded(text[i]));
    memcpy(stem + KEPT, &hash, WORD_STEM - KEPT);
}

// Words of at most so many bytes may have an ending within the first bytes.
enum { SHORT = 9 };

static int is_vowel(char c)
{
    return strchr("aeiouy", c) != NULL;
}

static int has_vowel(const char *word, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (is_vowel(word[i]))
            return 1;
    return 0;
}

int word_is_plural(const char *word, size_t n)
{
    return n > 3 && to_small(word[n - 1]) == 's' && !is_one_of(to_small(word[n - 2]), "siu");
}

// How many bytes of WORD [n] are left without a plural ending.
static size_t singular(const char *word, size_t n)
{
    n -= (size_t)word_is_plural(word, n);
    return n > 4 && !memcmp(word + n - 3, "sse", 3) ? n - 1 : n; // "passes"
}

// Likewise without "-ed" or "-ing": a doubled consonant becomes one ("stopped"), and an "e" that
// "named" lost is put back.
static size_t without_ending(char *word, size_t n)
{
    const int ed = n > 4 && !memcmp(word + n - 2, "ed", 2),
              ing = n > 5 && !memcmp(word + n - 3, "ing", 3) && has_vowel(word, n - 3);
    if (ed && word[n - 3] == 'e') // "agreed"
        return n - 1;
    if (n == 4 && !memcmp(word + 2, "ed", 2) && word[1] != 'e' && // "died", but not "need", "shed"
        (is_vowel(word[0]) || is_vowel(word[1])))
        return n - 1;
    if (!ed && !ing)
        return n;
    n -= ed ? 2 : 3;
    if (n > 3 && word[n - 1] == word[n - 2] && !strchr("lszaeiou", word[n - 1]))
        return n - 1;
    if (n == 3 && !is_vowel(word[0]) && is_vowel(word[1]) && !is_vowel(word[2]) &&
        !strchr("wx", word[2]))
        word[n++] = 'e';
    return n;
}

// Likewise with an "i" for a "y" behind a consonant, as "cities" has it.
static size_t without_y(char *word, size_t n)
{
    if (n == 4 && !memcmp(word + 2, "ie", 2)) // "flies"
        return n - 1;
    if (n > 2 && n <= WORD_STEM && word[n - 1] == 'y' && !is_vowel(word[n - 2]))
        word[n - 1] = 'i';
    return n;
}

// The stem of WORD [n], in small letters: that of what it is a form of, or by rules of English
// (after Porter's first step) "park" for "parked", "dog" for "dogs", the same for "close" and
// "closed".
static void stem_of(char word[SHORT], size_t n, char stem[WORD_STEM])
{
    const char *base = irregular_base(word, n, &n);
    if (base)
        memcpy(word, base, n);
    if (n > 3)
        n = without_ending(word, singular(word, n));
    n = without_y(word, n);
    if (n == WORD_STEM && word[n - 1] == 'e' && word[n - 2] != 'e')
        n--;
    memset(stem, 0, WORD_STEM);
    memcpy(stem, word, n < WORD_STEM ? n : WORD_STEM);
}

// The stem of the short word TEXT [n]; one with a letter beyond ASCII keeps its first bytes.
static void short_stem(const char *text, size_t n, char stem[WORD_STEM])
{
    char word[SHORT];
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)(word[i] = (char)folded(text[i])) >= 0x80)
            return;
    stem_of(word, n, stem);
}

int word_next(const char *text, size_t n, size_t *at, char stem[WORD_STEM], size_t *bytes)
{
    size_t i = *at;
    unsigned char c = 0;
    while (i < n && !(c = folded(text[i])))
        i++;
    *at = i;
    if (i >= n)
        return 0;
    memset(stem, 0, WORD_STEM);
    const size_t from = i;
    int digits = 0;
    for (; c; c = i < n ? folded(text[i]) : 0) {
        digits |= is_digit((char)c);
        if (i - from < WORD_STEM)
            stem[i - from] = (char)c;
        i++;
    }
    if (digits && i - from > WORD_STEM)
        numbered_stem(text + from, i - from, stem);
    else if (!digits && i - from <= SHORT)
        short_stem(text + from, i - from, stem);
    if (bytes)
        *bytes = i - *at;
    *at = i;
    return 1;
}

// C's bit in word_starts.second; other bytes may have the same.
static uint64_t second_bit(unsigned char c)
{
    return (uint64_t)1 << (c % 64);
}

void word_starts_add(struct word_starts *s, const char stem[WORD_STEM], int numbered)
{
    uint64_t *second = &s->second[(unsigned char)stem[0]];
    *second |= numbered ? ~(uint64_t)0 : second_bit((unsigned char)stem[1]);
    for (const struct irregular *f = irregular_next(NULL); f; f = irregular_next(f)) {
        char word[SHORT], own[WORD_STEM];
        const size_t n = irregular_bytes(f->base);
        memcpy(word, f->base, n);
        stem_of(word, n, own);
        if (!memcmp(own, stem, WORD_STEM))
            *second |= second_bit((unsigned char)f->form[1]);
    }
}

int word_next_of(const struct word_starts *s, const char *text, size_t n, size_t *at,
                 char stem[WORD_STEM], uint32_t *passed)
{
    size_t i = *at;
    for (*passed = 0;; ++*passed) {
        unsigned char c = 0;
        while (i < n && !(c = folded(text[i])))
            i++;
        *at = i;
        if (i == n)
            return 0;
        if (s->second[c] & second_bit(i + 1 < n ? folded(text[i + 1]) : 0))
            return word_next(text, n, at, stem, NULL);
        while (i < n && folded(text[i]))
            i++;
    }
}

size_t word_small(const char *text, size_t n, size_t *at, char *word, size_t most)
{
    size_t len = 0;
    unsigned char c;
    while (*at < n && !word_has(text[*at]))
        ++*at;
    for (; *at < n && (c = folded(text[*at])); ++*at)
        if (len < most)
            word[len++] = (char)c;
    return len;
}

int word_has_digit(const char *word, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (is_digit(word[i]))
            return 1;
    return 0;
}

int word_is_year(const char *word, size_t n)
{
    return n == 4 && (!memcmp(word, "19", 2) || !memcmp(word, "20", 2)) && is_digit(word[2]) &&
           is_digit(word[3]);
}

int word_is_in(const char *text, size_t n, const char stem[WORD_STEM])
{
    char other[WORD_STEM];
    for (size_t at = 0; at < n;) {
        const unsigned char first = folded(text[at]);
        if (first && first == (unsigned char)*stem) {
            word_next(text, n, &at, other, NULL);
            if (!memcmp(stem, other, WORD_STEM))
                return 1;
            continue;
        }
        do // most words begin otherwise and need no stem
            at++;
        while (first && at < n && folded(text[at]));
    }
    return 0;
}

static int is_ending(const char *p, size_t n)
{
    static const char endings[] =
        " s es 's d ed ing e r rs er ers or ors y ies ied ly n en ren al ion ions ";
    return !n || word_is_listed(endings, p, n);
}

size_t word_same(const char *a, size_t n, const char *b, size_t m)
{
    size_t same = 0;
    while (same < n && same < m && to_small(a[same]) == to_small(b[same]))
        same++;
    return same;
}

// Whether A [n] and B [m] are the same word, or forms of one by their endings.
static int are_forms(const char *a, size_t n, const char *b, size_t m)
{
    const size_t same = word_same(a, n, b, m);
    return (same == n && same == m) ||
           (same > 2 && !word_has_digit(a, n) && is_ending(a + same, n - same) &&
            is_ending(b + same, m - same));
}

// What WORD [*n] is an irregular form of, in *N; WORD itself where a rule tells it.
static const char *base_of(const char *word, size_t *n)
{
    char small[IRREGULAR_LONGEST];
    size_t at = 0;
    const char *base = *n <= sizeof small && word_small(word, *n, &at, small, sizeof small) == *n
                           ? irregular_base(small, *n, n)
                           : NULL;
    return base ? base : word;
}

int word_form_is_in(const char *text, size_t n, const char *word, size_t bytes)
{
    size_t n_base = bytes, n_own;
    const char *base = base_of(word, &n_base);
    char other[WORD_STEM];
    for (size_t at = 0; word_next(text, n, &at, other, &n_own);) {
        const char *own = text + at - n_own;
        if (are_forms(word, bytes, own, n_own))
            return 1;
        if (to_small(*own) != to_small(*word))
            continue;
        const char *own_base = base_of(own, &n_own);
        if (are_forms(base, n_base, own_base, n_own))
            return 1;
    }
    return 0;
}

static const char COMMON[] = "about after also among another because been before being between "
                             "both could does each either from have here however "
                             "into itself just like made make many more most much must only other "
                             "over same several should since some such than "
                             "that their them then there these they this those through thus under "
                             "until used uses using very well were what when "
                             "where whether which while will with within without would your";

int word_is_common(const char stem[WORD_STEM])
{
    return word_is_in(COMMON, sizeof COMMON - 1, stem);
}

int word_says_little(const char *word, size_t bytes, const char stem[WORD_STEM])
{
    return word_is_common(stem) && word_form_is_in(COMMON, sizeof COMMON - 1, word, bytes);
}

// Writes WORD [n] and a space to byte TO of OUT; returns where they end.
static size_t put_word(char *out, size_t to, const char *word, size_t n)
{
    memcpy(out + to, word, n);
    out[to + n] = ' ';
    return to + n + 1;
}

void words_new(const char *text, const char *known, char *out)
{
    size_t at = 0, bytes, to = 0;
    char stem[WORD_STEM];
    while (word_next(text, strlen(text), &at, stem, &bytes)) {
        size_t from = at - bytes;
        if (word_is_in(known, strlen(known), stem) || word_is_in(text, from, stem))
            continue;
        to = put_word(out, to, text + from, bytes);
    }
    out[to] = 0;
}

void words_lacking(const char *question, const char *text, char *out)
{
    enum { SHORTEST = 4 };
    size_t at = 0, bytes, to = 0;
    char stem[WORD_STEM];
    while (word_next(question, strlen(question), &at, stem, &bytes))
        if (bytes >= SHORTEST && !word_is_common(stem) && !word_is_in(text, strlen(text), stem))
            to = put_word(out, to, question + at - bytes, bytes);
    out[to] = 0;
}

// Whether A [n_a] and B [n_b] are the same word, except perhaps for one more letter at the end.
static int same_word(const char *a, size_t n_a, const char *b, size_t n_b)
{
    size_t n = 0;
    while (n < n_a && n < n_b && folded(a[n]) == folded(b[n]))
        n++;
    return n_a + n_b - 2 * n <= 1;
}

static int is_among(const char *word, size_t n, const char *among)
{
    char stem[WORD_STEM];
    size_t bytes;
    for (size_t at = 0; word_next(among, strlen(among), &at, stem, &bytes);)
        if (same_word(word, n, among + at - bytes, bytes))
            return 1;
    return 0;
}

void words_shared(const char *text, const char *among, char *out)
{
    size_t at = 0, bytes, to = 0;
    char stem[WORD_STEM];
    while (word_next(text, strlen(text), &at, stem, &bytes)) {
        if (is_among(text + at - bytes, bytes, among))
            to = put_word(out, to, text + at - bytes, bytes);
    }
    out[to] = 0;
}

int words_known(const char *text, const char *a, const char *b)
{
    char stem[WORD_STEM];
    for (size_t at = 0; word_next(text, strlen(text), &at, stem, NULL);)
        if (!word_is_in(a, strlen(a), stem) && !word_is_in(b, strlen(b), stem))
            return 0;
    return 1;
}

int word_place(const char *list, const char *word, size_t n)
{
    char key[WORD_LISTED + 3] = " ";
    size_t at = 0;
    if (!n || n > WORD_LISTED || word_small(word, n, &at, key + 1, WORD_LISTED) != n)
        return 0;
    key[1 + n] = ' ';
    const char *end = strstr(list, key);
    if (!end)
        return 0;
    int place = 1;
    for (const char *p = list; p < end; p++)
        place += *p == ' ';
    return place;
}

int word_is_listed(const char *list, const char *word, size_t n)
{
    return word_place(list, word, n) > 0;
}

int words_listed(const char *list, const char *text, size_t n)
{
    char word[WORD_LISTED + 1]; // a longer word is none of a list
    size_t bytes;
    for (size_t at = 0; (bytes = word_small(text, n, &at, word, sizeof word));)
        if (word_is_listed(list, word, bytes))
            return 1;
    return 0;
}

int word_is_short_not(const char *word, size_t n)
{
    static const char ending[] = "n\u2019t";
    const size_t own = sizeof ending - 1;
    return n > own && !memcmp(word + n - own, ending, own);
}

int words_stand_in(const char *text, size_t n, const char *part, size_t bytes)
{
    const char *p = text, *end = text + n;
    for (; bytes && (p = memmem(p, (size_t)(end - p), part, bytes)); p++)
        if ((p == text || !word_has(p[-1])) && (p + bytes == end || !word_has(p[bytes])))
            return 1;
    return 0;
}

int words_any(const char *words, const char *text, size_t n)
{
    char stem[WORD_STEM];
    for (size_t at = 0; word_next(words, strlen(words), &at, stem, NULL);)
        if (word_is_in(text, n, stem))
            return 1;
    return 0;
}

int words_beyond(const char *text, size_t n, const char *words)
{
    const size_t n_words = strlen(words);
    char stem[WORD_STEM];
    int beyond = 0;
    for (size_t at = 0; word_next(text, n, &at, stem, NULL);)
        beyond += !word_is_in(words, n_words, stem);
    return beyond;
}

int words_all(const char *words, const char *text, size_t n)
{
    char stem[WORD_STEM];
    for (size_t at = 0; word_next(words, strlen(words), &at, stem, NULL);)
        if (!word_is_in(text, n, stem))
            return 0;
    return 1;
}
