// The words and the numbers of a text that is guarded.
#include <string.h>

#include "engine/answer/guard_impl.h"
#include "engine/words/chars.h"

void guard_look_at(struct guard_text *t, const char *text, size_t n)
{
    size_t at = 0;
    int i = 0;
    t->text = text;
    t->n = n;
    for (; i < GUARD_WORDS && word_next(text, n, &at, t->stem[i], &t->bytes[i]); i++)
        t->at[i] = at - t->bytes[i];
    t->words = i;
}

size_t guard_next_number(const char *text, size_t n, size_t *at, int with_points)
{
    while (*at < n && !is_digit(text[*at]))
        ++*at;
    size_t end = *at;
    while (end < n && (is_digit(text[end]) || (with_points && is_one_of(text[end], ".,") &&
                                               end + 1 < n && is_digit(text[end + 1]))))
        end++;
    return end - *at;
}

int guard_has_number(const char *text, size_t n, const char *number, size_t bytes, int with_points)
{
    for (size_t at = 0, own; (own = guard_next_number(text, n, &at, with_points)); at += own)
        if (own == bytes && !memcmp(text + at, number, bytes))
            return 1;
    return 0;
}
