// Kinds of bytes of a text. Letters are those of ASCII: what is beyond it is no capital and no
// space.
#ifndef LCTOOL_ENGINE_WORDS_CHARS_H
#define LCTOOL_ENGINE_WORDS_CHARS_H

#include <string.h>
#include <strings.h>

static inline int is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f'; // a form feed ends a page
}

// Whether C is white space inside a line.
static inline int is_gap(char c)
{
    return c == ' ' || c == '\t';
}

// The byte behind the white space inside a line, and behind any white space, from byte AT of TEXT
// on, before byte END.
static inline size_t past_blanks(const char *text, size_t at, size_t end)
{
    while (at < end && is_gap(text[at]))
        at++;
    return at;
}

static inline size_t past_spaces(const char *text, size_t at, size_t end)
{
    while (at < end && is_space(text[at]))
        at++;
    return at;
}

// Bytes of the white space at the beginning of TEXT [n], of a no-break one 2; 0: there is none.
static inline size_t white_space(const char *text, size_t n)
{
    if (n >= 2 && text[0] == '\xc2' && text[1] == '\xa0')
        return 2;
    return n > 0 && is_space(text[0]);
}

// Blanks instead of the NULs of TEXT [n], which would end it where it is read as a string.
static inline void blank_nuls(char *text, size_t n)
{
    for (char *p = text; (p = memchr(p, 0, n - (size_t)(p - text)));)
        *p = ' ';
}

static inline int is_one_of(char c, const char *set)
{
    return c && strchr(set, c);
}

static inline int begins_with(const char *text, size_t n, const char *with)
{
    const size_t bytes = strlen(with);
    return n >= bytes && !memcmp(text, with, bytes);
}

// The same, whatever the case.
static inline int begins_alike(const char *text, size_t n, const char *with)
{
    const size_t bytes = strlen(with);
    return n >= bytes && !strncasecmp(text, with, bytes);
}

// Bytes of the plain or curled quotation mark that TEXT [n] begins with; 0: there is none.
static inline size_t quotation_mark(const char *text, size_t n)
{
    return begins_with(text, n, "\"")                                         ? 1
           : begins_with(text, n, "\u201c") || begins_with(text, n, "\u201d") ? 3
                                                                              : 0;
}

static inline int is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

static inline int is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static inline char to_small(char c)
{
    return is_upper(c) ? (char)(c + ('a' - 'A')) : c;
}

static inline int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

// The capitals before byte *AT of TEXT, which a dash may divide from it: where they end, to *AT.
// Returns their number: 2 of "BX-6" and of "GB7731".
static inline size_t capitals_before(const char *text, size_t *at)
{
    size_t n = 0;
    *at -= *at > 0 && text[*at - 1] == '-';
    while (n < *at && is_upper(text[*at - n - 1]))
        n++;
    return n;
}

// Whether TEXT [n] has a small letter.
static inline int has_lower(const char *text, size_t n)
{
    while (n && !is_lower(*text)) {
        text++;
        n--;
    }
    return n > 0;
}

#endif
