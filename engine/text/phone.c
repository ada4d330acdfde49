#define _GNU_SOURCE
#include "engine/text/phone.h"

#include <string.h>

#include "engine/text/chars.h"
#include "engine/text/clock.h"
#include "engine/text/day.h"
#include "engine/text/words.h"

// The bytes of the date or the time of day that TEXT, which begins with a digit, begins with.
static size_t time_at(const char *text)
{
    enum { LONGEST_DATE = 40 };
    const size_t n = strnlen(text, LONGEST_DATE);
    struct day day;
    struct clock_span time;
    size_t at = 0;
    const size_t bytes = day_find(text, n, &at, &day);
    return bytes && !at ? bytes : clock_begins(text, n, &time);
}

int phone_is_there(const char *text)
{
    enum { LEAST = 6, OTHERS = 3, APART = 3 }; // OTHERS: than those of years
    int digits = 0, of_years = 0, apart = 0;
    for (const char *p = text; *p; p++) {
        const int first = is_digit(*p) && (p == text || !is_digit(p[-1]));
        const size_t time = first && (p == text || !word_has(p[-1])) ? time_at(p) : 0;
        if (time) {
            p += time - 1;
            digits = of_years = 0;
        } else if (is_digit(*p)) {
            const size_t n = first ? strspn(p, "0123456789") : 0;
            of_years += word_is_year(p, n) ? (int)n : 0;
            digits++;
            apart = 0;
        } else if (++apart > APART || !is_one_of(*p, " ()/-.")) {
            digits = of_years = 0;
        }
        if (digits >= LEAST && digits - of_years >= OTHERS)
            return 1;
    }
    return 0;
}
