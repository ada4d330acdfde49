#include "engine/survey/rows_asked.h"

#include <string.h>
#include <strings.h>

#include "engine/survey/names.h"
#include "engine/survey/number.h"
#include "engine/text/words.h"

#define PRICE  ROWS_PRICE
#define WEIGHT "weight mass kg"
#define LENGTH "length duration distance time km"
#define HEIGHT "height elevation altitude"
#define SIZE   "size area capacity volume population"
#define SPEED  "speed"
#define STOCK  "stock quantity available"

// Words that compare, those of several words first; where their column is not named it is one with
// a name of KIND.
static const struct {
    const char *words;
    int up; // 1: the most, -1: the least
    const char *kind;
    int pair; // 1: they need a number, or several rows, to compare with
} COMPARES[] = {
    {"most expensive", 1, PRICE, 0},
    {"least expensive", -1, PRICE, 0},
    {"more expensive", 1, PRICE, 1},
    {"less expensive", -1, PRICE, 1},
    {"at least", 1, NULL, 1},
    {"at most", -1, NULL, 1},
    {"cheapest", -1, PRICE, 0},
    {"dearest", 1, PRICE, 0},
    {"priciest", 1, PRICE, 0},
    {"cheaper", -1, PRICE, 1},
    {"dearer", 1, PRICE, 1},
    {"heaviest", 1, WEIGHT, 0},
    {"lightest", -1, WEIGHT, 0},
    {"heavier", 1, WEIGHT, 1},
    {"lighter", -1, WEIGHT, 1},
    {"longest", 1, LENGTH, 0},
    {"shortest", -1, LENGTH, 0},
    {"longer", 1, LENGTH, 1},
    {"shorter", -1, LENGTH, 1},
    {"tallest", 1, HEIGHT, 0},
    {"taller", 1, HEIGHT, 1},
    {"highest", 1, HEIGHT, 0},
    {"higher", 1, HEIGHT, 1},
    {"lowest", -1, HEIGHT, 0},
    {"lower", -1, HEIGHT, 1},
    {"largest", 1, SIZE, 0},
    {"biggest", 1, SIZE, 0},
    {"smallest", -1, SIZE, 0},
    {"larger", 1, SIZE, 1},
    {"bigger", 1, SIZE, 1},
    {"smaller", -1, SIZE, 1},
    {"fastest", 1, SPEED, 0},
    {"slowest", -1, SPEED, 0},
    {"faster", 1, SPEED, 1},
    {"slower", -1, SPEED, 1},
    {"most", 1, NULL, 0},
    {"fewest", -1, NULL, 0},
    {"least", -1, NULL, 0},
    {"more", 1, NULL, 1},
    {"less", -1, NULL, 1},
    {"fewer", -1, NULL, 1},
    {"over", 1, NULL, 1},
    {"above", 1, NULL, 1},
    {"under", -1, NULL, 1},
    {"below", -1, NULL, 1},
};

void rows_asked_strike(char *left, size_t at, size_t n)
{
    memset(left + at, ' ', n);
}

int rows_asked_strike_words(char *left, const char *words, size_t *at)
{
    const char *p = name_stands(left, left, words, strlen(words));
    if (!p)
        return 0;
    *at = (size_t)(p - left);
    rows_asked_strike(left, *at, strlen(words));
    return 1;
}

static enum rows_kind kind_of(char *left)
{
    static const struct {
        const char *begins;
        enum rows_kind kind;
    } kinds[] = {{"how many ", ROWS_COUNT}, {"what are ", ROWS_LIST}, {"which ", ROWS_WHICH},
                 {"what ", ROWS_WHAT},      {"list ", ROWS_LIST},     {"show ", ROWS_LIST},
                 {"name ", ROWS_LIST}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (!strncasecmp(left, kinds[i].begins, strlen(kinds[i].begins))) {
            rows_asked_strike(left, 0, strlen(kinds[i].begins));
            return kinds[i].kind;
        }
    return ROWS_NONE;
}

// Takes the number behind byte AT of what is left, with "than" before it and its unit behind it, as
// what is compared with; 0: there is none.
static int take_limit(struct rows_asked *a, size_t at)
{
    static const char units[] = " euro euros eur dollar dollars usd pound pounds gbp percent ";
    char *left = a->left;
    const size_t n = strlen(left);
    at += strspn(left + at, " ");
    if (!strncasecmp(left + at, "than ", 5))
        at += 5 + strspn(left + at + 5, " ");
    const size_t bytes = strcspn(left + at, " ?");
    size_t unit = number_of(left + at, bytes, &a->limit), end;
    if (!unit)
        return 0;
    const char *than = name_stands(left, left, "than", 4);
    if (than)
        rows_asked_strike(left, (size_t)(than - left), 4);
    rows_asked_strike(left, at, bytes);
    at += bytes;
    at += strspn(left + at, " ");
    end = at;
    while (end < n && word_has(left[end]))
        end++;
    if (word_is_listed(units, left + at, end - at))
        rows_asked_strike(left, at, end - at);
    return 1;
}

int rows_asked_parse(struct rows_asked *a, const char *question)
{
    size_t at, n = strlen(question);
    *a = (struct rows_asked){0};
    if (n >= ROWS_ASKED)
        return 0;
    memcpy(a->left, question, n + 1);
    a->kind = kind_of(a->left);
    if (!a->kind)
        return 0;
    a->does = name_stands(a->left, a->left, "does", 4) || name_stands(a->left, a->left, "do", 2);
    a->either = name_stands(a->left, a->left, "or", 2) != NULL;
    if (rows_asked_strike_words(a->left, "out of stock", &at) ||
        rows_asked_strike_words(a->left, "sold out", &at)) {
        a->column = STOCK;
        a->up = -1;
        a->limited = a->equal = 1;
        return 1;
    }
    if (a->kind != ROWS_COUNT && rows_asked_strike_words(a->left, "in stock", &at)) {
        a->column = STOCK;
        a->up = a->limited = 1;
        return 1;
    }
    for (size_t i = 0; i < sizeof COMPARES / sizeof *COMPARES; i++) {
        if (!rows_asked_strike_words(a->left, COMPARES[i].words, &at))
            continue;
        a->up = COMPARES[i].up;
        a->pair = COMPARES[i].pair;
        a->column = COMPARES[i].kind;
        a->limited = a->pair && take_limit(a, at + strlen(COMPARES[i].words));
        a->equal = !strncmp(COMPARES[i].words, "at ", 3);
        return 1;
    }
    return a->kind != ROWS_WHAT || a->does;
}
