// By how much two prices of a table differ.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/engine_fixture.h"
#include "tests/unit/survey_fixture.h"

static void test_prices(void **state)
{
    (void)state;
    struct kvz *k = index_text("park.md", "# Bird park\n\n| Ticket | Price |\n|---|---|\n"
                                          "| Adult | \u00a312.50 |\n| Child | \u00a37 |\n"
                                          "| Family (2 adults) | \u00a334.00 |\n"
                                          "| Season | 48 EUR |\n| Dog | free |\n");
    asked(&k, 1, "How much more does the family ticket cost than the adult one?",
          "\u00a321.50 more: Price: \u00a334.00 (Family (2 adults)); Price: \u00a312.50 (Adult)");
    asked(&k, 1, "How much cheaper is a child ticket than an adult ticket?",
          "\u00a35.50 less: Price: \u00a37 (Child); Price: \u00a312.50 (Adult)");
    asked(&k, 1, "How much less does the child ticket cost than the adult one costs?",
          "\u00a35.50 less: Price: \u00a37 (Child); Price: \u00a312.50 (Adult)");
    asked(&k, 1, "How much more does the season ticket cost than the adult one?", NULL);
    asked(&k, 1, "How much more does an adult ticket cost than a dog ticket?", NULL);
    asked(&k, 1, "How much more does an adult ticket cost than a senior ticket?", NULL);
    asked(&k, 1, "How much more does an adult ticket cost than an adult ticket?", NULL);
    asked(&k, 1, "How much more is read in the adult room than elsewhere?", NULL);
    kvz_close(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_prices)};
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
