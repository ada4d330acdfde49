// Whether a heading tells what the text below it is asked for.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "engine/question/asked.h"

static void test_heads(void **state)
{
    (void)state;
    assert_true(asked_heads("13. Lights", 10, 1, "What does section 13 say?", "A vessel"));
    assert_false(asked_heads("13. Lights", 10, 1, "What does section 12 say?", "A vessel"));
    assert_false(asked_heads("13. Lights", 10, 0, "What does section 13 say?", "A vessel"));
    assert_true(asked_heads("13. Lights", 10, 0, "Which lights?", "A vessel"));
    assert_false(asked_heads("Lights", 6, 1, "Which lights?", "A light is shown"));
    assert_false(asked_heads("What about it", 13, 1, "What about it?", "A vessel"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_heads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
