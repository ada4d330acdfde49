// Answers that are no sentences, or sentences that were not read.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/engine/answer/guard_fixture.h"

// An article makes no sentence of the rest of one.
static void begins_as_a_sentence(void **state)
{
    (void)state;
    static const struct garbled cases[] = {
        {"The clock made by Ada Falk in 1738.", "Here was a clock made by Ada Falk in 1738.",
         "Who made the clock?", 1},
        {"The name in the list to the new one only when it has been there for a month.",
         "Change this name in the list to the new one only when it has been there for a month.",
         "Which name is in the list?", 1},
        {"The clock is by Ada Falk.", "Our clock is by Ada Falk.", "Who made the clock?", 0},
        {"The clock is by Ada Falk.", "clock is by Ada Falk.", "Who made the clock?", 0},
        {"The fire at Hull's old mill.", "Many fled when fire broke out at Hull's old mill.",
         "Where was the fire?", 1},
        {"The fire was at Hull's old mill.", "Many fled when fire broke out at Hull's old mill.",
         "Where was the fire?", 0},
        {"The mill, Hull's oldest one, burned.",
         "Which mill burned? The mill, Hull's oldest one, "
         "burned.",
         "What burned?", 0},
    };
    check_garbled(cases, sizeof cases / sizeof *cases);
}

// Words far apart are not joined to one sentence.
static void leaps_over_nothing(void **state)
{
    (void)state;
    static const char FORM[] =
        "The form is a sheet of paper which by custom is yellow, and that is "
        "a thing which is kept in a box.",
                      KEYS[] = "Both sets of keys in two boxes open all of the doors. One box "
                               "hangs by the gate. The other is the old chest in the hall.";
    static const struct garbled cases[] = {
        {"The form is kept in a box.", FORM, "Where is the form kept?", 1},
        {"The form is a sheet of paper.", FORM, "What is the form?", 0},
        {"It is kept in a box.", FORM, "Where is the form kept?", 0},
        {"The keys in the old chest in the hall open the doors.", KEYS, "Where are the keys?", 1},
        {"Both sets of keys in two boxes open all of the doors.", KEYS, "What do they open?", 0},
    };
    check_garbled(cases, sizeof cases / sizeof *cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(begins_as_a_sentence),
        cmocka_unit_test(leaps_over_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
