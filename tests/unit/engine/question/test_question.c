// Questions of two halves, and those that are one.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/question/question.h"

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
        {"When is the fair in Ham, and where?", "When is the fair in Ham?",
         "Where is the fair in Ham?"},
        {"How many lamps are there and how many are lit?", "How many lamps are there?",
         "How many lamps are lit?"},
        {"How many oil lamps were there and how many failed?", "How many oil lamps were there?",
         "How many oil lamps failed?"},
        {"How many lamps are there and how many oil cans?", "How many lamps are there?",
         "How many oil cans are there?"},
        {"When was the old mill sold and who bought it?", "When was the old mill sold?",
         "Who bought the old mill?"},
        {"When was the mill painted and how long did it take?", "When was the mill painted?",
         "How long did it take (the mill painted)?"},
        {"When is the mill open and who owns it?", "When is the mill open?",
         "Who owns it (the mill open)?"},
        {"Who looks after Ham Mill, and what is the phone number?", "Who looks after Ham Mill?",
         "What is the phone number (Who looks after Ham Mill)?"},
        {"When is the fair and what is the price?", "When is the fair?",
         "What is the price (the fair)?"},
        {"When is the fair and what is the price of tea?", "When is the fair?",
         "What is the price of tea?"},
        {"Who looks after Ham Mill and what is the rent?", "Who looks after Ham Mill?",
         "What is the rent?"},
        {"When is the fair and when?", NULL, NULL},
        {"How many lamps broke and where?", NULL, NULL},
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
    static const char *const same[] = {
        "Who is Dr. Fell?",     "Who left. Nobody.",          "",
        "Is it so. Is it not?", "Who knows where Ada lives?", "Did Ada say that when she left?"};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        assert_ptr_equal(question_itself(same[i]), same[i]);
    assert_string_equal(question_itself("Answer in a few words. Of whom is it? "),
                        "Of whom is it? ");
    assert_string_equal(question_itself("Do we know what it costs?"), "what it costs?");
    assert_string_equal(question_itself("Well. Can you tell me in which year?"), "in which year?");
    assert_string_equal(question_itself("Was it ever said who wrote it?"), "who wrote it?");
    assert_string_equal(question_itself("Who? Nobody! What is left?"), "What is left?");
    assert_string_equal(question_clause("I lost my key, what will that cost me?"),
                        "what will that cost me?");
    static const char *const one[] = {"Is it the man, who came in May, or not?",
                                      "Who came first, and when?", "I lost my key, which I need."};
    for (size_t i = 0; i < sizeof one / sizeof *one; i++)
        assert_ptr_equal(question_clause(one[i]), one[i]);
}

// What only names something is asked for; what asks, orders or states is another thing.
static void test_phrases(void **state)
{
    (void)state;
    static const char *const phrases[] = {"list price of the drain pump", "policy number",
                                          "Rent of unit 6?"},
                             *const others[] = {"rent",
                                                "What is the rent of unit 6?",
                                                "who pays the rent",
                                                "List all fees of the lease",
                                                "The rent is due",
                                                "Show rent of unit 6",
                                                "Rent of unit 6. Deposit of unit 6.",
                                                "a b c d e f g h i j k l m n o p"};
    for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++)
        assert_true(question_is_phrase(phrases[i]));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(question_is_phrase(others[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_phrases), cmocka_unit_test(test_split),
                                       cmocka_unit_test(test_long), cmocka_unit_test(test_itself)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
