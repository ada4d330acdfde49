// Questions of two halves, and those that are one.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/text/question.h"

static void test_split(void **state)
{
    (void)state;
    static const struct {
        const char *question, *first, *second;
    } cases[] = {
        {" Who pays the rent, and when does the lease end? ", "Who pays the rent?",
         "When does the lease end?"},
        {"In what does he sleep and to whom is it sent", "In what does he sleep?",
         "To whom is it sent (In what does he sleep)?"},
        {"Who pays the rent of the flat and when does its lease end?",
         "Who pays the rent of the flat?", "When does its lease end (the rent of the flat)?"},
        {"Who made salt and pepper and WHY was it sold?", "Who made salt and pepper?",
         "WHY was it sold (Who made salt and pepper)?"},
        {"When was the mill sold, and for how much?", "When was the mill sold?",
         "For how much was the mill sold?"},
        {"Who bought the mill and in which year?", "Who bought the mill?",
         "In which year (Who bought the mill)?"},
        {"How long and wide is the boat?", NULL, NULL},
        {"How and when was it made?", NULL, NULL},
        {"What is the difference of who and what?", NULL, NULL},
        {"What is the name and where?", NULL, NULL},
        {"Tell me who left and when they left.", NULL, NULL},
        {"", NULL, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *first, *second;
        struct err e;
        assert_int_equal(question_halves(cases[i].question, &first, &second, &e),
                         cases[i].first != NULL);
        if (cases[i].first) {
            assert_string_equal(first, cases[i].first);
            assert_string_equal(second, cases[i].second);
        } else {
            assert_null(first);
            assert_null(second);
        }
        free(first);
        free(second);
    }
}

static void test_long(void **state)
{
    (void)state;
    char question[1100], *first, *second;
    struct err e;
    for (int n = 900; n <= 1000; n += 100) {
        snprintf(question, sizeof question, "Who pays the rent and when does the %0*d lease end?",
                 n, 1);
        assert_int_equal(question_halves(question, &first, &second, &e), strlen(question) <= 1024);
        free(first);
        free(second);
    }
}

static void test_itself(void **state)
{
    (void)state;
    static const char *const same[] = {"Who is Dr. Fell?", "Who left. Nobody.", "",
                                       "Is it so. Is it not?"};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        assert_ptr_equal(question_itself(same[i]), same[i]);
    assert_string_equal(question_itself("Answer in a few words. Of whom is it? "),
                        "Of whom is it? ");
    assert_string_equal(question_itself("Who? Nobody! What is left?"), "What is left?");
    assert_string_equal(question_clause("I lost my key, what will that cost me?"),
                        "what will that cost me?");
    static const char *const one[] = {"Is it the man, who came in May, or not?",
                                      "Who came first, and when?", "I lost my key, which I need."};
    for (size_t i = 0; i < sizeof one / sizeof *one; i++)
        assert_ptr_equal(question_clause(one[i]), one[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_split), cmocka_unit_test(test_long),
                                       cmocka_unit_test(test_itself)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
