#define _GNU_SOURCE
#include "engine/words/dates.h"

#include <string.h>

#include "engine/words/chars.h"
#include "engine/words/day.h"
#include "engine/words/wordlist.h"
#include "engine/words/words.h"

enum { MONTHS = 12 };

// Names of days that WORDLIST_DATES does not have.
static const char DAYS_OTHER[] = " mon tue tues wed thu thur thurs fri sat sun montag dienstag "
                                 "mittwoch donnerstag freitag samstag sonnabend sonntag ";

static const char OTHERS[] =
    " jan feb apr jun jul aug sep sept oct nov dec " WORDLIST_MONTHS_GERMAN;

// The place in WORDLIST_DATES of WORD [n], where it is one: "may" and "march" are other words.
static int place(const char *word, size_t n)
{
    const int m = word_place(WORDLIST_DATES, word, n);
    return is_upper(*word) || !word_is_listed(" march may ", word, n) ? m : 0;
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

// Whether TEXT [n] is the number of a day or a year: "8", "8.", "21st", "1931".
static int is_number(const char *text, size_t n)
{
    size_t i = 0;
    while (i < n && is_digit(text[i]))
        i++;
    return (i == 4 && i == n) || (i > 0 && i <= 2 &&
                                  (i == n || (i + 1 == n && text[i] == '.') ||
                                   word_is_listed(" st nd rd th ", text + i, n - i)));
}

// The month that begins with byte FROM of TEXT, cut short beside the number of a day: "6 Sept.",
// "Sept. 6"; 0: there is none.
static int short_month(const char *text, size_t from, size_t bytes)
{
    enum { WITH_DAY = 16 }; // bytes that a month and a day may have
    struct day d;
    size_t first = from;
    while (first && is_space(text[first - 1]))
        first--;
    first = word_start_before(text, 0, first);
    const int behind = first < from && is_digit(text[first]);
    const char *day = text + (behind ? first : from);
    if (!is_upper(text[from]) || !word_is_listed(OTHERS, text + from, bytes) ||
        !day_begins(day, strnlen(day, from - first + WITH_DAY), &d))
        return 0;
    return d.month;
}

unsigned dates_named(const char *text)
{
    char stem[WORD_STEM];
    size_t bytes;
    unsigned months = 0;
    for (size_t at = 0; word_next(text, strlen(text), &at, stem, &bytes);) {
        const int named = place(text + at - bytes, bytes),
                  m = named ? named : short_month(text, at - bytes, bytes);
        if (m && m <= MONTHS)
            months |= 1u << (m - 1);
    }
    return months;
}

int dates_fix(const char *text, size_t n)
{
    enum { NOTHING, MONTH, DAY } last = NOTHING;
    char stem[WORD_STEM];
    size_t bytes;
    for (size_t at = 0, from; word_next(text, n, &at, stem, &bytes);) {
        from = at - bytes;
        const char *word = text + from;
        const int m = place(word, bytes);
        if (word_is_year(word, bytes) || dates_begin(word, n - from))
            return 1;
        const int month = (m && m <= MONTHS) ||
                          (is_upper(*word) && word_is_listed(OTHERS, word, bytes)),
                  day = is_number(word, bytes);
        if ((month && last == DAY) || (day && last == MONTH))
            return 1;
        if (!word_is_listed(" the of ", word, bytes))
            last = month ? MONTH : day ? DAY : NOTHING;
    }
    return 0;
}

// The byte behind the place that TEXT [n] begins with, and its comma: a few words with capitals
// that name no day and no month; 0: it begins with none.
static size_t place_before(const char *text, size_t n)
{
    enum { WORDS = 4 };
    const char *comma = memchr(text, ',', n);
    const size_t end = comma ? (size_t)(comma - text) : 0;
    int words = 0;
    for (size_t at = 0, own; at < end; at += own + (at + own < end)) {
        for (own = 0; at + own < end && text[at + own] != ' ';)
            own++;
        const unsigned char first = (unsigned char)text[at];
        if (!own || !(is_upper((char)first) || first >= 0x80) || dates_say(text + at, own) ||
            word_is_listed(DAYS_OTHER, text + at, own))
            return 0;
        words++;
    }
    return words && words <= WORDS ? end + 1 : 0;
}

int dates_alone(const char *text, size_t n)
{
    int months = 0, others = 0; // others: a day or a year
    for (size_t at = place_before(text, n), own; at < n; at += own) {
        if (is_one_of(text[at], " ,")) {
            own = 1;
            continue;
        }
        for (own = 0; at + own < n && !is_one_of(text[at + own], " ,");)
            own++;
        const char *word = text + at;
        const size_t bare = own - (word[own - 1] == '.'); // "Sept."
        const int m = place(word, bare);
        if (own >= 8 && dates_begin(word, own))
            months++, others++;
        else if ((m && m <= MONTHS) || (is_upper(*word) && word_is_listed(OTHERS, word, bare)))
            months++;
        else if (is_number(word, own))
            others++;
        else if (!m && !word_is_listed(DAYS_OTHER, word, bare) &&
                 !word_is_listed(" the of ", word, own))
            return 0;
    }
    return months == 1 && others > 0;
}
