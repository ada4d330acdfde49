// Texts that were seen before.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "engine/encode/seen.h"

static void test_seen(void **state)
{
    (void)state;
    enum { MANY = 5000 };
    struct seen s = {0};
    struct err e;
    char text[16];
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < MANY; i++) {
            const int n = snprintf(text, sizeof text, "text %d", i);
            assert_int_equal(seen_add(&s, text, (size_t)n, &e), round);
        }
    assert_int_equal(s.n, MANY);
    assert_int_equal(seen_add(&s, "text 1", 4, &e), 0); // of its bytes alone
    assert_int_equal(seen_add(&s, "", 0, &e), 0);
    assert_int_equal(seen_add(&s, "", 0, &e), 1);
    seen_done(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_seen)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
