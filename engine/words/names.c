#include "engine/words/names.h"

#include <string.h>

#include "engine/words/chars.h"
#include "engine/words/letter.h"
#include "engine/words/words.h"

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

int name_letters(const char *p, size_t n, int *digits)
{
    int letters = *digits = 0;
    for (size_t i = 0; i < n; i++) {
        letters += is_lower(p[i]) || is_upper(p[i]) || (unsigned char)p[i] >= 0x80;
        *digits += is_digit(p[i]);
    }
    return letters;
}

int name_is_code(const char *p, size_t n)
{
    enum { CAPITALS = 3, DIGITS = 4 };
    size_t capitals = 0, digits = 0;
    while (capitals < n && is_upper(p[capitals]))
        capitals++;
    while (capitals + digits < n && is_digit(p[capitals + digits]))
        digits++;
    return capitals && capitals <= CAPITALS && digits && digits <= DIGITS && capitals + digits == n;
}

// Whether byte C may continue a name.
static int joins(char c)
{
    return word_has(c) || c == '_';
}

// Bytes of WHAT if text[AT] begins with it, else 0.
static size_t bytes_at(const char *what, const char *text, size_t n, size_t at)
{
    size_t i = at, n_what, bytes;
    for (; *what; what += n_what) {
        if (*what == ' ' && i < n && is_space(text[i])) {
            while (i + 1 < n && is_space(text[i + 1]))
                i++;
            bytes = n_what = 1;
        } else if (!(bytes = letter_is(what, &n_what, text + i, n - i))) {
            return 0;
        }
        i += bytes;
    }
    return i - at;
}

// Underscores that join two words, at most: a line to write on joins nothing.
enum { JOINED = 128 };

// Whether a word goes on beyond byte AT, before it and behind it. An underscore joins two words,
// but is no part of one that it emphasises.
static int joined_before(const char *text, size_t at)
{
    for (int n = 0; n < JOINED && at > 0 && text[at - 1] == '_'; n++)
        at--;
    return letter_ends(text, at);
}

static int joined_behind(const char *text, size_t n, size_t at)
{
    for (int i = 0; i < JOINED && at < n && text[at] == '_'; i++)
        at++;
    return letter_at(text + at, n - at) > 0;
}

int name_next(const char *what, const char *text, size_t n, size_t *at, size_t *bytes)
{
    const unsigned char WIDE = 0xe3; // from here on, scripts put no space between words
    const size_t len = strlen(what);
    const int narrow = (unsigned char)what[0] < WIDE,
              apart = narrow && (what[0] == '_' || letter_at(what, len)),
              apart_end = narrow && len && (what[len - 1] == '_' || letter_ends(what, len));
    size_t n_what;
    for (size_t i = *at; len && i < n; i++) {
        if (!letter_is(what, &n_what, text + i, n - i) || (apart && joined_before(text, i)))
            continue;
        const size_t m = bytes_at(what, text, n, i);
        if (!m || (apart_end && joined_behind(text, n, i + m)))
            continue;
        *at = i;
        *bytes = m;
        return 1;
    }
    return 0;
}

int name_is_whole(const char *text, size_t n, size_t at, size_t bytes)
{
    return !(at > 0 && text[at - 1] == '_') && !(at + bytes < n && text[at + bytes] == '_');
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
    const size_t len = strlen(question);
    for (size_t at = (size_t)(from - question); n && at + n <= len; at++)
        if (letters_same(question + at, value, n) && !letter_ends(question, at) &&
            !(letter_ends(question, at + n) && letter_at(question + at + n, len - at - n)))
            return question + at;
    return NULL;
}

int name_of_person(const char *text, struct span_of_text s)
{
    enum { LONGEST = 64 }; // bytes
    for (size_t i = s.from; i < s.to; i++)
        if (is_digit(text[i]) || is_one_of(text[i], ":;!?\"@"))
            return 0;
    return span_bytes(s) > 3 && span_bytes(s) <= LONGEST && !is_lower(text[s.from]) &&
           memchr(text + s.from, ' ', span_bytes(s)) != NULL;
}
