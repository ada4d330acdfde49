// Which numbers, letters and months a question and a text have.
#include "engine/question/asked.h"

#include <string.h>
#include <strings.h>

#include "engine/words/chars.h"
#include "engine/words/dates.h"
#include "engine/words/day.h"
#include "engine/words/wordlist.h"
#include "engine/words/words.h"

// Whether the word TEXT[FROM .. TO) is a few digits of a longer number: "3" of "3.4".
static int is_of_longer(const char *text, size_t from, size_t to)
{
    enum { FEW = 2 };
    return to - from <= FEW && ((text[to] == '.' && is_digit(text[to + 1])) ||
                                (from > 1 && text[from - 1] == '.' && is_digit(text[from - 2])));
}

// Whether WORD [n] is the number of STEM, or that with a zero before it: "08" of a date.
static int is_number(const char *word, size_t n, const char own[WORD_STEM],
                     const char stem[WORD_STEM])
{
    return !memcmp(own, stem, WORD_STEM) ||
           (n == 2 && word[0] == '0' && word[1] == stem[0] && !stem[1]);
}

// Whether TEXT has the number of STEM, itself or, if PART, in a longer one.
static int has_this_number(const char *text, const char stem[WORD_STEM], int part)
{
    char own[WORD_STEM];
    const size_t n = strlen(text);
    size_t bytes;
    for (size_t at = 0; word_next(text, n, &at, own, &bytes);)
        if (is_number(text + at - bytes, bytes, own, stem) &&
            (part || !is_of_longer(text, at - bytes, at)))
            return 1;
    return 0;
}

// Whether WORD [n] tells things of one name apart: a number, or a single capital ("class B").
static int is_mark(const char *word, size_t n)
{
    return word_has_digit(word, n) || (n == 1 && is_upper(*word) && *word != 'I');
}

// Whether TEXT has the word of STEM before a mark, but nowhere before the one of NUMBER: of what is
// asked of row 7 it tells another row's.
static int is_of_another(const char *text, const char stem[WORD_STEM], const char number[WORD_STEM])
{
    char last[WORD_STEM] = {0}, own[WORD_STEM];
    const size_t n = strlen(text);
    size_t bytes;
    int others = 0;
    for (size_t at = 0; word_next(text, n, &at, own, &bytes); memcpy(last, own, WORD_STEM)) {
        if (memcmp(last, stem, WORD_STEM) != 0 || !is_mark(text + at - bytes, bytes))
            continue;
        if (!memcmp(own, number, WORD_STEM))
            return 0;
        others = 1;
    }
    return others;
}

// Whether the bits of SET are one.
static int is_one(unsigned set)
{
    return set && !(set & (set - 1));
}

// Whether TEXT has one month, by its name or in dates in numbers, and that is none of MONTHS.
// Several are a time that may have one of MONTHS in its midst.
static int has_other_month(unsigned months, const char *text)
{
    const unsigned there = months ? dates_numbered(text) | dates_named(text) : 0;
    return is_one(there) && !(months & there);
}

// Whether TEXT says the day that QUESTION names of another month, and nowhere that day itself: a
// heading above it may name both months.
static int has_other_day(const char *question, const char *text)
{
    struct day named, own;
    size_t n = strlen(text), at = 0, bytes;
    int others = 0;
    if (!day_of(question, strlen(question), &named))
        return 0;
    for (; (bytes = day_find(text, n, &at, &own)) > 0; at += bytes) {
        if (day_is_same(&own, &named))
            return 0;
        others |= own.day == named.day && own.month != named.month;
    }
    return others;
}

// The bytes of the number at QUESTION that has a point with one digit behind it, as a version has:
// "1.1"; 0: it is another one. What has more, "7.30" or "12.3.2024", may be written otherwise.
static size_t version_at(const char *question)
{
    const size_t n = strspn(question, "0123456789");
    const char *point = question + n;
    return n && point[0] == '.' && is_digit(point[1]) && !is_digit(point[2]) &&
                   !(point[2] == '.' && is_digit(point[3])) && point[2] != '%'
               ? n + 2
               : 0;
}

// Whether TEXT has the number VERSION [n], "1.1" or "1.1.3", and not as a part of "2.1.1".
static int has_version(const char *text, const char *version, size_t n)
{
    for (const char *p = text; (p = strchr(p, *version)); p++)
        if (!strncmp(p, version, n) && !is_digit(p[n]) && !(p > text && is_digit(p[-1])) &&
            !(p > text + 1 && p[-1] == '.' && is_digit(p[-2])))
            return 1;
    return 0;
}

// How many numbers and names with a number QUESTION has; *OWN: how many of these TEXT has. A month
// counts as one where TEXT has another one, or dates in numbers.
static int count_numbers(const char *question, const char *text, int *own)
{
    char last[WORD_STEM] = {0}, stem[WORD_STEM];
    size_t bytes;
    int all = *own = 0;
    for (size_t at = 0; word_next(question, strlen(question), &at, stem, &bytes);
         memcpy(last, stem, WORD_STEM)) {
        if (!word_has_digit(question + at - bytes, bytes))
            continue;
        all++;
        const size_t version = version_at(question + at - bytes);
        if (version) {
            *own += has_version(text, question + at - bytes, version);
            at += version - bytes;
            continue;
        }
        *own += has_this_number(text, stem, is_of_longer(question, at - bytes, at)) &&
                !is_of_another(text, last, stem);
    }
    const unsigned months = dates_named(question), there = dates_numbered(text);
    if (months && (there || has_other_month(months, text))) {
        all++;
        *own += (months & (there | dates_named(text))) != 0;
    }
    return all;
}

double asked_numbers(const char *question, const char *text)
{
    int own, all = count_numbers(question, text, &own);
    return all ? (double)own / all : 0;
}

// Whether a label like WORD [n] has its number behind it ("Priority 2", "row 7"), unlike "in".
static int is_label(const char *word, size_t n)
{
    enum { LEAST = 3 };
    static const char others[] = " and for the than from with within over under about before after "
                                 "since until till only have has are was were between least most ";
    return n >= LEAST && !word_has_digit(word, n) && !word_is_listed(others, word, n) &&
           !word_is_listed(WORDLIST_DATES, word, n);
}

// Whether TEXT has the word FIRST, in small letters, right before the word of STEM.
static int has_pair(const char *text, const char *first, const char stem[WORD_STEM])
{
    char word[WORD_STEM];
    size_t bytes;
    int behind = 0;
    for (size_t at = 0; word_next(text, strlen(text), &at, word, &bytes);) {
        if (behind && !memcmp(word, stem, WORD_STEM))
            return 1;
        behind = bytes == strlen(first) && !strncasecmp(text + at - bytes, first, bytes);
    }
    return 0;
}

// Whether TEXT tells of what is without a thing where QUESTION asks of what is with it, or the
// other way round, and of no other: "trailers with brakes".
static int is_opposite(const char *question, const char *text)
{
    static const char *const words[] = {"with", "without"};
    char stem[WORD_STEM];
    size_t bytes;
    int own = -1;
    for (size_t at = 0; word_next(question, strlen(question), &at, stem, &bytes);) {
        if (own >= 0 && has_pair(text, words[!own], stem) && !has_pair(text, words[own], stem))
            return 1;
        own = -1;
        for (int i = 0; i < 2; i++)
            if (bytes == strlen(words[i]) && !strncasecmp(question + at - bytes, words[i], bytes))
                own = i;
    }
    return 0;
}

// The bytes of the number with dots in it that TEXT begins with, "4.18.0"; 0: there is none.
static size_t dotted_bytes(const char *text)
{
    size_t n = 0, dots = 0;
    while (is_digit(text[n]) || (n && text[n] == '.' && is_digit(text[n + 1])))
        dots += text[n++] == '.';
    return dots ? n : 0;
}

// Whether TEXT has the number with dots in it that the word at byte FROM of QUESTION begins, whole:
// what else is called like the thing before it, as "checkout-5f7c" is, is no other one then.
static int has_dotted(const char *question, size_t from, const char *text)
{
    const size_t n = dotted_bytes(question + from);
    for (const char *p = text; n && (p = strchr(p, question[from])); p++)
        if ((p == text || (!word_has(p[-1]) && p[-1] != '.')) && dotted_bytes(p) == n &&
            !memcmp(p, question + from, n) && !word_has(p[n]))
            return 1;
    return 0;
}

// The last two words of a text, the last one first.
struct last_words {
    const char *word[2];
    size_t n[2];
};

static void go_on(struct last_words *l, const char *word, size_t n)
{
    l->word[1] = l->word[0], l->n[1] = l->n[0];
    l->word[0] = word, l->n[0] = n;
}

// Whether the last words are one of LIST and, behind it, "of".
static int are_of(const struct last_words *l, const char *list)
{
    return l->n[1] && word_is_listed(" of ", l->word[0], l->n[0]) &&
           word_is_listed(list, l->word[1], l->n[1]);
}

// Whether TEXT tells the version of another thing, "of checkout 4.18.0", than the one whose version
// QUESTION asks for, which it does not name.
static int is_version_of_another(const char *question, const char *text)
{
    static const char articles[] = " the a our ", versions[] = " version versions build ";
    struct last_words last = {0};
    char stem[WORD_STEM];
    size_t bytes;
    const char *asked = NULL;
    for (size_t at = 0; !asked && word_next(question, strlen(question), &at, stem, &bytes);) {
        const char *word = question + at - bytes;
        if (word_is_listed(articles, word, bytes))
            continue;
        asked = are_of(&last, versions) ? word : NULL;
        go_on(&last, word, bytes);
    }
    // Its last word is the one that was asked for.
    if (!asked || word_has_digit(asked, last.n[0]) ||
        word_form_is_in(text, strlen(text), asked, last.n[0]))
        return 0;
    last = (struct last_words){0};
    for (size_t at = 0; word_next(text, strlen(text), &at, stem, &bytes);) {
        if (last.n[1] && word_is_listed(" of ", last.word[1], last.n[1]) &&
            !word_has_digit(last.word[0], last.n[0]) && dotted_bytes(text + at - bytes))
            return 1;
        go_on(&last, text + at - bytes, bytes);
    }
    return 0;
}

// The number that WORD [n] is, in digits or in words up to twelve; 0: it is none.
static int small_number(const char *word, size_t n)
{
    static const char *const words[] = {"one",   "two",   "three", "four", "five",   "six",
                                        "seven", "eight", "nine",  "ten",  "eleven", "twelve"};
    enum { DIGITS = 4 };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == n && !strncasecmp(words[i], word, n))
            return (int)i + 1;
    for (size_t i = 0; i < n; i++)
        if (!is_digit(word[i]) || n > DIGITS)
            return 0;
    return n ? day_digits(word, n) : 0;
}

// Whether TEXT has the word of STEM behind a number that stands behind WORD [n], but NUMBER,
// another one, nowhere.
static int is_of_other_count(const char *text, const char *word, size_t n, int number,
                             const char stem[WORD_STEM])
{
    struct last_words last = {0};
    char own[WORD_STEM];
    size_t bytes;
    int others = 0;
    for (size_t at = 0; word_next(text, strlen(text), &at, own, &bytes);
         go_on(&last, text + at - bytes, bytes)) {
        if (small_number(text + at - bytes, bytes) == number)
            return 0;
        others |= last.n[1] == n && !strncasecmp(last.word[1], word, n) &&
                  small_number(last.word[0], last.n[0]) && !memcmp(own, stem, WORD_STEM);
    }
    return others;
}

// Whether TEXT tells what is so with another number of the things with so many of which QUESTION
// asks for it: "with three players" of "with two players".
static int is_with_others(const char *question, const char *text)
{
    static const char before[] = " with for between among ";
    struct last_words last = {0};
    char stem[WORD_STEM];
    size_t bytes;
    for (size_t at = 0; word_next(question, strlen(question), &at, stem, &bytes);
         go_on(&last, question + at - bytes, bytes)) {
        const int number = last.n[1] ? small_number(last.word[0], last.n[0]) : 0;
        if (number && word_is_listed(before, last.word[1], last.n[1]) &&
            is_of_other_count(text, last.word[1], last.n[1], number, stem))
            return 1;
    }
    return 0;
}

const char *asked_for_counted(const char *question, size_t *n)
{
    const char *word = NULL; // the last one, of N bytes
    char stem[WORD_STEM];
    size_t bytes;
    *n = 0;
    for (size_t at = 0; word_next(question, strlen(question), &at, stem, &bytes);
         word = question + at - bytes, *n = bytes) {
        size_t digits = 0;
        while (digits < bytes && is_digit(question[at - bytes + digits]))
            digits++;
        if (word && digits == bytes && is_label(word, *n) && word + *n + 1 == question + at - bytes)
            return word;
    }
    return NULL;
}

int asked_of_another(const char *question, const char *text)
{
    char last[WORD_STEM] = {0}, stem[WORD_STEM];
    size_t bytes, n = 0, from = 0; // n: of the last word, which begins with byte FROM
    for (size_t at = 0; word_next(question, strlen(question), &at, stem, &bytes);
         memcpy(last, stem, WORD_STEM), n = bytes, from = at - bytes)
        if (n && is_mark(question + at - bytes, bytes) && is_label(question + from, n) &&
            is_of_another(text, last, stem) && !has_dotted(question, at - bytes, text))
            return 1;
    return is_version_of_another(question, text) || is_opposite(question, text) ||
           is_with_others(question, text) || has_other_month(dates_named(question), text) ||
           has_other_day(question, text) || asked_subject(question, text) < 0 ||
           asked_only_undone(question, text);
}

int asked_numbers_lacking(const char *question, const char *text)
{
    int own, all = count_numbers(question, text, &own);
    return all - own;
}
