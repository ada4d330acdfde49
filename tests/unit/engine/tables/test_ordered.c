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

// Who ordered the most of a thing is told by the quantities of all rows, not by each row.
static void test_most(void **state)
{
    (void)state;
    struct kvz *k = index_text("most.csv", "order,customer,article,qty\n1001,Huber KG,Drill,3\n"
                                           "1002,Meier,Saw,1\n1003,Schmid,Drill,2\n"
                                           "1004,Meier,Drill,5\n1005,Huber KG,Saw,4\n");
    asked(&k, 1, "Which customer ordered the most drills?",
          "customer: Meier (qty: 5 in all, 1 of 5 rows)");
    asked(&k, 1, "Who bought the most saws?", "customer: Huber KG (qty: 4 in all, 1 of 5 rows)");
    asked(&k, 1, "Which customer ordered the most articles?",
          "customer: Huber KG (qty: 7 in all, 2 of 5 rows)");
    asked(&k, 1, "Which article was ordered the most?",
          "article: Drill (qty: 10 in all, 3 of 5 rows)");
    asked(&k, 1, "Which customer sold the most drills?", NULL);
    asked(&k, 1, "Which customer ordered the most hammers?", NULL);
    asked(&k, 1, "Which customer ordered the most drills in Leeds?", NULL);
    asked(&k, 1, "Which supplier ordered the most drills?", NULL);
    kvz_close(k);
    k = index_text("each.csv", "order,customer,article\n1001,Huber KG,Drill\n1002,Meier,Saw\n"
                               "1003,Schmid,Drill\n1004,Meier,Drill\n");
    asked(&k, 1, "Which customer ordered the most drills?", NULL); // nothing says how many
    kvz_close(k);
}

// Rows are what their first column is called by, where each has another one.
static void test_key(void **state)
{
    (void)state;
    struct kvz *k =
        index_text("key.csv", "order no,customer,total\n1001,Huber KG,30\n1002,Meier,10\n"
                              "1003,Schmid,20\n1004,Meier,50\n");
    asked(&k, 1, "How many orders are there?",
          "4 rows: 1001, Huber KG; 1002, Meier; 1003, Schmid; 1004, Meier");
    asked(&k, 1, "How many orders did Meier place?", "2 of 4 rows: 1002, Meier; 1004, Meier");
    asked(&k, 1, "Which customer placed the most orders?", "customer: Meier (2 of 4 rows)");
    asked(&k, 1, "How many orders did Meier cancel?", NULL);
    asked(&k, 1, "How many orders were delivered?", NULL);
    asked(&k, 1, "How many orders did Brandt place?", NULL);
    asked(&k, 1, "How many customers are there?", NULL); // one may have two orders
    kvz_close(k);
    // An order of two rows.
    k = index_text("two.csv", "order,customer,article\n1001,Huber KG,Drill\n1002,Meier,Saw\n"
                              "1002,Meier,Drill\n");
    asked(&k, 1, "How many orders are there?", NULL);
    asked(&k, 1, "How many orders did Meier place?", NULL);
    kvz_close(k);
    k = index_text("cities.tsv", "city\tcountry\tpopulation\nOslo\tNorway\t700000\n"
                                 "Leeds\tEngland\t800000\nGhent\tBelgium\t260000\n");
    asked(&k, 1, "How many cities are there?", "3 rows: Oslo; Leeds; Ghent");
    asked(&k, 1, "How many towns are there?", NULL);
    asked(&k, 1, "How many cities have a port?", NULL);
    kvz_close(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ordered_for),
        cmocka_unit_test(test_most),
        cmocka_unit_test(test_key),
    };
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
