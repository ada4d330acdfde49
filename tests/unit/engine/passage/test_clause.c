// Which clauses of a sentence are said where it is too long for all of them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "engine/passage/clause.h"

// What is left for QUESTION of TEXT, around the first place of AT.
static void leaves(const char *text, const char *at, const char *question, const char *begins,
                   const char *ends)
{
    struct lines c;
    size_t from = 0, to = strlen(text);
    lines_of_text(&c, text, to);
    clause_choose(&c, question, (size_t)(strstr(text, at) - text), &from, &to);
    assert_in_range(to - from, 1, LONGEST_SENTENCE);
    assert_memory_equal(text + from, begins, strlen(begins));
    assert_memory_equal(text + to - strlen(ends), ends, strlen(ends));
}

#define FILLER                                                                                     \
    "and the old men of the town sat on\nthe harbour wall and spoke of the weather and of little " \
    "else, as they had done every day, winter and summer"

static void test_choice(void **state)
{
    (void)state;
    static const char text[] = "The ferry left at dawn; " FILLER "; " FILLER "; " FILLER
                               "--the two\neldest of the girls, sixteen and fourteen, went to "
                               "sea;\n" FILLER "; " FILLER "; and nobody saw the pilot again";
    leaves(text, "The ferry", "How old were the two eldest girls?",
           FILLER "; " FILLER "--the two\neldest", "went to sea;");
    leaves(text, "The ferry", "When did the ferry leave?", "The ferry", "summer--");
    leaves(text, "The ferry", "Who saw the pilot?", "the two\neldest", "again");
    leaves(text, "went to", "Why?", "and the", "sea;"); // what the votes fall on
    leaves("Short; and whole", "whole", "What?", "Short; and whole", "whole");
}

// Where clauses are too long they are divided at commas, and where there are none at spaces.
static void test_no_clauses(void **state)
{
    (void)state;
    char text[1200] = "";
    for (size_t i = 0, n = 0; i < 60; i++)
        n +=
            (size_t)snprintf(text + n, sizeof text - n, "no%zu word%s --all ", i, i % 9 ? "" : ",");
    leaves(text, "no3", "Which is no50?", "--all no", "word,");
    for (char *p = text; (p = strchr(p, ','));)
        *p = ';';
    leaves(text, "no3", "Which is no50?", "--all no", "word;");
    for (char *p = text; (p = strchr(p, ';'));)
        *p = '.';
    leaves(text, "no3", "Which is no50?", "", "");
    memset(text, 'x', sizeof text - 1);
    struct lines c;
    size_t from = 0, to = sizeof text - 1;
    lines_of_text(&c, text, to);
    clause_choose(&c, "Why?", 0, &from, &to);
    assert_int_equal(to - from, sizeof text - 1); // no place to divide it
}

// Of words without marks as many are left before what is asked for as behind it.
static void test_words(void **state)
{
    (void)state;
    enum { TIMES = 100 };
    static const char code[] = "the code is 77 ";
    char text[TIMES * 24];
    size_t n = 0;
    for (int i = 0; i < TIMES; i++)
        n += (size_t)snprintf(text + n, 24, "%sword ", i == TIMES / 2 ? code : "");
    const size_t at = (size_t)(strstr(text, "code") - text);
    struct lines c = {.text = text, .n = n};
    size_t from = 0, to = n;
    clause_choose(&c, "What is the code?", 10, &from, &to);
    assert_true(to - from <= LONGEST_SENTENCE && to - from > LONGEST_SENTENCE - 24);
    assert_in_range(at, from + LONGEST_SENTENCE / 3, to - LONGEST_SENTENCE / 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_choice),
        cmocka_unit_test(test_no_clauses),
        cmocka_unit_test(test_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
