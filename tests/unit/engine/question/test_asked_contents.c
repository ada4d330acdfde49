// What is in something, and whether a text says it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "engine/question/asked.h"

static void test_contents(void **state)
{
    (void)state;
    static const struct {
        const char *question, *text;
        int left_out;
    } cases[] = {
        {"What was in the old tin?", "She gave me a tin. I had not known of it.", 1},
        {"What was in the tin?", "In May she gave me, as she had said, a tin.", 1},
        {"What is inside the tin?", "We live in Hale. The tin is red.", 1},
        {"Was ist in der Dose?", "Die Dose ist rot.", 1},
        {"What was in the tin?", "She gave me a box.", 0}, // which may be what is asked for
        {"What was in the tin?", "She gave me a tin. There were letters in it.", 0},
        {"What was in the tin?", "She gave me a tin. It held letters.", 0},
        {"What was in the tin?", "She gave me a tin, which contained letters.", 0},
        {"What was in the tin?", "She gave me a tin with letters.", 0},
        {"What was in the tin?", "She put the letters into the old tin.", 0},
        {"What was in the tin?", "The tin had a false bottom and letters.", 0},
        {"What was in the tin?", "The tin: letters.", 0},
        {"Was ist in der Dose?", "Die Dose ist rot. Darin sind Briefe.", 0},
        {"What became of the tin?", "She gave me a tin.", 0},
        {"Was there gold in the tin?", "She gave me a tin.", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (asked_contents_left_out(cases[i].question, cases[i].text) != cases[i].left_out)
            fail_msg("%s", cases[i].text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_contents)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
