// What a sentence goes on with below it.
#include "tests/unit/engine/text/cut_fixture.h"

// Behind what is set in below it, a sentence may go on.
static void test_rest(void **state)
{
    (void)state;
    says("The item adds numbers. For example:\n\n     ${add{2}{3}}\n\nyields 5. It has no name.\n",
         "example", NULL, "For example:\n\n     ${add{2}{3}}\n\nyields 5.");
    says("The item adds numbers. For example:\n\n     ${add{2}{3}}\n\nyields 5. It has no name.\n",
         "{2}", "For example:", "${add{2}{3}}\n\nyields 5. It has no name.");
    says("The item adds numbers. For example:\n\n     ${add{2}{3}}\n\nyields 5. It has no name.\n",
         "yields", NULL, "For example:\n\n     ${add{2}{3}}\n\nyields 5.");
    says("The item is old.\n\n     ${add{2}{3}}\n\nyields 5 in all versions of it.\n", "yields",
         NULL, "yields 5 in all versions of it.");
    says("The item adds numbers. For example:\n\n     ${add{2}{3}}\n\nIt yields what they make.\n",
         "example", NULL, "For example:\n\n     ${add{2}{3}}");
    says("You may say:\n\n     add 2 3\n\nname\n     What it is called.\n", "say", NULL,
         "You may say:\n\n     add 2 3");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rest)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
