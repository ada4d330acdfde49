#define _GNU_SOURCE
#include "engine/words/letter.h"

#include <string.h>
#include <utf8proc.h>

#include "engine/words/chars.h"

static int is_ascii(char c)
{
    return !((unsigned char)c & 0x80);
}

static char small(char c)
{
    return is_upper(c) ? (char)(c - 'A' + 'a') : c;
}

// The character *C that TEXT [n] begins with, and its bytes; -1 for a byte that is no UTF-8.
static size_t character(const char *text, size_t n, utf8proc_int32_t *c)
{
    const utf8proc_ssize_t bytes = utf8proc_iterate(
        (const utf8proc_uint8_t *)text, (utf8proc_ssize_t)(n < LETTER_BYTES ? n : LETTER_BYTES), c);
    if (bytes > 0)
        return (size_t)bytes;
    *c = -1;
    return 1;
}

static int is_letter(utf8proc_int32_t c)
{
    const utf8proc_category_t kind = c < 0 ? UTF8PROC_CATEGORY_LO : utf8proc_category(c);
    return kind >= UTF8PROC_CATEGORY_LU && kind <= UTF8PROC_CATEGORY_NO;
}

size_t letter_at(const char *text, size_t n)
{
    utf8proc_int32_t c;
    if (!n || is_ascii(*text))
        return n && (is_lower(*text) || is_upper(*text) || is_digit(*text));
    n = character(text, n, &c);
    return is_letter(c) ? n : 0;
}

int letter_ends(const char *text, size_t at)
{
    size_t from = at;
    while (from > 0 && at - from < LETTER_BYTES && ((unsigned char)text[--from] & 0xc0) == 0x80)
        ;
    return letter_at(text + from, at - from) > 0;
}

int letter_is_small(const char *text, size_t n)
{
    utf8proc_int32_t c;
    return n > 0 && character(text, n, &c) && c >= 0 &&
           utf8proc_category(c) == UTF8PROC_CATEGORY_LL;
}

size_t letter_small(const char *text, size_t n, char out[LETTER_BYTES])
{
    utf8proc_int32_t c;
    *out = small(*text);
    if (is_ascii(*text))
        return 1;
    n = character(text, n, &c);
    return c < 0 ? n : (size_t)utf8proc_encode_char(utf8proc_tolower(c), (utf8proc_uint8_t *)out);
}

size_t letter_is(const char *want, size_t *n_want, const char *text, size_t n)
{
    utf8proc_int32_t w, c;
    *n_want = 1;
    if (!n || is_ascii(*want))
        return n && (*want == *text || (is_lower(*want) && *want == small(*text)));
    *n_want = character(want, strnlen(want, LETTER_BYTES), &w);
    n = character(text, n, &c);
    return w == c ? (c >= 0 || *want == *text) * n : w == utf8proc_tolower(c) ? n : 0;
}

int letters_same(const char *a, const char *b, size_t n)
{
    utf8proc_int32_t x, y;
    for (size_t i = 0; i < n; i++) {
        if (a[i] == b[i] || (is_ascii(a[i]) && small(a[i]) == small(b[i])))
            continue;
        if (is_ascii(a[i]) || is_ascii(b[i]))
            return 0;
        const size_t differs = i;
        while (i > 0 && ((unsigned char)a[i] & 0xc0) == 0x80)
            i--; // to where this character begins
        const size_t n_a = character(a + i, n - i, &x), n_b = character(b + i, n - i, &y);
        // One that ends before the byte that differs does not make up for it.
        if (x < 0 || y < 0 || n_a != n_b || i + n_a <= differs ||
            utf8proc_tolower(x) != utf8proc_tolower(y))
            return 0;
        i += n_a - 1;
    }
    return 1;
}
