#include "engine/survey/names.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "engine/text/chars.h"
#include "engine/text/words.h"

int name_has_shape(const char *p, size_t n)
{
    int upper = 0, lower = 0, inside = 0, mark = 0;
    for (size_t i = 0; i < n; i++) {
        mark |= is_digit(p[i]) || p[i] == '_';
        upper += is_upper(p[i]);
        inside |= i > 0 && is_upper(p[i]) && is_lower(p[i - 1]);
        lower |= is_lower(p[i]);
    }
    return mark || inside || (upper > 1 && !lower);
}

// Whether byte C may continue a name.
static int joins(char c)
{
    return word_has(c) || c == '_';
}

static int is_same(char want, char c)
{
    return want == c || (is_lower(want) && c == want - 'a' + 'A');
}

// Bytes of WHAT if text[AT] begins with it, else 0.
static size_t bytes_at(const char *what, const char *text, size_t n, size_t at)
{
    size_t i = at;
    for (; *what; what++) {
        if (*what == ' ' && i < n && is_space(text[i]))
            while (i + 1 < n && is_space(text[i + 1]))
                i++;
        else if (i >= n || !is_same(*what, text[i]))
            return 0;
        i++;
    }
    return i - at;
}

int name_next(const char *what, const char *text, size_t n, size_t *at, size_t *bytes)
{
    const unsigned char WIDE = 0xe3; // from here on, scripts put no space between words
    size_t len = strlen(what);
    int apart = len && joins(what[0]) && (unsigned char)what[0] < WIDE,
        apart_end = len && joins(what[len - 1]);
    for (size_t i = *at; len && i < n; i++) {
        if (!is_same(what[0], text[i]) || (apart && i > 0 && joins(text[i - 1])))
            continue;
        size_t m = bytes_at(what, text, n, i);
        if (!m || (apart_end && (unsigned char)what[0] < WIDE && i + m < n && joins(text[i + m])))
            continue;
        *at = i;
        *bytes = m;
        return 1;
    }
    return 0;
}

// Whether a token begins at byte AT.
static int begins_token(const char *text, size_t n, size_t at)
{
    return joins(text[at]) || is_one_of(text[at], "$@%") ||
           (is_one_of(text[at], "/~.") && at + 1 < n && joins(text[at + 1]));
}

size_t name_token(const char *text, size_t n, size_t *at)
{
    size_t end;
    while (*at < n && !begins_token(text, n, *at))
        ++*at;
    for (end = *at; end < n && (joins(text[end]) || is_one_of(text[end], "-.$@/%+#~"));)
        end++;
    while (end > *at && is_one_of(text[end - 1], "-./+~"))
        end--;
    return end - *at;
}

// Whether P [n] is a capitalised word of prose, and not an article.
static int is_capital_word(const char *p, size_t n)
{
    return n && is_upper(*p) && !name_has_shape(p, n) && !(n == 3 && !memcmp(p, "The", 3)) &&
           !(n == 1 && *p == 'A') && !(n == 2 && !memcmp(p, "An", 2));
}

size_t name_phrase(const char *text, size_t n, size_t *at)
{
    size_t bytes = name_token(text, n, at);
    if (!is_capital_word(text + *at, bytes))
        return bytes;
    for (;;) {
        size_t next = *at + bytes + 1, more;
        if (next >= n || text[next - 1] != ' ')
            return bytes;
        size_t from = next;
        more = name_token(text, n, &next);
        if (next != from || !is_capital_word(text + next, more))
            return bytes;
        bytes = next + more - *at;
    }
}

const char *name_stands(const char *question, const char *from, const char *value, size_t n)
{
    const int first = n ? tolower((unsigned char)*value) : 0;
    for (const char *p = from; n && *p; p++)
        if (tolower((unsigned char)*p) == first && !strncasecmp(p, value, n) &&
            !(word_has(p[n - 1]) && word_has(p[n])) && (p == question || !word_has(p[-1])))
            return p;
    return NULL;
}
