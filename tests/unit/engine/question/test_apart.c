// Questions about two things that may be asked apart.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "engine/question/apart.h"

static void divides(const char *question, const char *first, const char *second)
{
    char *a, *b;
    struct err e;
    assert_int_equal(apart_divide(question, &a, &b, &e), first != NULL);
    if (first) {
        assert_string_equal(a, first);
        assert_string_equal(b, second);
    }
    free(a);
    free(b);
}

static void test_differences(void **state)
{
    (void)state;
    divides("What is the difference between -X and -Y?", "What is -X?", "What is -Y?");
    divides("difference between hard and soft links", "What is hard?", "What is soft links?");
    divides("How does a tithe differ from a glebe?", "What is a tithe?", "What is a glebe?");
    divides("--soft vs --hard", "What is --soft?", "What is --hard?");
    divides("Compare E1 with E2.", "What is E1?", "What is E2?");
    divides("What is the difference between a, b and c and d?", NULL, NULL);
    divides("What is the difference?", NULL, NULL);
    divides("How does it differ?", NULL, NULL);
}

static void test_two_of_one(void **state)
{
    (void)state;
    divides("What is the age and the height of Ada Nagel?", "What is the age of Ada Nagel?",
            "What is the height of Ada Nagel?");
    divides("what are the price and weight for E7", "what are the price for E7?",
            "what are the weight for E7?");
    divides("What is the age of Ada and of Bo?", NULL, NULL);
    divides("What is the (old) age and the height of Ada?", NULL, NULL);
    divides("Who is the head and the tail of it?", NULL, NULL);
    divides("What is red and blue?", NULL, NULL);
    divides("", NULL, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_differences),
        cmocka_unit_test(test_two_of_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
