// What one thing costs, by the only line of a list of prices that is about it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/engine_fixture.h"
#include "tests/unit/survey_fixture.h"

static void test_lines(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "rates.txt",
        "Lunch is at twelve, dinner costs more.\n\nSCHEDULE 3\n\nBreakfast, if early: \u00a39\n"
        "Lunch: \u00a312\nHotel in London, a night: \u00a3165\nHotel elsewhere: \u00a3110\n"
        "Car, a mile: 45p\n\nInventory\n\n1. Grand piano, black: \u00a33,200\n"
        "2. Rent book: \u00a31\n3. Desk lamp: \u00a320\n4. Late fee: \u00a330\n\n"
        "Today:\n\nTea: \u00a32\nCake: \u00a33\n");
    static const char lunch[] = "\"Lunch: \u00a312\"",
                      piano[] = "\"1. Grand piano, black: \u00a33,200\"";
    asked(&k, 1, "How much is lunch?", lunch);
    asked(&k, 1, "What is the rate for lunch?", lunch);
    asked(&k, 1, "What does lunch cost?", lunch);
    asked(&k, 1, "How much does a hotel in London cost?",
          "\"Hotel in London, a night: \u00a3165\"");
    asked(&k, 1, "What is the value of the piano?", piano);
    asked(&k, 1, "How much is the grand piano?", piano);
    // Two, another thing's, another amount, not in a list, of few lines.
    asked(&k, 1, "How much is a hotel?", NULL);
    asked(&k, 1, "How much is a desk?", NULL);
    asked(&k, 1, "How much is the rent?", NULL);
    asked(&k, 1, "How much is the fee?", NULL);
    asked(&k, 1, "How much is dinner?", NULL);
    asked(&k, 1, "How much is a lunch in Paris?", NULL);
    asked(&k, 1, "How much is tea?", NULL);
    asked(&k, 1, "What does lunch include?", NULL);
    kvz_close(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lines)};
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
