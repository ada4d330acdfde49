#include "engine/text/statement.h"

#include <string.h>

#include "engine/text/words.h"

enum { SHORTEST = 4, LONGEST = 40 };

static int is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

size_t statement_next(const char *text, size_t from, size_t *start)
{
    size_t end;
    while (is_space(text[from]))
        from++;
    *start = from;
    for (end = from; text[end]; end++) {
        int stop = text[end] == '.' || text[end] == '!' || text[end] == '?';
        if (text[end] == '\n' && text[end + 1] == '\n')
            break;
        if (stop && (!text[end + 1] || is_space(text[end + 1])))
            return end + 1;
    }
    while (end > from && is_space(text[end - 1]))
        end--;
    return end > from ? end : 0;
}

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
