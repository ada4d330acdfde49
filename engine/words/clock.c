#include "engine/words/clock.h"

#include <string.h>
#include <strings.h>

#include "engine/words/chars.h"
#include "engine/words/words.h"

enum { MINUTE = 60, HOUR = 60 * MINUTE, NOON = 12 };

// The bytes of "am" or "pm" behind a time at TEXT [n], with a space before it or not; *HOURS: to be
// added to HOUR.
static size_t half_at(const char *text, size_t n, int hour, int *hours)
{
    static const char *const halves[] = {"a.m.", "p.m.", "a.m", "p.m", "am", "pm"};
    const size_t space = n > 0 && text[0] == ' ';
    *hours = 0;
    for (size_t i = 0; i < sizeof halves / sizeof *halves; i++) {
        const size_t bytes = strlen(halves[i]), own = space + bytes;
        if (n < own || strncasecmp(text + space, halves[i], bytes) != 0 ||
            (n > own && word_has(text[own])) || hour < 1 || hour > NOON)
            continue;
        *hours = (i % 2 ? NOON : 0) - (hour == NOON ? NOON : 0);
        return own;
    }
    return 0;
}

// The number that two digits at TEXT are.
static int number_of_two(const char *text)
{
    return 10 * (text[0] - '0') + text[1] - '0';
}

// The two digits behind a colon at TEXT [n]; -1: they are not there.
static int two_at(const char *text, size_t n)
{
    const int there = n >= 3 && text[0] == ':' && is_digit(text[1]) && is_digit(text[2]) &&
                      (n == 3 || !is_digit(text[3]));
    const int v = there ? number_of_two(text + 1) : MINUTE;
    return v < MINUTE ? v : -1;
}

size_t clock_begins(const char *text, size_t n, struct clock_span *s)
{
    enum { WORD = 4 };
    size_t at = 0;
    int hour = 0, second = -1, more;
    if (n >= WORD && !strncasecmp(text, "noon", WORD) && (n == WORD || !word_has(text[WORD]))) {
        *s = (struct clock_span){NOON * HOUR, NOON * HOUR};
        return WORD;
    }
    while (at < n && at < 3 && is_digit(text[at]))
        hour = 10 * hour + text[at++] - '0';
    if (!at || at > 2 || hour > 24)
        return 0;
    const int minute = two_at(text + at, n - at);
    if (minute >= 0) {
        at += 3;
        second = two_at(text + at, n - at);
        at += second < 0 ? 0 : 3;
    }
    const size_t half = half_at(text + at, n - at, hour, &more);
    if (minute < 0 && !half)
        return 0;
    s->from = (hour + more) * HOUR + (minute < 0 ? 0 : minute * MINUTE) + (second < 0 ? 0 : second);
    s->to = s->from + (second < 0 ? MINUTE - 1 : 0);
    return at + half;
}

size_t clock_of_entry(const char *text, size_t n, struct clock_span *s)
{
    enum { DIGITS = 4, DAY = 24 };
    const size_t bytes = clock_begins(text, n, s);
    size_t at = 0;
    if (bytes)
        return bytes;
    while (at < n && is_digit(text[at]))
        at++;
    // A year may begin a line, too.
    if (at != DIGITS || at + 1 >= n || !is_gap(text[at]) ||
        !(text[0] == '0' || text[at] == '\t' || is_gap(text[at + 1])))
        return 0;
    const int hour = number_of_two(text), minute = number_of_two(text + 2);
    if (hour * MINUTE + minute > DAY * MINUTE || minute >= MINUTE)
        return 0;
    s->from = hour * HOUR + minute * MINUTE;
    s->to = s->from + MINUTE - 1;
    return DIGITS;
}
