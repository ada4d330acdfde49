// Letters of all scripts, and bytes that are none.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "engine/words/letter.h"

static int same(const char *a, const char *b)
{
    assert_int_equal(strlen(a), strlen(b));
    return letters_same(a, b, strlen(a));
}

static void test_same(void **state)
{
    (void)state;
    assert_true(same("Caf\u00e9", "cAF\u00c9"));
    assert_true(same("\u00c4rger", "\u00e4rger"));
    assert_true(same("\u0416", "\u0436")); // whose first bytes differ, too
    assert_false(same("\u00e9", "\u00e8"));
    assert_false(same("\u00e9", "e\xa9"));
    assert_true(same("\xff", "\xff"));
    assert_false(same("\xff", "\xfe"));
    // Behind a letter that is the same, bytes that belong to none.
    assert_false(same("\u00e9\x80", "\u00e9\x81"));
    assert_false(same("\u00e9\x80\x80", "\u00e9\x80\x81"));
    assert_false(same("\u00e9\x80", "\u00c9\x81"));
    assert_false(same("\x80\x80", "\x80\x81"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
