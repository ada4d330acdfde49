// Questions in other words than the texts have for the same thing.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/engine_fixture.h"
#include "tests/unit/survey_fixture.h"

static void test_lamps(void **state)
{
    (void)state;
    static const char flashing[] = "Meaning: it is being updated (red lamp, flashing)";
    struct kvz *k = index_text("router.md", "| Lamp | Meaning |\n|---|---|\n"
                                            "| green lamp, steady | it is connected |\n"
                                            "| red lamp, steady | it is not connected |\n"
                                            "| red lamp, flashing | it is being updated |\n");
    asked(&k, 1, "What does a flashing red lamp mean?", flashing);
    asked(&k, 1, "What does a blinking red light mean?", flashing);
    asked(&k, 1, "What does a blinking red LED mean?", flashing);
    asked(&k, 1, "What does a blinking blue light mean?", NULL);
    asked(&k, 1, "What does a lift mean?", NULL);
    kvz_close(k);
    k = index_text("router.md", "| Light | Lamp | Meaning |\n|---|---|---|\n"
                                "| steady | red | it is not connected |\n"
                                "| out | blue | it is being updated |\n");
    asked(&k, 1, "What is blinking red?", NULL);
    kvz_close(k);
}

// What is so by default may be called otherwise.
static void test_defaults(void **state)
{
    (void)state;
    static const char guard[] = "As delivered: 3 \u00b0C (Frost guard)";
    struct kvz *k = index_text("heater.md", "| Setting | Range | As delivered | Remarks |\n"
                                            "|---|---|---|---|\n"
                                            "| Frost guard | 0-8 \u00b0C | 3 \u00b0C | always |\n"
                                            "| Fan speed | 1-9 | 4 | by day |\n");
    asked(&k, 1, "What is the frost guard set to by default?", guard);
    asked(&k, 1, "What is the frost guard out of the box?", guard);
    asked(&k, 1, "What is the default fan speed?", "As delivered: 4 (Fan speed)");
    asked(&k, 1, "What is the factory setting of the fan speed?", "As delivered: 4 (Fan speed)");
    asked(&k, 1, "What is the default lamp speed?", NULL);
    kvz_close(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lamps),
                                       cmocka_unit_test(test_defaults)};
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
