#include "engine/text/dates.h"

#include <string.h>

#include "engine/text/chars.h"
#include "engine/text/wordlist.h"
#include "engine/text/words.h"

enum { MONTHS = 12 };

static const char OTHERS[] = " jan feb apr jun jul aug sept oct nov dec " WORDLIST_MONTHS_GERMAN;

// The place in WORDLIST_DATES of WORD [n], where it is one: "may" and "march" are other words.
static int place(const char *word, size_t n)
{
    const int m = word_place(WORDLIST_DATES, word, n);
    return is_upper(*word) || !word_is_listed(" march may ", word, n) ? m : 0;
}

unsigned dates_named(const char *text)
{
    char stem[WORD_STEM];
    size_t bytes;
    unsigned months = 0;
    for (size_t at = 0; word_next(text, strlen(text), &at, stem, &bytes);) {
        const int m = place(text + at - bytes, bytes);
        if (m && m <= MONTHS)
            months |= 1u << (m - 1);
    }
    return months;
}

// How many digits TEXT begins with.
static size_t digits(const char *text)
{
    return strspn(text, "0123456789");
}

// The bit of the two-digit month that TEXT begins with; 0: it begins with none.
static unsigned month(const char *text)
{
    const int m = 10 * (text[0] - '0') + text[1] - '0';
    return m >= 1 && m <= MONTHS ? 1u << (m - 1) : 0;
}

unsigned dates_numbered(const char *text)
{
    unsigned months = 0;
    for (const char *p = text; *p; p += digits(p) ? digits(p) : 1) {
        const size_t n = digits(p);
        if ((n != 4 && n != 2) || p[n] != (n == 4 ? '-' : '.') || digits(p + n + 1) != 2 ||
            p[n + 3] != p[n] || digits(p + n + 4) != (n == 4 ? 2 : 4))
            continue;
        months |= month(p + n + 1);
    }
    return months;
}

int dates_say(const char *text, size_t n)
{
    char stem[WORD_STEM];
    size_t bytes;
    for (size_t at = 0; word_next(text, n, &at, stem, &bytes);) {
        const char *word = text + at - bytes;
        if (place(word, bytes) || word_is_year(word, bytes) ||
            (bytes > 4 && word_is_year(word + bytes - 4, 4)) ||
            (is_upper(*word) && word_is_listed(OTHERS, word, bytes)))
            return 1;
    }
    return 0;
}

int dates_begin(const char *text, size_t n)
{
    enum { LEAST_DATE = 8 };
    size_t i = 0, marks = 0;
    for (; i < n && (is_digit(text[i]) || is_one_of(text[i], "-./")); i++)
        marks += !is_digit(text[i]);
    return marks == 2 && i >= LEAST_DATE && is_digit(text[i - 1]) &&
           (word_is_year(text, 4) || word_is_year(text + i - 4, 4));
}
