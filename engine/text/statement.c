#include "engine/text/statement.h"

#include <string.h>

#include "engine/text/words.h"

enum { SHORTEST = 4, LONGEST = 40 };

int statement_is_prose(const char *text)
{
    size_t n = strlen(text);
    while (n && strchr(" \n\"')", text[n - 1]))
        n--;
    return n && strchr(".!?", text[n - 1]);
}

// The next word of P[*AT .. N) in small letters, cut at LONGEST bytes; its length, 0 at the end.
static size_t next_word(const char *p, size_t n, size_t *at, char word[LONGEST])
{
    size_t len = 0;
    while (*at < n && !word_has(p[*at]))
        ++*at;
    for (; *at < n && word_has(p[*at]); ++*at)
        if (len < LONGEST)
            word[len++] = (char)(p[*at] >= 'A' && p[*at] <= 'Z' ? p[*at] + ('a' - 'A') : p[*at]);
    return len;
}

static int has_word(const char *text, const char *word, size_t len)
{
    char other[LONGEST];
    size_t n = strlen(text), at = 0, m;
    while ((m = next_word(text, n, &at, other)))
        if (m == len && !memcmp(word, other, len))
            return 1;
    return 0;
}

int statement_best(const char *sentence, size_t bytes, const char *const *texts, int n)
{
    int best = 0;
    double most = 0;
    for (int i = 0; i < n; i++) {
        char word[LONGEST];
        size_t at = 0, len;
        double score = 0;
        while ((len = next_word(sentence, bytes, &at, word))) {
            size_t before = 0, m;
            char other[LONGEST];
            int again = 0, having = 0;
            size_t start = at - len;
            while (before < start && (m = next_word(sentence, start, &before, other)))
                again |= m == len && !memcmp(word, other, len);
            if (len < SHORTEST || again || !has_word(texts[i], word, len))
                continue;
            for (int j = 0; j < n; j++)
                having += has_word(texts[j], word, len);
            score += 1. / having;
        }
        if (score > most) {
            most = score;
            best = i;
        }
    }
    return best;
}
