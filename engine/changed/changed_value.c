// How a sentence says that something is no longer what it was.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/changed/changed_impl.h"
#include "engine/words/chars.h"
#include "engine/words/day.h"
#include "engine/words/wordlist.h"
#include "engine/words/words.h"

static const char CHANGES[] = CHANGED_VERBS;

int changed_asks(const char *word, size_t n)
{
    return word_is_listed(CHANGES, word, n);
}

static const char GOES[] = " goes go went rises rose risen gone put brought falls fell fallen ";
static const char IS[] = CHANGED_IS;
static const char REPLACED[] = " replaced substituted corrected superseded ";
enum { NEAR = 4, FAR = 12 }; // tokens

// Bytes of the number in digits that TEXT [n] begins with, thousands divided by commas.
static size_t digits_of(const char *text, size_t n, double *number)
{
    char own[32];
    size_t at = 0, bytes = 0;
    while (at < n && bytes + 1 < sizeof own) {
        const int more = at + 1 < n && is_digit(text[at + 1]);
        const int thousands = text[at] == ',' && at + 3 < n && is_digit(text[at + 1]) &&
                              is_digit(text[at + 2]) && is_digit(text[at + 3]) &&
                              !(at + 4 < n && is_digit(text[at + 4]));
        if (is_digit(text[at]) || (text[at] == '.' && more))
            own[bytes++] = text[at++];
        else if (thousands)
            at++;
        else
            break;
    }
    own[bytes] = 0;
    *number = atof(own);
    return at;
}

static const char TEENS[] = " thirteen fourteen fifteen sixteen seventeen eighteen nineteen ";
static const char TENS[] = " ten twenty thirty forty fifty sixty seventy eighty ninety ";

// "One" is a word of too many other meanings.
int changed_number(const char *word, size_t n)
{
    int at;
    if ((at = word_place(WORDLIST_ONE_TO_TWELVE, word, n)) > 1)
        return at;
    if ((at = word_place(TEENS, word, n)))
        return 12 + at;
    return 10 * word_place(TENS, word, n);
}

size_t changed_in_words(double number, const char **word)
{
    const int n = number >= 2 && number < 100 ? (int)number : 0;
    const char *list = n <= 12 ? WORDLIST_ONE_TO_TWELVE : n < 20 ? TEENS : TENS;
    const int place = n <= 12 ? n : n < 20 ? n - 12 : n / 10;
    if (n != number || !place || (n > 20 && n % 10))
        return 0;
    *word = list + 1;
    for (int i = 1; i < place; i++)
        *word = strchr(*word, ' ') + 1;
    return strcspn(*word, " ");
}

// Bytes of the sign beyond ASCII, of a currency, a quotation or the like, at byte AT of TEXT [n].
static size_t sign_at(const char *text, size_t n, size_t at)
{
    if (begins_with(text + at, n - at, "\xe2\x80") || begins_with(text + at, n - at, "\xe2\x82"))
        return n - at < 3 ? n - at : 3;
    return n - at >= 2 && text[at] == '\xc2' ? 2 : 0;
}

// Whether the number at byte AT of TEXT[FROM ..) is of a code: "INC-2288".
static int is_of_code(const char *text, size_t from, size_t at)
{
    return at > from + 1 && text[at - 1] == '-' && is_upper(text[at - 2]);
}

int changed_weekday(const char *word, size_t n)
{
    return n && is_upper(*word) ? -day_of_week_in_full(word, n) : 0;
}

// Takes days of the week for numbers, but for those that only stand before a date.
static void number_weekdays(struct changed_tokens *t)
{
    for (int i = 0; i < t->n; i++) {
        struct changed_token *v = &t->v[i];
        const int day = v->is_number ? 0 : changed_weekday(t->text + v->at.from, span_bytes(v->at));
        if (!day || (i + 1 < t->n && t->v[i + 1].is_number) ||
            changed_is(t, i + 1, WORDLIST_MONTHS " the "))
            continue;
        v->number = day;
        v->is_number = 1;
    }
}

void changed_tokens(struct changed_tokens *t, const char *text, size_t from, size_t to)
{
    *t = (struct changed_tokens){.text = text, .to = to};
    for (size_t at = from; at < to && t->n < CHANGED_TOKENS;) {
        const size_t sign = sign_at(text, to, at);
        if (begins_with(text + at, to - at, CHANGED_SIGN)) {
            t->v[t->n++] = (struct changed_token){.at = {at, at + strlen(CHANGED_SIGN)}};
            at = t->v[t->n - 1].at.to;
            continue;
        }
        if (sign || !word_has(text[at])) {
            at += sign ? sign : 1;
            continue;
        }
        struct changed_token *v = &t->v[t->n];
        struct changed_token *last = t->n ? v - 1 : NULL;
        *v = (struct changed_token){.at = {at, at}, .is_capital = is_upper(text[at])};
        if (is_digit(text[at]))
            at += digits_of(text + at, to - at, &v->number);
        v->is_number = at > v->at.from && !is_of_code(text, from, v->at.from) &&
                       !(at < to && word_has(text[at]) && !sign_at(text, to, at));
        while (at < to && word_has(text[at]) && !sign_at(text, to, at))
            at++;
        v->at.to = at;
        if (v->is_number && last && is_upper(text[last->at.from]) &&
            word_is_listed(WORDLIST_CURRENCIES, text + last->at.from, span_bytes(last->at))) {
            *last = *v; // "from GBP 20"
            continue;
        }
        const int words = changed_number(text + v->at.from, span_bytes(v->at));
        if (words) {
            v->number = words;
            v->is_number = 1;
        }
        if (words && words < 10 && last && last->is_number && last->number >= 20 &&
            last->number <= 90 && !is_digit(text[last->at.from]) && text[last->at.to] == '-' &&
            last->at.to + 1 == v->at.from) { // "twenty-five"
            last->number += words;
            last->at.to = v->at.to;
            continue;
        }
        t->n++;
    }
    number_weekdays(t);
}

int changed_is(const struct changed_tokens *t, int i, const char *list)
{
    return i >= 0 && i < t->n &&
           word_is_listed(list, t->text + t->v[i].at.from, span_bytes(t->v[i].at));
}

static int month_at(const struct changed_tokens *t, int i)
{
    return i >= 0 && i < t->n
               ? word_place(WORDLIST_MONTHS, t->text + t->v[i].at.from, span_bytes(t->v[i].at))
               : 0;
}

struct changed_value changed_value_at(const struct changed_tokens *t, int i)
{
    const int before = month_at(t, i - 1), behind = month_at(t, i + 1);
    const int year = behind ? i + 2 : i + 1;
    struct changed_value v = {t->v[i].number, behind ? behind : before, 0};
    if (v.month && year < t->n && t->v[year].number >= 1000 && t->v[year].number < 3000)
        v.year = (int)t->v[year].number;
    return v;
}

int changed_is_same(struct changed_value a, struct changed_value b)
{
    return a.number == b.number && a.month == b.month && (!a.year || !b.year || a.year == b.year);
}

// Whether the sign of a share is right behind token I of T.
static int is_percent(const struct changed_tokens *t, int i)
{
    return t->v[i].at.to < t->to && t->text[t->v[i].at.to] == '%';
}

// Whether token I of T is a length of time: six weeks may become three months.
static int is_of_time(const struct changed_tokens *t, int i)
{
    return changed_is(t, i, WORDLIST_SPANS);
}

int changed_is_same_unit(const struct changed_tokens *a, int i, const struct changed_tokens *b,
                         int k)
{
    static const char NO_SIGNS[] = " \n\t\r\"'(*`";
    const struct span_of_text x = a->v[i].at, y = b->v[k].at;
    const char sign = x.from ? a->text[x.from - 1] : ' ',
               other = y.from ? b->text[y.from - 1] : ' ';
    if (!is_one_of(sign, NO_SIGNS) || !is_one_of(other, NO_SIGNS))
        return sign == other;
    if (is_percent(a, i) || is_percent(b, k))
        return is_percent(a, i) && is_percent(b, k);
    return i + 1 < a->n && k + 1 < b->n &&
           ((is_of_time(a, i + 1) && is_of_time(b, k + 1)) ||
            span_is_alike(a->text, a->v[i + 1].at, b->text, b->v[k + 1].at));
}

// The first number of the tokens from FROM on, of at most MOST, that is another than that at OLD,
// and like it a day, a day of the week or neither; -1: there is none.
static int another(const struct changed_tokens *t, int old, int from, int most)
{
    const struct changed_value was = changed_value_at(t, old);
    for (int i = from < 0 ? 0 : from; i < t->n && i < from + most; i++) {
        if (i == old || !t->v[i].is_number)
            continue;
        const struct changed_value v = changed_value_at(t, i);
        if (!v.month == !was.month && (v.number < 0) == (was.number < 0) &&
            !changed_is_same(v, was))
            return i;
    }
    return -1;
}

int changed_first(const struct changed_tokens *t, int from, int most, const char *list)
{
    for (int i = from < 0 ? 0 : from; i < t->n && i < from + most; i++)
        if (changed_is(t, i, list))
            return i;
    return -1;
}

// Whether what a change is called stands among the MOST tokens before token I.
static int changes_before(const struct changed_tokens *t, int i, int most)
{
    const int from = i > most ? i - most : 0;
    const int goes = changed_first(t, from, i - from, GOES);
    return changed_first(t, from, i - from, CHANGES) >= 0 ||
           (goes >= 0 && (changed_is(t, goes + 1, " up down from to back ") ||
                          changed_is(t, goes + 2, " up down from forward ")));
}

// "Changed from 20 to 25", "raised to 25 from 20".
static int from_to(const struct changed_tokens *t, int i)
{
    if (!changed_is(t, i - 1, " from "))
        return -1;
    int to = changed_first(t, i + 1, NEAR, " to ");
    if (to >= 0 && changes_before(t, i, FAR))
        return another(t, i, to + 1, NEAR - 1);
    to = changed_first(t, i - 1 - NEAR, NEAR, " to ");
    return to >= 0 && changes_before(t, to, NEAR) ? another(t, i, to + 1, i - to - 1) : -1;
}

// "20 pounds is struck out and 25 pounds put in its place".
static int struck_out(const struct changed_tokens *t, int i)
{
    static const char out[] = " struck deleted removed omitted ",
                      in[] = " put inserted substituted set written ";
    const int is = changed_first(t, i + 1, NEAR, IS),
              verb = is < 0 ? -1 : changed_first(t, is + 1, 2, out),
              by = verb < 0 ? -1 : changed_first(t, verb + 1, FAR, in);
    if (by < 0 || (changed_first(t, by + 1, NEAR, " place ") < 0 &&
                   changed_first(t, by + 1, NEAR, " stead ") < 0))
        return -1;
    return another(t, i, verb + 1, by - verb - 1);
}

// "'Fourteen' is replaced by 'twenty'", "is a misprint and is to be read as twenty".
static int replaced(const struct changed_tokens *t, int i)
{
    const int is = changed_first(t, i + 1, NEAR, IS),
              verb = is < 0 ? -1 : changed_first(t, is, NEAR, REPLACED);
    const int reads = is < 0 ? -1 : changed_first(t, is, FAR, " read ");
    if (verb >= 0 && changed_is(t, verb + 1, " by with to "))
        return another(t, i, verb + 2, NEAR);
    return reads >= 0 && changed_is(t, reads + 1, " as ") &&
                   (reads <= is + NEAR || changed_is(t, reads - 1, " be "))
               ? another(t, i, reads + 2, NEAR)
               : -1;
}

int changed_for_read(const struct changed_tokens *t, int i)
{
    const int read = changed_is(t, i + 1, " read ") ? i + 1 : i + 2;
    if (!changed_is(t, i - 1, " for ") || !changed_is(t, read, " read ") || read + 1 >= t->n ||
        !t->v[read + 1].is_number)
        return -1;
    // "For 20 minutes read 10 pages."
    return read == i + 1 || changed_is_same_unit(t, i, t, read + 1) ? another(t, i, read + 1, 1)
                                                                    : -1;
}

// "The rate of 75 per cent for bread has been lowered to 50."
static int of_is_changed(const struct changed_tokens *t, int i)
{
    const int is = changed_is(t, i - 1, " of ") ? changed_first(t, i + 1, FAR, IS) : -1;
    const int verb = is < 0 ? -1 : changed_first(t, is + 1, 2, CHANGES);
    if (verb < 0 || !changed_is(t, verb + 1, " to ") || another(t, i, i + 1, verb - i) >= 0)
        return -1;
    for (size_t at = t->v[i].at.to; at < t->v[verb].at.from; at++)
        if (is_one_of(t->text[at], ",;:"))
            return -1;
    return another(t, i, verb + 2, NEAR - 1);
}

// Where "not" or "no longer" denies what token I is, before it or before "at" and the like; -1:
// nowhere.
static int denied_at(const struct changed_tokens *t, int i)
{
    const int k = changed_is(t, i - 1, " at by for from in of on to ") ? i - 2 : i - 1;
    if (changed_is(t, k, " longer ") && changed_is(t, k - 1, " no "))
        return k - 1;
    return changed_is(t, k, " not ") ? k : -1;
}

int changed_is_denied(const struct changed_tokens *t, int i)
{
    return denied_at(t, i) >= 0;
}

static int is_behind_comma(const struct changed_tokens *t, int i)
{
    const size_t from = i > 0 ? t->v[i].at.from : 0;
    return from > 1 && t->text[from - 1] == ' ' && t->text[from - 2] == ',';
}

// "25 instead of 20", "25 rather than 20", "25 and not 20".
static int instead(const struct changed_tokens *t, int i)
{
    if (changed_is(t, i - 1, " than ") && changed_is(t, i - 2, " rather "))
        return another(t, i, i - 2 - NEAR, NEAR);
    const int of = changed_is(t, i - 1, " the ") ? i - 2 : i - 1;
    if (changed_is(t, of, " of ") &&
        (changed_is(t, of - 1, " instead ") ||
         (changed_is(t, of - 1, " place lieu ") && changed_is(t, of - 2, " in "))))
        return another(t, i, of - 2 * NEAR, 2 * NEAR);
    const int no = denied_at(t, i);
    if (changed_is(t, no - 1, " and ")) // "25 and not at 20"
        return another(t, i, no - 1 - NEAR, NEAR);
    // "25 pounds, not 20"
    return changed_is(t, no, " not ") && no == i - 1 && is_behind_comma(t, no)
               ? another(t, i, no - 3, 3)
               : -1;
}

// "It was 20 and is now 25", "25, previously 20".
static int before_now(const struct changed_tokens *t, int i)
{
    if (changed_is(t, i - 1, " previously formerly hitherto "))
        return another(t, i, i - FAR, 2 * FAR);
    const int was = changed_is(t, i - 1, " was were ") ||
                    (changed_is(t, i - 1, " be ") && changed_is(t, i - 3, " used "));
    const int now = was ? changed_first(t, i + 1, 2 * NEAR, " now ") : -1;
    return now >= 0 ? another(t, i, now - 1, NEAR) : -1;
}

int changed_is_old(const struct changed_tokens *t, int i, struct changed_value *new)
{
    int (*const ways[])(const struct changed_tokens *, int) = {
        from_to, replaced, struck_out, changed_for_read, of_is_changed, instead, before_now};
    *new = (struct changed_value){NAN, 0, 0};
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
        const int at = ways[w](t, i);
        if (at >= 0) {
            *new = changed_value_at(t, at);
            return 1;
        }
    }
    for (int k = i; k <= i + NEAR - 1; k++)
        if (changed_is_gone(t, k))
            return 1;
    const int no = denied_at(t, i);
    return changed_is(t, no, " no ");
}

// The right number where T denies the one at token I behind what both are called: "Room 12, not
// room 21". -1: it does not.
static int other_called(const struct changed_tokens *t, int i)
{
    const int right = changed_is(t, i - 2, " not ") ? another(t, i, i - 2 - NEAR, NEAR) : -1;
    return right > 0 && span_is_alike(t->text, t->v[right - 1].at, t->text, t->v[i - 1].at) ? right
                                                                                            : -1;
}

int changed_is_wrong(const struct changed_tokens *t, int i, struct changed_value *new)
{
    static const char WORDS[] = " correction corrected correct erratum wrong mistaken ";
    const int no = denied_at(t, i), called = no < 0 ? other_called(t, i) : -1;
    if (called >= 0) { // what is called so in the answer may be as many of others there
        *new = (struct changed_value){NAN, 0, 0};
        return changed_first(t, 0, called, WORDS) >= 0 || changed_first(t, called - 3, 2, IS) >= 0;
    }
    const int right = changed_is(t, no, " not ") ? another(t, i, no - 1 - NEAR, NEAR + 1) : -1;
    if (right < 0)
        return 0;
    *new = changed_value_at(t, right);
    return changed_is(t, no - 1, " and ") || changed_first(t, 0, right, WORDS) >= 0 ||
           (changed_is(t, right - 2, " it ") && changed_is(t, right - 1, IS));
}

static const char WROTE[] = " printed misprinted given stated shown listed quoted published ",
                  WRONGLY[] = " wrongly incorrectly mistakenly erroneously ";

// The number that T has right behind "as" at token I, or behind one word more; -1: it has none.
static int number_as(const struct changed_tokens *t, int i)
{
    for (int k = i + 1; changed_is(t, i, " as ") && k < t->n && k <= i + 2; k++)
        if (t->v[k].is_number)
            return k;
    return -1;
}

// The number that T tells to be written of something by one of the verbs BE, "The fee was printed
// as 20 pounds": its token; -1: it tells none.
static int written(const struct changed_tokens *t, const char *be)
{
    for (int i = 0; i < t->n; i++) {
        int verb = i + 1;
        verb += changed_is(t, verb, WRONGLY);
        if (!changed_is(t, i, be) || !changed_is(t, verb, WROTE))
            continue;
        const int number = number_as(t, verb + 1 + changed_is(t, verb + 1, WRONGLY));
        if (number >= 0)
            return number;
    }
    return -1;
}

// Whether T says of something that it was not printed as it should be: "was misprinted".
static int was_misprinted(const struct changed_tokens *t)
{
    for (int i = 0; i < t->n; i++)
        if (changed_is(t, i, " was were been ") &&
            (changed_is(t, i + 1, " misprinted ") ||
             (changed_is(t, i + 1, WRONGLY) && changed_is(t, i + 2, WROTE))))
            return 1;
    return 0;
}

int changed_is_stated(const struct changed_tokens *t)
{
    static const char GIVES[] = " gives gave states stated prints printed shows showed lists "
                                "listed quotes quoted ";
    const int passive = written(t, " is are ");
    if (passive >= 0)
        return passive;
    for (int i = 1; i < t->n; i++) {
        const int as = changed_is(t, i, GIVES) ? changed_first(t, i + 1, FAR, " as ") : -1;
        const int number = as >= 0 ? number_as(t, as) : -1;
        if (number >= 0)
            return number;
    }
    return -1;
}

int changed_is_misprint(const struct changed_tokens *t, int i)
{
    static const char WORDS[] = " misprint misprints misprinted typo slip mistake error ";
    return i >= 0 && changed_first(t, i + 1, FAR, WORDS) >= 0;
}

int changed_is_report(const struct changed_tokens *t)
{
    for (int i = 0; i < t->n; i++)
        if (changed_is(t, i, " i we ") &&
            changed_first(t, i + 1, 3, " said wrote gave told stated reported ") >= 0)
            return changed_first(t, 0, t->n, " before earlier previously edition also wrongly ") >=
                   0;
    return was_misprinted(t) || written(t, " was were been ") >= 0;
}

// Whether T says of the number at token I that it is right: "25 pounds is right", "The right figure
// is 25", "It should read 25".
static int is_right(const struct changed_tokens *t, int i)
{
    static const char RIGHT[] = " right correct ",
                      BESIDE[] = " above across after at before behind below beside by in next on ";
    const int is = changed_first(t, i + 1, 3, IS), of = changed_is(t, i - 1, IS) ? i - 2 : -1;
    if (is >= 0 && changed_is(t, is + 1, RIGHT))
        return !changed_is(t, is + 2, BESIDE);
    if (of > 0 && (changed_is(t, of, RIGHT) || changed_is(t, of - 1, RIGHT)))
        return 1;
    return changed_is(t, i - 1, " be been read ") && changed_first(t, i - 3, 3, " should ") >= 0;
}

int changed_corrects(const struct changed_tokens *t)
{
    static const char IT[] = " it he she they this that there ";
    for (int i = 0; i < t->n; i++) {
        if (!changed_is(t, i, IT) || !changed_is(t, i + 1, " is was were are should "))
            continue;
        if ((i + 2 < t->n && t->v[i + 2].is_number) ||
            changed_is(t, i + 2, " wrong mistaken untrue incorrect ") ||
            (changed_is(t, i + 1, " should ") && changed_is(t, i + 2, " read ")) ||
            (changed_is(t, i + 2, " no ") && changed_is(t, i + 3, " evidence ")) ||
            (changed_is(t, i + 2, " not ") && changed_is(t, i + 3, " so true right correct ")))
            return 1;
    }
    for (int i = 0; i < t->n; i++)
        if (t->v[i].is_number && is_right(t, i))
            return 1;
    return 0;
}

int changed_says_so(const struct changed_tokens *t, int i, int most)
{
    static const char GONE[] = " replaced substituted superseded deleted repealed omitted ";
    for (int k = i + 1; k < t->n && k <= i + most; k++)
        if ((changed_is(t, k, IS) &&
             (changed_first(t, k + 1, 3, CHANGES) >= 0 || changed_first(t, k + 1, 3, GONE) >= 0)) ||
            (changed_is(t, k, " now shall will ") && changed_is(t, k + 1, " read reads ")))
            return 1;
    return 0;
}

int changed_is_gone(const struct changed_tokens *t, int i)
{
    static const char CASES[] = " if unless where when whenever whether for ";
    const int is = changed_is(t, i + 1, " is are been ") &&
                   changed_is(t, i + 2, " waived abolished dropped cancelled withdrawn lifted ");
    return (is || changed_is(t, i + 1, " lapses ") ||
            (changed_is(t, i + 1, " falls ") && changed_is(t, i + 2, " away "))) &&
           changed_first(t, 0, t->n, CASES) < 0;
}

int changed_reads_so(const struct changed_tokens *t)
{
    for (int i = 3; i < t->n; i++)
        if (changed_is(t, i, " read ") && changed_is(t, i - 1, " be ") &&
            changed_is(t, i - 2, " to ") && changed_is(t, i - 3, IS))
            return changed_is(t, i + 1, " so accordingly ") ||
                   (changed_is(t, i + 1, " that ") && changed_is(t, i + 2, " way "));
    return 0;
}
