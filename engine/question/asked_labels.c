// Whether numbers only name something, or are of the time of day.
#include <string.h>

#include "engine/question/asked_impl.h"
#include "engine/words/chars.h"
#include "engine/words/wordlist.h"

// Whether the number at byte AT of TEXT goes on a name in capitals: "BX-6", "GB7731", but not
// "CHF500".
static int is_of_label(const char *text, size_t at)
{
    char name[ASKED_LONGEST + 1] = {0};
    const size_t n = capitals_before(text, &at);
    if (n > ASKED_LONGEST)
        return 1;
    memcpy(name, text + at - n, n);
    return *name && !asked_has_money(name);
}

// Whether the number at byte AT of TEXT is the hour behind a day: "on Thursday at 9".
static int is_hour(const char *text, size_t at)
{
    static const char days[] = WORDLIST_DAYS WORDLIST_EACH_DAY
        " today tomorrow daily day morning afternoon evening night ";
    static const char word[] = " at ";
    size_t to = at < sizeof word ? 0 : at - (sizeof word - 1);
    if (!to || memcmp(text + to, word, sizeof word - 1))
        return 0;
    const size_t from = word_start_before(text, 0, to);
    return word_is_listed(days, text + from, to - from);
}

// Whether the N digits at byte AT of TEXT are of a time of day: "08:55".
static int is_of_clock(const char *text, size_t at, size_t n)
{
    if (n <= 2 && is_hour(text, at))
        return 1;
    return n == 2 &&
           ((text[at + n] == ':' && strspn(text + at + n + 1, "0123456789") == 2) ||
            (at > 2 && text[at - 1] == ':' && is_digit(text[at - 2]) && is_digit(text[at - 3])));
}

// The bytes of the number of N digits at byte AT of TEXT if it is a sum of money or a share,
// "£1,250", "8%"; 0: it is none.
static size_t sum_at(const char *text, size_t at, size_t n)
{
    static const char *const signs[] = {"$", "£", "€", "¥"};
    for (size_t i = 0; n && i < sizeof signs / sizeof *signs; i++) {
        const size_t bytes = strlen(signs[i]);
        if (at >= bytes && !memcmp(text + at - bytes, signs[i], bytes))
            return strspn(text + at, "0123456789.,");
    }
    return n && text[at + n] == '%' ? n : 0;
}

int asked_has_only_labels(const char *text, int sums)
{
    int some = 0;
    for (size_t at = 0, n, sum; text[at]; at += sum ? sum : n ? n : 1) {
        n = strspn(text + at, "0123456789");
        sum = sums ? sum_at(text, at, n) : 0;
        if (n && !sum && !is_of_label(text, at) && !is_of_clock(text, at, n))
            return 0;
        some |= n > 0;
    }
    return some && !asked_has_number_word(text);
}
