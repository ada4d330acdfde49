#define _GNU_SOURCE
#include "engine/sentences/divided.h"

#include <string.h>

#include "engine/words/chars.h"
#include "engine/words/words.h"

enum {
    LOOKED = 1 << 16, // bytes before and behind that are looked through
    MOST = 64,        // bytes of a word
    DIVIDED = 3,      // divided words nearby from which on it divides words,
    SHORT = 4096,     // one less in a text of so many bytes,
    SHARE = 50        // and one of as many lines
};

// Whether WORD [n] stands in C as a whole word, be its first letter large or small.
static int has_word(const struct lines *c, const char *word, size_t n)
{
    const char *const end = c->text + c->n, *p = c->text;
    while (n > 1 && (p = memmem(p, (size_t)(end - p), word + 1, n - 1))) {
        const char *const behind = p + n - 1;
        if (p > c->text && to_small(p[-1]) == to_small(*word) &&
            (p - 1 == c->text || !(word_has(p[-2]) || p[-2] == '-')) &&
            (behind == end || !(word_has(*behind) || *behind == '-')))
            return 1;
        p++;
    }
    return 0;
}

// Whether C is of a text that divides words: several of its lines end with a hyphen.
static int divides_words(const struct lines *c)
{
    size_t lines = 0, divided = 0;
    for (size_t at = 0; at < c->n; at = line_end(c, at) + 1) {
        const size_t end = line_end(c, at), last = line_trimmed(c, at, end);
        lines += last > at;
        divided += last > at + 1 && c->text[last - 1] == '-' && is_lower(c->text[last - 2]);
    }
    return divided + (c->n <= SHORT) >= DIVIDED && divided * SHARE >= lines;
}

int divided_word(const struct lines *c, size_t at, const char *first, size_t n_first,
                 const char *second, size_t n_second)
{
    static const char prefixes[] = " self well non ex half cross semi multi all anti pre post ";
    char word[MOST];
    const size_t n = n_first + n_second, from = at > LOOKED ? at - LOOKED : 0,
                 to = c->n - at > LOOKED ? at + LOOKED : c->n;
    const struct lines near = {.text = c->text + from, .n = to - from};
    if (n_first < 1 || n_second < 1 || n + 1 > sizeof word)
        return 0;
    memcpy(word, first, n_first);
    word[n_first] = '-';
    memcpy(word + n_first + 1, second, n_second);
    if (has_word(&near, word, n + 1))
        return 0;
    memcpy(word + n_first, second, n_second);
    if (has_word(&near, word, n))
        return 1;
    return !word_is_listed(prefixes, first, n_first) && divides_words(&near) &&
           !(has_word(&near, first, n_first) && has_word(&near, second, n_second));
}
