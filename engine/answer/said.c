#include "engine/answer/said.h"

#include <string.h>
#include <strings.h>

enum { SHORTEST = 4, STEM = 5 }; // bytes of a word that counts, and those by which it is known

static int is_letter(char c)
{
    unsigned char u = (unsigned char)c;
    return (u >= 'a' && u <= 'z') || (u >= 'A' && u <= 'Z') || (u >= '0' && u <= '9') || u >= 0x80;
}

// The next word of TEXT that counts, from *AT on and before N; its bytes, 0 where there is none. *AT goes on behind it.
static size_t next_word(const char *text, size_t n, size_t *at, const char **word)
{
    while (*at < n) {
        while (*at < n && !is_letter(text[*at]))
            ++*at;
        size_t from = *at;
        while (*at < n && is_letter(text[*at]))
            ++*at;
        *word = text + from;
        if (*at - from >= SHORTEST)
            return *at - from;
    }
    return 0;
}

static int has_word(const char *text, size_t n, const char *word, size_t bytes)
{
    const char *other;
    size_t stem = bytes < STEM ? bytes : STEM, m;
    for (size_t at = 0; (m = next_word(text, n, &at, &other));)
        if ((m < STEM ? m : STEM) == stem && !strncasecmp(word, other, stem))
            return 1;
    return 0;
}

int said_before(const char *text, size_t told, size_t n)
{
    const char *word;
    size_t bytes;
    int words = 0, old = 0;
    for (size_t at = told; (bytes = next_word(text, n, &at, &word)); words++)
        old += has_word(text, told, word, bytes);
    return words && 10 * old >= 6 * words;
}

int said_enough(const char *text, size_t n, int words)
{
    int said = 0;
    for (size_t i = 0; i < n; i++)
        said += text[i] == ' ' || text[i] == '\n' || i + 1 == n;
    return 4 * said >= 3 * words;
}
