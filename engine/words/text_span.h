// Where in a text.
#ifndef LCTOOL_ENGINE_WORDS_TEXT_SPAN_H
#define LCTOOL_ENGINE_WORDS_TEXT_SPAN_H

#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "engine/words/chars.h"

struct span_of_text {
    size_t from, to;
};

static inline size_t span_bytes(struct span_of_text s)
{
    return s.to - s.from;
}

// S of TEXT without the white space around it; S's end where it is nothing else.
static inline struct span_of_text span_trimmed(const char *text, struct span_of_text s)
{
    while (s.from < s.to && is_space(text[s.from]))
        s.from++;
    while (s.to > s.from && is_space(text[s.to - 1]))
        s.to--;
    return s;
}

// Whether A and B of TEXT are the same.
static inline int span_is_same(const char *text, struct span_of_text a, struct span_of_text b)
{
    return span_bytes(a) == span_bytes(b) && !memcmp(text + a.from, text + b.from, span_bytes(a));
}

// Whether X of A and Y of B are, whatever their case.
static inline int span_is_alike(const char *a, struct span_of_text x, const char *b,
                                struct span_of_text y)
{
    return span_bytes(x) == span_bytes(y) && !strncasecmp(a + x.from, b + y.from, span_bytes(x));
}

#endif
