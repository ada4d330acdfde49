#include "engine/words/day.h"

#include <string.h>
#include <strings.h>

#include "engine/words/chars.h"
#include "engine/words/clock.h"
#include "engine/words/wordlist.h"
#include "engine/words/words.h"

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

int day_month(const char *word, size_t n)
{
    return place_among(WORDLIST_MONTHS, word, n);
}

int day_of_week(const char *word, size_t n)
{
    const int day = place_among(WORDLIST_DAYS, word, n);
    return day ? day : word_place(WORDLIST_EACH_DAY, word, n);
}

int day_of_week_in_full(const char *word, size_t n)
{
    enum { SHORTEST = 6 }; // bytes
    return n < SHORTEST ? 0 : day_of_week(word, n);
}

int day_digits(const char *word, size_t n)
{
    size_t bytes;
    return number_at(word, n, &bytes);
}

static size_t gap(const char *text, size_t n, size_t at)
{
    while (at < n && is_one_of(text[at], " ,.\t"))
        at++;
    return at;
}

int64_t day_number(const struct day *d)
{
    return d->year ? ((int64_t)d->year * 100 + d->month) * 100 + d->day : 0;
}

// "2024-03-04", "4.3.2024", "04/03/2024"; SHORTER: "4.3.24", too.
static size_t numbered(const char *text, size_t n, int shorter, struct day *d)
{
    enum { NOW = 70 }; // a year before that is of this century
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
    *d = (struct day){last ? v[0] : v[2], v[1], last ? v[2] : v[0]};
    if (shorter && last && bytes == 2 && text[first] != '-' &&
        (at == n || !is_one_of(text[at], "./-")))
        d->year += d->year < NOW ? 2000 : 1900;
    return d->year > 99 && d->day >= 1 && d->day <= DAYS && d->month >= 1 && d->month <= MONTHS ? at
                                                                                                : 0;
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

// The bytes of the month, by its name, whole or short, that TEXT [n] begins with, behind a DAY or
// not: "31 may", but not "31 may be" and "may 5".
static size_t month_at(const char *text, size_t n, int day, int *month)
{
    const size_t bytes = word_bytes(text, n), next = gap(text, n, bytes);
    *month = day_month(text, bytes);
    return *month && (is_upper(*text) || !word_is_listed(" may mar march ", text, bytes) ||
                      (day && (next == n || !is_lower(text[next]))))
               ? bytes
               : 0;
}

// The bytes of WORD and what is between it and the next one, if TEXT [n] begins with that.
static size_t filler_at(const char *text, size_t n, const char *word)
{
    const size_t bytes = word_bytes(text, n);
    return bytes == strlen(word) && !strncasecmp(text, word, bytes) ? gap(text, n, bytes) : 0;
}

// "12/May/2024", "12-May-2024", as logs have them.
static size_t joined(const char *text, size_t n, struct day *d)
{
    enum { YEAR = 4 };
    size_t bytes, at = day_at(text, n, &d->day);
    const char joint = at && at < n && is_one_of(text[at], "/-") ? text[at] : 0;
    if (!joint || !(bytes = month_at(text + at + 1, n - at - 1, d->day, &d->month)))
        return 0;
    at += 1 + bytes;
    if (at == n || text[at] != joint)
        return 0;
    d->year = number_at(text + at + 1, n - at - 1, &bytes);
    at += 1 + bytes;
    return bytes == YEAR && d->year > 999 && (at == n || !word_has(text[at])) ? at : 0;
}

static size_t begins(const char *text, size_t n, int shorter, struct day *d)
{
    size_t at = word_bytes(text, n), bytes;
    at = day_of_week(text, at) ? gap(text, n, at) : 0;
    at += filler_at(text + at, n - at, "the");
    if ((bytes = numbered(text + at, n - at, shorter, d)))
        return at + bytes;
    *d = (struct day){0};
    if ((bytes = joined(text + at, n - at, d)))
        return at + bytes;
    *d = (struct day){0};
    for (int i = 0; i < 2; i++) { // day and month, or month and day
        if (!d->day && (bytes = day_at(text + at, n - at, &d->day)))
            at += bytes;
        else if (!d->month && (bytes = month_at(text + at, n - at, d->day, &d->month)))
            at += bytes;
        else
            return 0;
        at = i ? at : gap(text, n, at);
        at += i ? 0 : filler_at(text + at, n - at, d->day ? "of" : "the");
    }
    const size_t next = gap(text, n, at);
    const int year = number_at(text + next, n - next, &bytes);
    d->year = bytes == 4 && year > 999 ? year : 0;
    return d->year ? next + bytes : at;
}

size_t day_begins(const char *text, size_t n, struct day *d)
{
    return begins(text, n, 0, d);
}

size_t day_find(const char *text, size_t n, size_t *at, struct day *d)
{
    for (size_t bytes; *at < n; ++*at)
        if (word_has(text[*at]) && (!*at || !word_has(text[*at - 1])) &&
            (!*at || !is_one_of(text[*at - 1], "./-") || !is_digit(text[*at])) &&
            (bytes = begins(text + *at, n - *at, 1, d)))
            return bytes;
    return 0;
}

int day_of(const char *text, size_t n, struct day *d)
{
    size_t at = 0;
    return day_find(text, n, &at, d) > 0;
}

int day_is_same(const struct day *a, const struct day *b)
{
    return a->day == b->day && a->month == b->month && (!a->year || !b->year || a->year == b->year);
}

// The number of D among all days of its calendar.
static int64_t count_of(const struct day *d)
{
    const int past = d->month > 2, year = d->year - !past; // the day of a leap year stands last
    return (int64_t)365 * year + year / 4 - year / 100 + year / 400 +
           (153 * (d->month + (past ? -3 : 9)) + 2) / 5 + d->day;
}

// The seconds by which the time zone at TEXT [n], as mails have it (" +0100"), is ahead; 0: it is
// none.
static int zone_at(const char *text, size_t n)
{
    enum { SIGN = 1, MINUTE = 60 };
    size_t bytes;
    if (n <= SIGN || text[0] != ' ' || !is_one_of(text[SIGN], "+-"))
        return 0;
    const int zone = number_at(text + SIGN + 1, n - SIGN - 1, &bytes);
    const int ahead = bytes == 4 ? (zone / 100 * 60 + zone % 100) * MINUTE : 0;
    return text[SIGN] == '-' ? -ahead : ahead;
}

// The bytes of a time of day, the name of its zone or none, and a year, which stand behind a day at
// TEXT [n] as Unix writes dates (" 09:12:44 2024", " 09:12:44 CEST 2024"): its *TIME and *YEAR. 0:
// there is something else.
static size_t year_behind(const char *text, size_t n, struct clock_span *time, int *year)
{
    enum { YEAR = 4 }; // digits
    size_t at = 1, bytes;
    if (n < 2 || text[0] != ' ' || !(bytes = clock_begins(text + at, n - at, time)))
        return 0;
    at += bytes;
    if (at + 1 < n && is_upper(text[at + 1]))
        for (at++; at < n && is_upper(text[at]);)
            at++;
    if (at + 1 >= n || text[at] != ' ')
        return 0;
    *year = number_at(text + at + 1, n - at - 1, &bytes);
    return bytes == YEAR && *year >= 1000 ? at + 1 + bytes : 0;
}

int64_t day_order(const char *text, size_t n)
{
    enum { BEHIND = 12, CLOCK = 5, DAY = 24 * 60 * 60 }; // bytes behind a date; seconds
    struct day day = {0};
    struct clock_span time = {0, 0};
    size_t at = 0, bytes = 0, behind = 0;
    for (; at < n; at++) {
        if (!word_has(text[at]) || (at > 0 && word_has(text[at - 1])))
            continue;
        if (!(bytes = day_begins(text + at, n - at, &day)))
            continue;
        const size_t next = at + bytes;
        if (day.year || (behind = year_behind(text + next, n - next, &time, &day.year)))
            break;
    }
    if (at >= n)
        return 0;
    const char *from = text + at + bytes, *end = n - at - bytes < BEHIND ? text + n : from + BEHIND;
    for (bytes = behind; !behind && from + CLOCK <= end; from++)
        if ((bytes = clock_begins(from, (size_t)(text + n - from), &time)))
            break;
    from += bytes;
    return count_of(&day) * DAY + time.from -
           (bytes ? zone_at(from, (size_t)(text + n - from)) : 0);
}
