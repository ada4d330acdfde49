#define _GNU_SOURCE
#include "engine/words/phone.h"

#include <string.h>

#include "engine/words/chars.h"
#include "engine/words/clock.h"
#include "engine/words/day.h"
#include "engine/words/words.h"

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

// The word that ends before byte *AT of TEXT, where that becomes its first one: its bytes, 0 where
// a sentence or a line ends between.
static size_t word_before(const char *text, size_t *at)
{
    size_t to = *at;
    while (to > 0 && is_one_of(text[to - 1], " :#+(\"'"))
        to--;
    to -= to > 1 && text[to - 1] == '.' && word_has(text[to - 2]); // "no."
    *at = word_start_before(text, 0, to);
    return to - *at;
}

// Whether the number that begins with byte AT of TEXT is called that of something else: "company
// number 04417723", "Kundennummer 5550142".
static int is_of_another(const char *text, size_t at)
{
    static const char numbers[] = " number numbers no nr num id code ";
    static const char others[] =
        " company registration registered reg vat tax account iban bic sort bank invoice order "
        "policy customer client reference ref case file licence license permit passport serial "
        "charity part item article isbn issn member membership contract reservation booking ticket "
        "claim patient insurance meter model patent employee staff student social version ";
    static const char german[] = "nummer", ours[] = " telefonnummer handynummer rufnummer "
                                                    "mobilnummer faxnummer durchwahlnummer ";
    size_t n = word_before(text, &at);
    if (word_is_listed(numbers, text + at, n))
        n = word_before(text, &at);
    const size_t end = sizeof german - 1;
    return word_is_listed(others, text + at, n) ||
           (n > end && !memcmp(text + at + n - end, german, end) &&
            !word_is_listed(ours, text + at, n));
}

// Whether the number that begins with byte AT of TEXT goes on a name in capitals: "PX-550142",
// "GB7731", but not "TEL-550142".
static int is_of_label(const char *text, size_t at)
{
    static const char ours[] = " tel fax phone mobile mob fon ";
    const size_t n = capitals_before(text, &at);
    return n && !word_is_listed(ours, text + at - n, n);
}

int phone_is_there(const char *text)
{
    enum { LEAST = 6, OTHERS = 3, APART = 3 }; // OTHERS: than those of years
    int digits = 0, of_years = 0, apart = 0;
    for (const char *p = text; *p; p++) {
        const int first = is_digit(*p) && (p == text || !is_digit(p[-1]));
        const size_t time = first && (p == text || !word_has(p[-1])) ? time_at(p) : 0;
        const int label = first && !digits && is_of_label(text, (size_t)(p - text));
        if (label || (first && !digits && is_of_another(text, (size_t)(p - text)))) {
            p += strspn(p, label ? "0123456789-" : "0123456789 ()/-.") - 1;
            digits = of_years = 0;
        } else if (time) {
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
