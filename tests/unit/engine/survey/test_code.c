// What short codes mean that lines, rows and items begin with.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/engine_fixture.h"
#include "tests/unit/survey_fixture.h"

static void test_codes(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "press.txt",
        "1  Safety\n2  Errors\n3  Data\n\nThe boiler is hot. When it shows\nE7 the lamp blinks.\n\n"
        "Code   Meaning                     What to do\n"
        "E1     Boiler too hot              Unplug, let it cool\n"
        "E7     Sensor broken               Call service\n"
        "E70    Cable broken                Replace the cable\n\nChapter 3  Data\n\n"
        "- F-12: No water in the tank,\n  or none that flows.\n- F-13: No power.\n\n"
        "Error 42 \xe2\x80\x93 the lid is open.\n\n### B4\n\nThe belt is loose.\n\nNext.\n\n"
        "X1 first lamp\nX2 second lamp\nX2-b third lamp\n\nD5 is a note.\n\nThe cap is "
        "loose.\n(C8)\n\n\nG3  a\nG3  b\nG3  "
        "c\nG3  d\n");
    static const char e7[] = "\"E7     Sensor broken               Call service\"";
    asked(&k, 1, "E7?", e7);
    asked(&k, 1, "e7", e7);
    asked(&k, 1, "error code E7", e7);
    asked(&k, 1, "WHAT DOES E7 MEAN?", e7);
    asked(&k, 1, "How do I fix error E7?", e7);
    asked(&k, 1, "What is the meaning of f-12?",
          "\"- F-12: No water in the tank, or none that flows.\"");
    asked(&k, 1, "What does error 42 mean?", "\"Error 42 \xe2\x80\x93 the lid is open.\"");
    asked(&k, 1, "What is B4?", "\"### B4\n\nThe belt is loose.\"");
    asked(&k, 1, "X2", "\"X2 second lamp\"");
    asked(&k, 1, "C8", NULL); // only referred to
    asked(&k, 1, "E9", NULL);
    asked(&k, 1, "What does error 3 mean?", NULL); // it is a chapter
    asked(&k, 1, "D5?", NULL);                     // prose
    asked(&k, 1, "G3?", NULL);                     // too many
    asked(&k, 1, "Who wrote E7?", NULL);           // asks for more
    kvz_close(k);
}

// One sentence may tell what several numbers stand for.
static void test_numbers_in_a_sentence(void **state)
{
    (void)state;
    struct kvz *k =
        index_text("loom.txt", "The loom is old. Exit status: 0 after a day's work, 3 for a wrong\n"
                               "thread, 15 if the yarn is torn. It has 3 shafts.\n\n"
                               "Changes\n\n2.3  lists may be longer; exit status 15; error 8.\n");
    static const char all[] =
        "\"Exit status: 0 after a day's work, 3 for a wrong thread, 15 if the "
        "yarn is torn.\"";
    asked(&k, 1, "What does exit status 15 mean?", all);
    asked(&k, 1, "exit status 3", all);
    asked(&k, 1, "What does exit status 8 mean?", NULL);
    asked(&k, 1, "What does signal 15 mean?", NULL);
    kvz_close(k);
}

// Numbers that count on need no more than a blank, a stop or a bracket behind them.
static void test_counted_numbers(void **state)
{
    (void)state;
    struct kvz *k =
        index_text("mill.txt", "Exit codes:\n1 the wheel is stuck\n2 the key is wrong\n\n"
                               "It has 3 stones. Error codes of the pump:\n\n"
                               "  7) no water\n  8) no power\n\n"
                               "The code is kept.\n12 geese live there\n14 goats, too\n");
    asked(&k, 1, "What does exit code 2 mean?", "\"2 the key is wrong\"");
    asked(&k, 1, "What does error code 7 mean?", "\"7) no water\"");
    asked(&k, 1, "What does code 12 mean?", NULL); // nothing counts on from it
    kvz_close(k);
    k = index_text("mill.txt",
                   "EXIT VALUES\n       o      0 - Success\n\n       o      23 - Half of "
                   "the corn is ground\n\n       o      24 - No corn\n");
    asked(&k, 1, "What does exit code 23 mean?", "\"o      23 - Half of the corn is ground\"");
    kvz_close(k);
}

static void test_numbers(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "mill.1.txt",
        "OPTIONS\n       2      This is no status.\n\nRETURN VALUE\n"
        "       The exit code of mill says whether it ground the corn,\n       and if not, why:\n\n"
        "       0      All is ground.\n\n       1      The wheel\tis  stuck.  If it\n"
        "\t      was oiled, the exit code means that the\n\t      corn is wet.\n\n"
        "       2      Fatal  error.   There\n\t      is no corn.\n\n       It ends then.\n");
    asked(&k, 1, "What does exit code 2 mean?", "\"2      Fatal error. There is no corn.\"");
    asked(&k, 1, "exit code 0", "\"0      All is ground.\"");
    asked(&k, 1, "Signal 2", NULL);
    asked(&k, 1, "What is 2?", NULL);
    kvz_close(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_codes),
        cmocka_unit_test(test_numbers_in_a_sentence),
        cmocka_unit_test(test_counted_numbers),
        cmocka_unit_test(test_numbers),
    };
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
