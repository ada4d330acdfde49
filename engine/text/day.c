#include "engine/text/day.h"

#include <string.h>
#include <strings.h>

#include "engine/text/chars.h"
#include "engine/text/wordlist.h"
#include "engine/text/words.h"

enum { SHORT = 3, DAYS = 31, MONTHS = 12 }; // bytes of a shortened month

// The number of the month or day of the week that WORD [n] is among NAMES, whole or by its first
// letters; 0: it is none.
static int place_among(const char *names, const char *word, size_t n)
{
    if (n < SHORT)
        return 0;
    int i = 1;
    for (const char *p = names + 1; *p; p = strchr(p, ' ') + 1, i++) {
        const size_t whole = strcspn(p, " ");
        if ((n == SHORT || n == SHORT + 1 || n == whole) && n <= whole && !strncasecmp(p, word, n))
            return i;
    }
    return 0;
}

// The number that the digits at TEXT [n] are; *BYTES of them, at most 4.
static int number_at(const char *text, size_t n, size_t *bytes)
{
    int v = 0;
    for (*bytes = 0; *bytes < n && *bytes < 4 && is_digit(text[*bytes]); ++*bytes)
        v = 10 * v + text[*bytes] - '0';
    return *bytes < n && is_digit(text[*bytes]) ? 0 : v;
}

static size_t gap(const char *text, size_t n, size_t at)
{
    while (at < n && is_one_of(text[at], " ,.\t"))
        at++;
    return at;
}

static int64_t order_of(int year, int month, int day)
{
    return year ? ((int64_t)year * 100 + month) * 100 + day : 0;
}

// "2024-03-04", "4.3.2024", "04/03/2024".
static size_t numbered(const char *text, size_t n, int64_t *order)
{
    int v[3] = {0};
    size_t at = 0, bytes, first = 0;
    for (int i = 0; i < 3; i++) {
        if (i && (at >= n || !is_one_of(text[at], "-./") || text[at] != text[first]))
            return 0;
        at += i > 0;
        v[i] = number_at(text + at, n - at, &bytes);
        if (!bytes || (i == 1 && bytes > 2))
            return 0;
        at += bytes;
        first = i ? first : at;
    }
    const int last = v[0] <= DAYS; // the year stands last
    const int year = last ? v[2] : v[0], day = last ? v[0] : v[2];
    *order = order_of(year, v[1], day);
    return year > 99 && day >= 1 && day <= DAYS && v[1] >= 1 && v[1] <= MONTHS ? at : 0;
}

// The bytes of the day of a month at TEXT [n]: "2", "2nd".
static size_t day_at(const char *text, size_t n, int *day)
{
    static const char endings[] = " st nd rd th ";
    size_t bytes;
    *day = number_at(text, n, &bytes);
    if (!bytes || bytes > 2 || *day < 1 || *day > DAYS)
        return 0;
    if (bytes + 2 <= n && word_is_listed(endings, text + bytes, 2))
        bytes += 2;
    return bytes < n && word_has(text[bytes]) ? 0 : bytes;
}

static size_t word_bytes(const char *text, size_t n)
{
    size_t at = 0;
    while (at < n && word_has(text[at]) && !is_digit(text[at]))
        at++;
    return at;
}

size_t day_begins(const char *text, size_t n, int64_t *order)
{
    size_t at = word_bytes(text, n), bytes;
    at = place_among(WORDLIST_DAYS, text, at) ? gap(text, n, at) : 0;
    if ((bytes = numbered(text + at, n - at, order)))
        return at + bytes;
    int day = 0, month = 0, year;
    for (int i = 0; i < 2; i++) { // day and month, or month and day
        if (!day && (bytes = day_at(text + at, n - at, &day)))
            at += bytes;
        else if (!month && (bytes = word_bytes(text + at, n - at)) &&
                 (month = place_among(WORDLIST_MONTHS, text + at, bytes)))
            at += bytes;
        else
            return 0;
        at = i ? at : gap(text, n, at);
    }
    const size_t next = gap(text, n, at);
    year = number_at(text + next, n - next, &bytes);
    const int has_year = bytes == 4 && year > 999;
    *order = order_of(has_year ? year : 0, month, day);
    return has_year ? next + bytes : at;
}

int64_t day_order(const char *text, size_t n)
{
    enum { BEHIND = 12, CLOCK = 5 }; // bytes behind a date that its time is in
    int64_t order = 0;
    size_t at = 0, bytes = 0;
    for (; at < n && !order; at++) {
        if (!word_has(text[at]) || (at > 0 && word_has(text[at - 1])))
            continue;
        bytes = day_begins(text + at, n - at, &order);
        order = bytes ? order : 0;
    }
    if (!order)
        return 0;
    const char *from = text + at - 1 + bytes,
               *end = n - (at - 1 + bytes) < BEHIND ? text + n : from + BEHIND;
    while (from + CLOCK <= end && !(is_digit(from[0]) && is_digit(from[1]) && from[2] == ':'))
        from++;
    int64_t time = 0;
    int digits = 0;
    for (; from + CLOCK <= end || digits; from++) { // hours, minutes and perhaps seconds
        if (from >= text + n || digits == 6 || !(is_digit(*from) || *from == ':'))
            break;
        digits += *from != ':';
        time = *from == ':' ? time : 10 * time + *from - '0';
    }
    return order * 1000000 + (digits == 4 ? 100 * time : time);
}
