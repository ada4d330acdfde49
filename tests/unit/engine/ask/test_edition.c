// Documents of one year each: what is asked of one year is not answered by another one's.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "engine/ask/edition.h"
#include "tests/unit/engine_fixture.h"
#include "tests/unit/ok.h"
#include "tests/unit/survey_fixture.h"

static void test_years(void **state)
{
    (void)state;
    static const char fare[] = "The fare is 2 euros.",
                      dated[] = "From 2023 on the fare is 2 euros.";
    struct kvz *k[] = {index_text("old.txt", "\nTariff 2023\n\nThe fare is 2 euros.\n"),
                       index_text("new.txt", "# Tariff 2024\n\nThe fare is 3 euros.\n"),
                       index_text("none.txt", "In 2025 all is free.\n\nThe fare is 0.\n")};
    struct editions a;
    OK(editions_find(&a, k, 3, "What is the fare in 2023?", e));
    assert_int_equal(a.n, 1);
    assert_true(editions_are_other(&a, 1, 0, fare));
    assert_false(editions_are_other(&a, 1, 0, dated)); // tells itself of which year it is
    assert_false(editions_are_other(&a, 0, 0, fare) || editions_are_other(&a, 2, 0, fare));
    editions_done(&a);
    static const char *const others[] = {"What is the fare?", "What is the fare in 2025?",
                                         "What was the fare in 2023 and in 2024?"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        OK(editions_find(&a, k, 3, others[i], e));
        assert_int_equal(a.n, 0);
        editions_done(&a);
    }
    OK(editions_find(&a, k, 1, "What is the fare in 2024?", e)); // of one document nothing is told
    assert_int_equal(a.n, 0);
    editions_done(&a);
    for (int i = 0; i < 3; i++)
        kvz_close(k[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_years)};
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
