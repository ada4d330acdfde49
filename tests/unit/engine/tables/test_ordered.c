// Questions about rows of what was ordered: how many of a thing, by whom, for how much in all.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/engine_fixture.h"
#include "tests/unit/survey_fixture.h"

// Rows of what was ordered that tell the price of one as well, and of all.
static void test_ordered_for(void **state)
{
    (void)state;
    struct kvz *k = index_text("for.csv", "order,customer,article,qty,unit_price,total\n"
                                          "1001,Huber KG,Drill,3,89.90,269.70\n"
                                          "1002,Meier,Saw,1,49.00,49.00\n"
                                          "1003,Schmid,Drill,2,89.90,179.80\n"
                                          "1004,Huber KG,Hammer,4,12.00,48.00\n");
    asked(&k, 1, "How many drills were ordered?", "qty: 5 in all (2 of 4 rows)");
    asked(&k, 1, "How many hammers did Huber KG order?", "qty: 4 in all (1 of 4 rows)");
    asked(&k, 1, "How many hammers are there?", "qty: 4 (Hammer)"); // at no price
    asked(&k, 1, "What is the price of a hammer?", "unit_price: 12.00 (Hammer)");
    asked(&k, 1, "What is the total of order 1004?", "total: 48.00 (order: 1004)");
    asked(&k, 1, "How many hammers did Meier order?", NULL);
    asked(&k, 1, "What is the total unit price?", NULL);
    kvz_close(k);
    // Of two columns either may be meant.
    k = index_text("two.csv", "order,article,qty,total qty\n1001,Drill,3,3\n1002,Saw,1,4\n"
                              "1003,Drill,2,6\n");
    asked(&k, 1, "How many drills were ordered?", NULL);
    kvz_close(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ordered_for),
    };
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
