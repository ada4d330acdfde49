#include "engine/words/statement.h"

#include <string.h>

#include "engine/words/words.h"

enum { SHORTEST = 4, LONGEST = 40 };

static int has_word(const char *text, const char *word, size_t len)
{
    char other[LONGEST];
    size_t n = strlen(text), at = 0, m;
    while ((m = word_small(text, n, &at, other, LONGEST)))
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
        while ((len = word_small(sentence, bytes, &at, word, LONGEST))) {
            size_t before = 0, m;
            char other[LONGEST];
            int again = 0, having = 0;
            size_t start = at - len;
            while (before < start && (m = word_small(sentence, start, &before, other, LONGEST)))
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
