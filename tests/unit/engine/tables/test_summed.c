// Questions about the most of something where a name or a day has several rows.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/engine_fixture.h"
#include "tests/unit/survey_fixture.h"

// What somebody has in several rows counts together.
static void test_who(void **state)
{
    (void)state;
    struct kvz *k = index_text("hours.tsv", "Name\tDate\tHours\nAnna\t2024-05-06\t5\n"
                                            "Tom\t2024-05-06\t8\nAnna\t2024-05-07\t6\n"
                                            "Eve\t2024-05-07\t3\nEve\t2024-05-08\t6\n");
    asked(&k, 1, "Who worked the most hours?", "Name: Anna (Hours: 11 in all, 2 of 5 rows)");
    asked(&k, 1, "Who worked the least hours?", "Name: Tom (Hours: 8 in all, 1 of 5 rows)");
    asked(&k, 1, "Who worked the most hours on 2024-05-06?", "Hours: 8 (Tom)");
    asked(&k, 1, "On which day were the most hours worked?",
          "Date: 2024-05-06 (Hours: 13 in all, 2 of 5 rows)");
    asked(&k, 1, "When did Anna work the most hours?",
          "Date: 2024-05-07 (Hours: 6 in all, 1 of 5 rows)");
    asked(&k, 1, "Who worked the most nights?", NULL);
    asked(&k, 1, "On which day were the most people ill?", NULL);
    kvz_close(k);
    // Each is there once.
    k = index_text("once.csv", "name,team,goals\nAnna,Reds,5\nTom,Blues,8\nEve,Reds,6\n");
    asked(&k, 1, "Who has the most goals?", "goals: 8 (Tom)");
    asked(&k, 1, "Which team has the most goals?", "team: Reds (goals: 11 in all, 2 of 3 rows)");
    asked(&k, 1, "On which day were the most goals?", NULL);
    kvz_close(k);
    k = index_text("names.csv",
                   "First name,Last name,Hours\nAnna,Berg,5\nTom,Berg,8\nEve,Lind,6\n");
    asked(&k, 1, "Who worked the most hours?", "Hours: 8 (Tom Berg)");
    kvz_close(k);
    k = index_text("names.csv",
                   "First name,Last name,Hours\nAnna,Berg,5\nTom,Lind,8\nAnna,Berg,6\n");
    asked(&k, 1, "Who worked the most hours?", NULL);
    kvz_close(k);
    // Those of one year are not added to those of another one.
    k = index_text("towns.csv", "town,year,population\nOslo,1990,460\nOslo,2000,500\n"
                                "Leeds,1990,700\nLeeds,2000,710\nGhent,2000,1000\n");
    asked(&k, 1, "Which town has the most population?", "population: 1000 (Ghent)");
    kvz_close(k);
}

// A column may be called as what was traded is.
static void test_sold(void **state)
{
    (void)state;
    struct kvz *k =
        index_text("sold.csv", "date,product,sold\n2024-01-01,Bread,30\n2024-01-01,Rolls,80\n"
                               "2024-01-02,Bread,25\n2024-01-02,Rolls,95\n2024-01-03,Bread,41\n");
    asked(&k, 1, "How many rolls were sold?", "sold: 175 in all (2 of 5 rows)");
    asked(&k, 1, "How much bread was sold?", "sold: 96 in all (3 of 5 rows)");
    asked(&k, 1, "On which day was the most bread sold?",
          "date: 2024-01-03 (sold: 41 in all, 1 of 5 rows)");
    asked(&k, 1, "When were the fewest rolls sold?",
          "date: 2024-01-01 (sold: 80 in all, 1 of 5 rows)");
    asked(&k, 1, "Which product was sold the most?",
          "product: Rolls (sold: 175 in all, 2 of 5 rows)");
    asked(&k, 1, "How many cakes were sold?", NULL);
    asked(&k, 1, "How many rolls were ordered?", NULL);
    asked(&k, 1, "On which day was the most bread burnt?", NULL);
    kvz_close(k);
    // Days on which it was sold do not say how many there were.
    k = index_text("days.csv", "lot,product,sold\n1,Bread,2024-01-01\n2,Rolls,2024-01-01\n"
                               "3,Bread,2024-01-02\n");
    asked(&k, 1, "Which product was sold the most?", NULL);
    kvz_close(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_who),
        cmocka_unit_test(test_sold),
    };
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
