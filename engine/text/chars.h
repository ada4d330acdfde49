// Kinds of bytes of a text. Letters are those of ASCII: what is beyond it is no capital and no space.
#ifndef LCTOOL_ENGINE_CHARS_H
#define LCTOOL_ENGINE_CHARS_H

#include <string.h>

static inline int is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f'; // a form feed ends a page
}

static inline int is_one_of(char c, const char *set)
{
    return c && strchr(set, c);
}

static inline int is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

static inline int is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static inline int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

#endif
