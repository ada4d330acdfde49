// Names of three letters, of rows and of records, which may be other words as well.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "engine/tables/short_name.h"
#include "tests/unit/engine_fixture.h"
#include "tests/unit/survey_fixture.h"

static void test_stands(void **state)
{
    (void)state;
    static const struct {
        const char *question;
        int is;
    } cases[] = {
        {"What is the price of the saw?", 1}, {"What does the saw cost?", 1},
        {"Who has the saw on Monday?", 1},    {"What is the price of Saw?", 1},
        {"Which blade is the saw's?", 1},     {"Who saw the price?", 0},
        {"What is the saw blade called?", 0}, {"What did you say the price of saw blades is?", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *at = strstr(cases[i].question, "aw") - 1;
        const char *name = *at == 'S' ? "Saw" : "saw";
        if (short_name_stands(cases[i].question, at, name, 3) != cases[i].is)
            fail_msg("%s", cases[i].question);
    }
    assert_true(short_name_is("Saw", 3));
    assert_false(short_name_is("A-4", 3));
    assert_false(short_name_is("Saws", 4));
}

static void test_rows(void **state)
{
    (void)state;
    struct kvz *k = index_text("saws.csv", "order,customer,article,qty,unit_price\n"
                                           "1001,Huber KG,Drill,3,89.90\n"
                                           "1002,Meier,Saw,1,49.00\n1003,Schmid,Drill,2,89.90\n");
    asked(&k, 1, "What is the unit price of the saw?", "unit_price: 49.00 (Saw)");
    asked(&k, 1, "Who ordered the saw?", "customer: Meier (Saw)");
    asked(&k, 1, "Who saw the price?", NULL);
    asked(&k, 1, "What is the unit price of the saw blade?", NULL);
    asked(&k, 1, "What is the unit price of the saw-blade?", NULL);
    kvz_close(k);
    // A cell that does not name its row.
    k = index_text("days.csv",
                   "room,size,price,free\nRed,3,10,Sun\nBlue,4,20,Mon\nGreen,5,30,Tue\n");
    asked(&k, 1, "What is the price of the sun?", NULL);
    kvz_close(k);
}

static void test_records(void **state)
{
    (void)state;
    struct kvz *k = index_text("users.yaml", "users:\n  - name: lee\n    uid: 2002\n"
                                             "    groups: [dev]\n  - name: max\n    uid: 2003\n"
                                             "services:\n  web:\n    port: 8080\n");
    asked(&k, 1, "What is the uid of lee?", "uid: 2002 (lee)");
    asked(&k, 1, "What is max's uid?", "uid: 2003 (max)");
    asked(&k, 1, "What groups does lee have?", "groups: [dev] (lee)");
    asked(&k, 1, "What groups does max have?", NULL);
    asked(&k, 1, "What is the max uid?", NULL);
    asked(&k, 1, "What is the uid of lee and max?", NULL); // one of both would be half an answer
    asked(&k, 1, "What is the port of lee?", NULL);
    kvz_close(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stands),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_records),
    };
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
