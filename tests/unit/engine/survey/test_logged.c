// What is asked of logs: how many errors there are, and which.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/engine_fixture.h"
#include "tests/unit/survey_fixture.h"

// By the level of their lines.
static void test_levels(void **state)
{
    (void)state;
    struct kvz *k = index_text("mill.log", "2024-05-06 22:41:32 INFO  [main] mill starting\n"
                                           "2024-05-06 22:41:40 WARN  [wheel] no ERROR yet\n"
                                           "2024-05-06 22:42:02 ERROR [wheel] stuck\n"
                                           "    at Wheel.turn\n"
                                           "2024-05-06 22:42:03 WARNING [gate] login failed\n"
                                           "2024-05-06 22:43:00 FATAL [main] error, stopping\n");
    asked(&k, 1, "How many errors are there in the log?", "1 line has the level ERROR.");
    asked(&k, 1, "how many warnings", "2 lines have the level WARN or WARNING.");
    asked(&k, 1, "How many WARN lines are there?", "\"WARN\" stands in 1 line.");
    asked(&k, 1, "How many fatal errors were logged?", "1 line has the level FATAL.");
    asked(&k, 1, "How many failures are there?",
          "1 line has the word \"failures\" or a form of it.");
    asked(&k, 1, "count all critical errors", "No line has the word \"critical\" or a form of it.");
    asked(&k, 1, "List all errors", "2024-05-06 22:42:02 ERROR [wheel] stuck\n");
    asked(&k, 1, "Show me every line containing FATAL",
          "2024-05-06 22:43:00 FATAL [main] error, stopping\n");
    asked(
        &k, 1, "List all ERROR lines",
        "2024-05-06 22:41:40 WARN [wheel] no ERROR yet\n2024-05-06 22:42:02 ERROR [wheel] stuck\n");
    asked(&k, 1, "List all timeouts", NULL);
    kvz_close(k);
    k = index_text("set.log",
                   "level=error msg=stuck\nlevel=info msg=\"no error\"\n"
                   "{\"level\":\"error\",\"msg\":\"stuck\"}\n[error] stuck\n[info ] up\n");
    asked(&k, 1, "How many errors are there?", "3 lines have the level error.");
    kvz_close(k);
}

// By the word in logs that have none, and not at all in other texts.
static void test_no_levels(void **state)
{
    (void)state;
    struct kvz *k = index_text("door.log", "10:00:01 door: error 7\n10:00:02 door: shut\n"
                                           "10:00:05 java.net.SocketTimeoutException: late\n"
                                           "10:00:09 door: two errors, 1 Error\n");
    asked(&k, 1, "How many errors are there in the log?",
          "2 lines have the word \"errors\" or a form of it.");
    asked(&k, 1, "How many exceptions does the log have?",
          "1 line has the word \"exceptions\" or a form of it.");
    kvz_close(k);
    k = index_text("errors.txt", "Every error is mended.\nWarning: the wheel turns.\n");
    asked(&k, 1, "How many errors are there?", NULL);
    asked(&k, 1, "How many warnings are there in the text?", NULL);
    kvz_close(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_levels),
        cmocka_unit_test(test_no_levels),
    };
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
