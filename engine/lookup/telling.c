#include "engine/lookup/telling.h"

#include <string.h>

int telling_word(const char *word, size_t bytes, const char stem[WORD_STEM], size_t least,
                 const char *idle)
{
    return word_has_digit(word, bytes) || (bytes >= least && !word_says_little(word, bytes, stem) &&
                                           !word_is_in(idle, strlen(idle), stem));
}

static int has(const struct telling *a, const char stem[WORD_STEM])
{
    for (int i = 0; i < a->n; i++)
        if (!memcmp(a->stem[i], stem, WORD_STEM))
            return 1;
    return 0;
}

void telling_add(struct telling *a, const char *text, size_t n, size_t least, const char *idle,
                 int first)
{
    char stem[WORD_STEM];
    size_t bytes;
    for (size_t at = 0; a->n < TELLING_WORDS && word_next(text, n, &at, stem, &bytes); first = 0)
        if ((first || telling_word(text + at - bytes, bytes, stem, least, idle)) && !has(a, stem))
            memcpy(a->stem[a->n++], stem, WORD_STEM);
}

int telling_has_all(const struct telling *a, const struct telling *b)
{
    for (int i = 0; i < b->n; i++)
        if (!has(a, b->stem[i]))
            return 0;
    return 1;
}
