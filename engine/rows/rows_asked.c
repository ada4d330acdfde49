#include "engine/rows/rows_asked.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "engine/rows/column.h"
#include "engine/rows/number.h"
#include "engine/words/chars.h"
#include "engine/words/names.h"
#include "engine/words/text_span.h"
#include "engine/words/wordlist.h"
#include "engine/words/words.h"

#define LENGTH "length duration distance time km"
#define HEIGHT "height elevation altitude"
#define SIZE   "size area capacity volume population"
#define SPEED  "speed"
#define STOCK  "stock quantity available"
#define AGE    "age"
#define BUILT  "year built made founded date"
#define DATED  "date day year start started joined hired since founded built released"

// Words that compare, those of several words first; where their column is not named it is one with
// a name of KIND.
static const struct {
    const char *words;
    int up; // 1: the most, -1: the least
    const char *kind;
    int pair;          // 1: they need a number, or several rows, to compare with
    const char *other; // where there is none of KIND, names of one whose order is OTHER_UP
    int other_up;
} COMPARES[] = {
    {"most expensive", 1, COLUMN_PRICE, 0, NULL, 0},
    {"least expensive", -1, COLUMN_PRICE, 0, NULL, 0},
    {"more expensive", 1, COLUMN_PRICE, 1, NULL, 0},
    {"less expensive", -1, COLUMN_PRICE, 1, NULL, 0},
    {"at least", 1, NULL, 1, NULL, 0},
    {"at most", -1, NULL, 1, NULL, 0},
    {"longest serving", -1, COLUMN_START, 0, NULL, 0},
    {"longest-serving", -1, COLUMN_START, 0, NULL, 0},
    {"most recently", 1, DATED, 0, NULL, 0},
    {"most recent", 1, DATED, 0, NULL, 0},
    {"best paid", 1, COLUMN_PAY, 0, NULL, 0},
    {"worst paid", -1, COLUMN_PAY, 0, NULL, 0},
    {"oldest", 1, AGE, 0, COLUMN_BIRTH " " BUILT, -1},
    {"youngest", -1, AGE, 0, COLUMN_BIRTH, 1},
    {"older", 1, AGE, 1, COLUMN_BIRTH " " BUILT, -1},
    {"younger", -1, AGE, 1, COLUMN_BIRTH, 1},
    {"newest", 1, DATED, 0, NULL, 0},
    {"latest", 1, DATED, 0, NULL, 0},
    {"earliest", -1, DATED, 0, NULL, 0},
    {"cheapest", -1, COLUMN_PRICE, 0, NULL, 0},
    {"dearest", 1, COLUMN_PRICE, 0, NULL, 0},
    {"priciest", 1, COLUMN_PRICE, 0, NULL, 0},
    {"cheaper", -1, COLUMN_PRICE, 1, NULL, 0},
    {"dearer", 1, COLUMN_PRICE, 1, NULL, 0},
    {"heaviest", 1, COLUMN_WEIGHT, 0, NULL, 0},
    {"lightest", -1, COLUMN_WEIGHT, 0, NULL, 0},
    {"heavier", 1, COLUMN_WEIGHT, 1, NULL, 0},
    {"lighter", -1, COLUMN_WEIGHT, 1, NULL, 0},
    {"longest", 1, LENGTH, 0, NULL, 0},
    {"shortest", -1, LENGTH, 0, NULL, 0},
    {"longer", 1, LENGTH, 1, NULL, 0},
    {"shorter", -1, LENGTH, 1, NULL, 0},
    {"tallest", 1, HEIGHT, 0, NULL, 0},
    {"taller", 1, HEIGHT, 1, NULL, 0},
    {"highest", 1, HEIGHT, 0, NULL, 0},
    {"higher", 1, HEIGHT, 1, NULL, 0},
    {"lowest", -1, HEIGHT, 0, NULL, 0},
    {"lower", -1, HEIGHT, 1, NULL, 0},
    {"largest", 1, SIZE, 0, NULL, 0},
    {"biggest", 1, SIZE, 0, NULL, 0},
    {"smallest", -1, SIZE, 0, NULL, 0},
    {"larger", 1, SIZE, 1, NULL, 0},
    {"bigger", 1, SIZE, 1, NULL, 0},
    {"smaller", -1, SIZE, 1, NULL, 0},
    {"fastest", 1, SPEED, 0, NULL, 0},
    {"slowest", -1, SPEED, 0, NULL, 0},
    {"faster", 1, SPEED, 1, NULL, 0},
    {"slower", -1, SPEED, 1, NULL, 0},
    {"most", 1, NULL, 0, NULL, 0},
    {"fewest", -1, NULL, 0, NULL, 0},
    {"least", -1, NULL, 0, NULL, 0},
    {"more", 1, NULL, 1, NULL, 0},
    {"less", -1, NULL, 1, NULL, 0},
    {"fewer", -1, NULL, 1, NULL, 0},
    {"over", 1, NULL, 1, NULL, 0},
    {"above", 1, NULL, 1, NULL, 0},
    {"under", -1, NULL, 1, NULL, 0},
    {"below", -1, NULL, 1, NULL, 0},
    {"before", -1, NULL, 1, NULL, 0},
    {"after", 1, NULL, 1, NULL, 0},
    {"since", 1, NULL, 1, NULL, 0},
    {"in", 1, NULL, 1, NULL, 0},
};

int rows_asked_within(const struct rows_asked *a, double number)
{
    if (!a->limited || (a->equal && number == a->limit))
        return 1;
    return !a->only && (a->up > 0 ? number > a->limit : number < a->limit);
}

char *rows_asked_strike_words(char *left, const char *words)
{
    const char *p = name_stands(left, left, words, strlen(words));
    return p ? memset(left + (p - left), ' ', strlen(words)) : NULL;
}

static enum rows_kind kind_of(char *left)
{
    static const struct {
        const char *begins;
        enum rows_kind kind;
    } kinds[] = {{"how many ", ROWS_COUNT}, {"how much ", ROWS_WHAT}, {"what are ", ROWS_LIST},
                 {"which ", ROWS_WHICH},    {"what ", ROWS_WHAT},     {"list ", ROWS_LIST},
                 {"show ", ROWS_LIST},      {"name ", ROWS_LIST},     {"give ", ROWS_LIST},
                 {"count ", ROWS_COUNT},    {"who ", ROWS_WHO},       {"who's ", ROWS_WHO},
                 {"whose ", ROWS_WHO}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (!strncasecmp(left, kinds[i].begins, strlen(kinds[i].begins))) {
            memset(left, ' ', strlen(kinds[i].begins));
            return kinds[i].kind;
        }
    return ROWS_NONE;
}

// Takes the number behind byte AT of what is left, with "than" before it and its unit behind it, as
// what is compared with; 0: there is none.
static int take_limit(struct rows_asked *a, size_t at)
{
    char *left = a->left;
    const size_t n = strlen(left);
    at += strspn(left + at, " ");
    if (!strncasecmp(left + at, "than ", 5))
        at += 5 + strspn(left + at + 5, " ");
    const size_t bytes = strcspn(left + at, " ?");
    int decimals;
    const size_t number = number_of(left + at, bytes, &a->limit, &decimals);
    if (!number)
        return 0;
    a->currency = number_currency_named(left + at, bytes);
    if (number + 1 == bytes && is_one_of(left[at + number], "kK"))
        a->limit *= 1000;
    rows_asked_strike_words(left, "than");
    memset(left + at, ' ', bytes);
    at += bytes;
    at += strspn(left + at, " ");
    size_t end = at;
    while (end < n && word_has(left[end]))
        end++;
    const int named = number_currency_named(left + at, end - at);
    a->currency = named ? named : a->currency;
    if (named || word_is_listed(" percent ", left + at, end - at))
        memset(left + at, ' ', end - at);
    return 1;
}

// Takes the year behind byte AT of what is left, if nothing else of a date is there.
static int take_year(struct rows_asked *a, size_t at)
{
    enum { YEAR = 4 };
    at += strspn(a->left + at, " ");
    const char *word = a->left + at;
    if (!word_is_year(word, strcspn(word, " ?.,!")) || strcspn(word, " ?.,!") != YEAR ||
        strspn(word + YEAR, " ?.,!") != strlen(word + YEAR))
        return 0;
    a->limit = atoi(word);
    memset(a->left + at, ' ', YEAR);
    return a->limited = a->year = 1;
}

// Takes the day of which rows are asked for: "on 2024-05-15", "of 5 September".
static int take_day(struct rows_asked *a)
{
    const size_t n = strlen(a->left);
    size_t at = 0, from;
    const size_t bytes = day_find(a->left, n, &at, &a->during);
    for (from = at; from > 0 && a->left[from - 1] == ' ';)
        from--;
    const size_t to = from;
    from = word_start_before(a->left, 0, to);
    if (!bytes || !word_is_listed(" on of for ", a->left + from, to - from)) {
        a->during = (struct day){0};
        return 0;
    }
    memset(a->left + from, ' ', at + bytes - from);
    return 1;
}

// Takes the month of which rows are asked for: "in January", "during May 2024".
static void take_month(struct rows_asked *a)
{
    char stem[WORD_STEM];
    size_t bytes, at = 0;
    int may = 0; // 1: the word before may stand before a month
    while (word_next(a->left, strlen(a->left), &at, stem, &bytes)) {
        char *word = a->left + at - bytes;
        const int month = may ? word_place(WORDLIST_MONTHS, word, bytes) : 0;
        may = word_is_listed(" in during for of ", word, bytes);
        if (!month || (bytes == 3 && !is_upper(*word)))
            continue;
        size_t next = at, own;
        if (word_next(a->left, strlen(a->left), &next, stem, &own) &&
            is_digit(a->left[next - own])) {
            if (!word_is_year(a->left + next - own, own))
                return; // a day
            a->during.year = atoi(a->left + next - own);
            memset(a->left + next - own, ' ', own);
        }
        a->during.month = month;
        memset(word, ' ', bytes);
        return;
    }
}

// Takes what is compared with, and how.
static int take_compared(struct rows_asked *a)
{
    static const char stays[] = " worked served employed serving service here joined company firm ";
    static const char times[] = " before after since in ";
    char stem[WORD_STEM];
    size_t bytes;
    for (size_t i = 0; i < sizeof COMPARES / sizeof *COMPARES; i++) {
        const char *words = COMPARES[i].words;
        const int time = word_is_listed(times, words, strlen(words));
        char *p = rows_asked_strike_words(a->left, words);
        if (!p)
            continue;
        const size_t behind = (size_t)(p - a->left) + strlen(words);
        if (time && (a->kind == ROWS_WHAT || !take_year(a, behind))) {
            memcpy(p, words, strlen(words));
            continue;
        }
        a->up = COMPARES[i].up;
        a->many = COMPARES[i].kind || COMPARES[i].pair ? 0 : behind;
        a->pair = COMPARES[i].pair;
        a->column = COMPARES[i].kind;
        a->other = COMPARES[i].other;
        a->other_up = COMPARES[i].other_up;
        // "The most expensive room" is not the one of the highest number.
        a->bound =
            a->column && (!strcmp(a->column, COLUMN_PRICE) || !strcmp(a->column, COLUMN_WEIGHT) ||
                          !strcmp(a->column, AGE) || !strcmp(a->column, COLUMN_PAY));
        a->only = !strcmp(words, "in");
        if (!time)
            a->limited = a->pair && take_limit(a, behind);
        a->equal = !strncmp(words, "at ", 3) || a->only || !strcmp(words, "since") ||
                   (time && (rows_asked_strike_words(a->left, "in or") ||
                             rows_asked_strike_words(a->left, "on or")));
        const int stay = a->column && !strcmp(a->column, LENGTH) && !a->pair;
        for (size_t at = 0; stay && word_next(a->left, strlen(a->left), &at, stem, &bytes);)
            if (word_is_listed(stays, a->left + at - bytes, bytes)) {
                memset(a->left + at - bytes, ' ', bytes);
                a->column = COLUMN_START; // who has been there the longest began first
                a->up = !strcmp(words, "longest") ? -1 : 1;
            }
        return 1;
    }
    return 0;
}

// What LEFT has behind "to", which it has behind byte AT: "join" of "the second to join". {0}: it
// has none.
static struct span_of_text behind_to(const char *left, size_t at)
{
    const size_t n = strlen(left);
    char stem[WORD_STEM];
    size_t bytes;
    if (!word_next(left, n, &at, stem, &bytes) ||
        !word_is_listed(" to ", left + at - bytes, bytes) || !word_next(left, n, &at, stem, &bytes))
        return (struct span_of_text){0};
    return (struct span_of_text){at - bytes, at};
}

// Takes which one is asked for: "the third row", "the second to join", "joined last".
static void take_nth(struct rows_asked *a)
{
    static const char nths[] = WORDLIST_ORDINALS, starts[] = " join start begin be arrive ",
                      started[] = " joined started ";
    char stem[WORD_STEM];
    size_t bytes, at = 0;
    int came = 0; // 1: the word before is one of STARTED
    while (word_next(a->left, strlen(a->left), &at, stem, &bytes)) {
        const char *word = a->left + at - bytes;
        a->nth = word_is_listed(" last ", word, bytes) ? -1 : word_place(nths, word, bytes);
        if (a->nth)
            break;
        came = word_is_listed(started, word, bytes);
    }
    if (!a->nth)
        return;
    memset(a->left + at - bytes, ' ', bytes);
    const struct span_of_text verb = behind_to(a->left, at);
    const char *does = a->left + verb.from;
    const int joins = word_is_listed(starts, does, span_bytes(verb));
    if ((!joins && !came) || (joins && word_is_listed(" be ", does, span_bytes(verb)) &&
                              !name_stands(a->left, a->left, "hired", 5)))
        return;
    a->up = a->nth < 0 ? 1 : -1;
    a->nth = a->nth < 0 ? 1 : a->nth;
    a->column = COLUMN_START;
    if (joins)
        memset(a->left + verb.from, ' ', span_bytes(verb));
}

// Takes that a sum or a mean is asked for.
static void take_figure(struct rows_asked *a)
{
    static const struct {
        const char *words;
        enum rows_figure figure;
    } figures[] = {{"on average", ROWS_MEAN}, {"average", ROWS_MEAN},   {"mean", ROWS_MEAN},
                   {"in total", ROWS_SUM},    {"altogether", ROWS_SUM}, {"total", ROWS_SUM},
                   {"sum", ROWS_SUM},         {"together", ROWS_SUM},   {"combined", ROWS_SUM},
                   {"in all", ROWS_SUM}};
    for (size_t i = 0; !a->figure && i < sizeof figures / sizeof *figures; i++)
        if (rows_asked_strike_words(a->left, figures[i].words))
            a->figure = figures[i].figure;
    if (a->figure)
        rows_asked_strike_words(a->left, "number of");
}

// Takes that how many of something were sold or bought is asked for: "How many items did Dorn
// order?", "How many units were sold?", "Who bought the most drills?"
static void take_trade(struct rows_asked *a)
{
    static const struct {
        const char *does, *did;
        int sells;
    } trades[] = {{"order", "ordered", 0}, {"buy", "bought", 0},   {"purchase", "purchased", 0},
                  {"sell", "sold", 1},     {"ship", "shipped", 1}, {"deliver", "delivered", 1}};
    const int did = name_stands(a->left, a->left, "did", 3) != NULL;
    for (size_t i = 0; i < sizeof trades / sizeof *trades; i++) {
        const char *word = did ? trades[i].does : trades[i].did;
        if (!name_stands(a->left, a->left, word, strlen(word)))
            continue;
        a->trade = word;
        a->traded = trades[i].did;
        a->sells = trades[i].sells;
        a->trader = did || name_stands(a->left, a->left, "by", 2);
        return;
    }
}

// Takes out of LEFT that it asks on which day there was the most of something.
static int take_day_asked(char *left)
{
    static const char *const begins[] = {"on which day ", "on what day ", "on which date ",
                                         "on what date ", "which day ",   "when "};
    if (!words_any("most least fewest", left, strlen(left)))
        return 0;
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (!strncasecmp(left, begins[i], strlen(begins[i]))) {
            memset(left, ' ', strlen(begins[i]));
            return 1;
        }
    return 0;
}

// Takes what names have to begin with: "How many codes start with E?"
static void take_prefix(struct rows_asked *a)
{
    static const char *const words[] = {"start with",  "starts with",   "begin with",
                                        "begins with", "starting with", "beginning with"};
    for (size_t i = 0; !*a->prefix && i < sizeof words / sizeof *words; i++) {
        char *p = rows_asked_strike_words(a->left, words[i]);
        if (!p)
            continue;
        p += strspn(p, " ");
        const size_t quote = strspn(p, "\"'"), bytes = strcspn(p + quote, " ?.\"'");
        memcpy(a->prefix, p + quote, bytes);
        memset(p, ' ', quote + bytes);
    }
}

int rows_asked_parse(struct rows_asked *a, const char *question, enum rows_way way)
{
    const size_t n = strlen(question);
    *a = (struct rows_asked){0};
    if (n >= ROWS_ASKED)
        return 0;
    memcpy(a->left, question, n + 1);
    const int much = !strncasecmp(a->left, "how much ", 9);
    a->day = take_day_asked(a->left);
    a->kind = a->day ? ROWS_WHICH : kind_of(a->left);
    if (!take_day(a)) {
        if (!a->kind)
            return 0;
        take_month(a);
    }
    a->kind = a->kind ? a->kind : ROWS_LIST; // "visits on 5 May"
    a->does = name_stands(a->left, a->left, "does", 4) || name_stands(a->left, a->left, "do", 2);
    a->either = name_stands(a->left, a->left, "or", 2) != NULL;
    // "The total of all orders" is one sum.
    a->each = words_any("each every", a->left, n) ||
              (words_any("all", a->left, n) && !words_any("total sum", a->left, n));
    a->listed = words_any("list table sheet", a->left, n);
    if (rows_asked_strike_words(a->left, "out of stock") ||
        rows_asked_strike_words(a->left, "sold out")) {
        a->column = STOCK;
        a->up = -1;
        a->limited = a->equal = 1;
        return 1;
    }
    if (a->kind != ROWS_COUNT && rows_asked_strike_words(a->left, "in stock")) {
        a->column = STOCK;
        a->up = a->limited = 1;
        return 1;
    }
    if (a->kind == ROWS_COUNT || (much && way == ROWS_TRADED))
        take_trade(a);
    if (way == ROWS_TRADED) {
        a->figure = ROWS_SUM;
        return a->trade != NULL;
    }
    a->happened = a->during.day && a->kind == ROWS_WHAT &&
                  (rows_asked_strike_words(a->left, "happened") ||
                   rows_asked_strike_words(a->left, "took place"));
    a->kind = a->happened ? ROWS_LIST : a->kind;
    if (way == ROWS_TOGETHER) {
        take_figure(a);
        if (much && !a->figure && words_any("spend spent", a->left, n))
            a->figure = ROWS_SUM;
        if (!a->figure)
            take_nth(a);
        return a->figure || (a->nth && (a->up || !take_compared(a) || !a->pair));
    }
    take_prefix(a);
    const int compared = take_compared(a);
    if (a->many && a->kind != ROWS_COUNT)
        take_trade(a);
    if (compared || *a->prefix)
        return 1;
    return much ? 0 : a->kind != ROWS_WHAT || a->does || a->each;
}
