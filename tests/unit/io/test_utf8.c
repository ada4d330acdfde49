// Where characters begin, also where bytes are none.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "io/utf8.h"

static const char TEXT[] = "a\u00e9\u6f22\x80\x80\x80\x80\x80";

static void test_border(void **state)
{
    (void)state;
    static const size_t borders[] = {0, 1, 1, 3, 3, 3};
    for (size_t at = 0; at < sizeof borders / sizeof *borders; at++)
        assert_int_equal(utf8_border(TEXT, at), borders[at]);
    assert_int_equal(utf8_border(TEXT, 10), 10);
}

static void test_fit(void **state)
{
    (void)state;
    static const size_t fit[] = {0, 1, 1, 3, 3, 3};
    for (size_t most = 0; most < sizeof fit / sizeof *fit; most++)
        assert_int_equal(utf8_fit(TEXT, strlen(TEXT), most), fit[most]);
    assert_int_equal(utf8_fit(TEXT, 2, 2), 2); // all of it, whatever it ends with
    assert_int_equal(utf8_fit(TEXT, 3, 100), 3);
    assert_int_equal(utf8_fit(TEXT, 0, 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_border), cmocka_unit_test(test_fit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
