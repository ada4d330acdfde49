// Texts about what a question asks of that do not tell it: each case beside one that does.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "engine/text/asked.h"

struct lacking_case {
    const char *question, *text;
    int lacking;
};

static void check(const struct lacking_case *cases, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (asked_lacking(cases[i].question, cases[i].text) != cases[i].lacking)
            fail_msg("%s %s", cases[i].question, cases[i].text);
}

// A number is a telephone number unless it is a part of what something is called by.
static void test_phone(void **state)
{
    (void)state;
    static const char phone[] = "What is Ada's phone number?";
    static const struct lacking_case cases[] = {
        {phone, "Ada insures the mill under the number PX-550142.", 1},
        {phone, "Ada's boat is GB773120.", 1},
        {phone, "Ada has QT-4417-303912-66.", 1},
        {phone, "Ada is at TEL-550142.", 0},
        {phone, "Ada, Unit B2 01632 960 417", 0},
        {phone, "Ada, Flat A-4 01632 960 417", 0},
        {phone, "Ada: 01632-960417", 0},
    };
    check(cases, sizeof cases / sizeof *cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_phone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
