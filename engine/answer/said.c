#include "engine/answer/said.h"

#include "engine/text/words.h"

enum { SHORTEST = 4 }; // bytes of a word that counts

int said_before(const char *text, size_t told, size_t n)
{
    char stem[WORD_STEM];
    size_t bytes;
    int words = 0, old = 0;
    for (size_t at = told; word_next(text, n, &at, stem, &bytes);) {
        if (bytes < SHORTEST)
            continue;
        words++;
        old += word_is_in(text, told, stem);
    }
    return words && 10 * old >= 6 * words;
}

int said_enough(const char *text, size_t n, int words)
{
    int said = 0;
    for (size_t i = 0; i < n; i++)
        said += text[i] == ' ' || text[i] == '\n' || i + 1 == n;
    return 4 * said >= 3 * words;
}
