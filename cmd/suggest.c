#define _GNU_SOURCE
#include "cmd/suggest.h"

#include <string.h>

enum {
    WORD_MAX = 63,
    SHORTENED = 3, // letters of a name that are meant for it
};

static unsigned min2(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

// Edit distance with transpositions counting once (optimal string alignment). Words longer than
// WORD_MAX bytes are cut there.
static unsigned distance(const char *a, const char *b)
{
    size_t n = strnlen(a, WORD_MAX), m = strnlen(b, WORD_MAX);
    unsigned rows[3][WORD_MAX + 1]; // of the distance matrix: i-2, i-1 and i
    unsigned *before = rows[0], *last = rows[1], *now = rows[2];
    for (size_t j = 0; j <= m; j++)
        last[j] = (unsigned)j;
    for (size_t i = 1; i <= n; i++) {
        now[0] = (unsigned)i;
        for (size_t j = 1; j <= m; j++) {
            now[j] = last[j - 1] + (a[i - 1] != b[j - 1]);
            now[j] = min2(now[j], min2(last[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = min2(now[j], before[j - 2] + 1);
        }
        unsigned *oldest = before;
        before = last;
        last = now;
        now = oldest;
    }
    return last[m];
}

void suggest_offer(struct suggest *s, const char *name)
{
    const size_t n = strnlen(s->word, WORD_MAX);
    const int is_begun = n >= SHORTENED && !strncmp(s->word, name, n);
    unsigned d = is_begun ? 1 : distance(s->word, name);
    // A third of the word may be wrong; more would be guessing.
    if (d > 1 + n / 3 || d >= strnlen(name, WORD_MAX))
        return;
    if (!s->best || d < s->distance) {
        s->best = name;
        s->distance = d;
    }
}
