#include "engine/rows/number.h"

#include <string.h>

#include "engine/words/chars.h"
#include "engine/words/wordlist.h"
#include "engine/words/words.h"

static const struct {
    const char *sign, *words;
} CURRENCIES[] = {{"$", WORDLIST_DOLLARS}, {"\u20ac", WORDLIST_EUROS}, {"\u00a3", WORDLIST_POUNDS}};
enum { N_CURRENCIES = sizeof CURRENCIES / sizeof *CURRENCIES };

size_t number_currency(const char *text, size_t n)
{
    for (int i = 0; i < N_CURRENCIES; i++)
        if (begins_with(text, n, CURRENCIES[i].sign))
            return strlen(CURRENCIES[i].sign);
    return 0;
}

int number_currency_named(const char *text, size_t n)
{
    for (int i = 0; i < N_CURRENCIES; i++)
        if (begins_with(text, n, CURRENCIES[i].sign) ||
            word_is_listed(CURRENCIES[i].words, text, n))
            return i + 1;
    return 0;
}

static size_t digits_at(const char *text, size_t n, double *value)
{
    size_t i = 0;
    while (i < n && is_digit(text[i]))
        *value = *value * 10 + (text[i++] - '0');
    return i;
}

// Whether the sign at byte AT of TEXT [n] is one before digits: "5." ends a sentence.
static int joins(const char *text, size_t n, size_t at, char sign)
{
    return at + 1 < n && text[at] == sign && is_digit(text[at + 1]);
}

// Reads the groups of a thousand behind points and the cents behind a comma from byte AT of TEXT
// [n] on, "1" before ".249,50", on top of *VALUE, and the bytes of both; 0: this is no such number,
// or one that may be read in two ways.
static size_t pointed(const char *text, size_t n, size_t at, double *value)
{
    enum { THOUSAND = 3, CENTS = 2 }; // digits
    const size_t from = at;
    double whole = *value, part = 0;
    while (joins(text, n, at, '.')) {
        if (digits_at(text + at + 1, n - at - 1, &part) != THOUSAND)
            return 0;
        whole = whole * 1000 + part;
        part = 0;
        at += 1 + THOUSAND;
    }
    if (at == from || !joins(text, n, at, ',') ||
        digits_at(text + at + 1, n - at - 1, &part) != CENTS)
        return 0;
    *value = whole + part / 100;
    return at + 1 + CENTS - from;
}

size_t number_of(const char *text, size_t n, double *value, int *decimals)
{
    enum { THOUSAND = 3, WHOLE = 12, DECIMALS = 15 }; // digits, of the latter two at most
    size_t at = number_currency(text, n), own;
    const int less = at < n && text[at] == '-';
    at += (size_t)less;
    at += number_currency(text + at, n - at);
    *value = *decimals = 0;
    const size_t first = digits_at(text + at, n - at, value);
    if (!first || first > WHOLE)
        return 0;
    const int zero = text[at] == '0';
    at += first;
    int groups = 0;
    const size_t points = zero || first > THOUSAND ? 0 : pointed(text, n, at, value);
    *decimals = points ? 2 : 0;
    at += points;
    while (!points && joins(text, n, at, ',')) {
        double part = 0;
        own = digits_at(text + at + 1, n - at - 1, &part);
        if (own != THOUSAND || first > THOUSAND || zero)
            break;
        *value = *value * 1000 + part;
        at += 1 + own;
        groups++;
    }
    for (const char *mark = points ? "" : groups ? "." : ".,"; *mark; mark++) {
        if (!joins(text, n, at, *mark))
            continue;
        double part = 0, scale = 1;
        own = digits_at(text + at + 1, n - at - 1, &part);
        if (own > DECIMALS || (own == THOUSAND && !groups && !zero)) // "1.285"
            return 0;
        *decimals = (int)own;
        for (size_t i = 0; i < own; i++)
            scale *= 10;
        *value += part / scale;
        at += 1 + own;
        break;
    }
    if (joins(text, n, at, '.') || joins(text, n, at, ',') || joins(text, n, at, '-') ||
        joins(text, n, at, ':') || joins(text, n, at, '/')) // a date, a time
        return 0;
    *value = less ? -*value : *value;
    return at;
}

int number_has_currency(const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (number_currency(text + i, n - i))
            return 1;
    return words_any(WORDLIST_CURRENCIES, text, n);
}
