// How long a meeting took.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/engine_fixture.h"
#include "tests/unit/survey_fixture.h"

static void test_meeting(void **state)
{
    (void)state;
    static const char both[] = "1 hour 45 minutes: \"The meeting was opened at 7.30 pm by Ada.\"\n"
                               "\"With no other business, the meeting was closed at 9.15 pm.\"";
    struct kvz *k =
        index_text("minutes.txt", "MINUTES of the hall, 14.03.2023\n\n"
                                  "The meeting was opened at 7.30 pm by Ada. Bo came at 8 pm.\n\n"
                                  "1. The boiler leaks.\n\nThe next meeting will start at 7 pm.\n\n"
                                  "With no other business, the meeting was closed at 9.15 pm.\n");
    asked(&k, 1, "How long did the meeting last?", both);
    asked(&k, 1, "How long was the meeting?", both);
    asked(&k, 1, "How long did the boiler last?", NULL);
    asked(&k, 1, "How long did the session last?", NULL);
    kvz_close(k);
    k = index_text("minutes.txt", "The session began at 10:00 and ended at 12:00. It was warm.\n");
    asked(&k, 1, "How long did the session take?",
          "2 hours: \"The session began at 10:00 and ended at 12:00.\"");
    kvz_close(k);
    k = index_text("minutes.txt", "The meeting began at 7:30. It was warm.\n\n"
                                  "The meeting ended at 9:15 pm.\n");
    asked(&k, 1, "How long was the meeting?",
          "\"The meeting began at 7:30.\"\n\"The meeting ended at 9:15 pm.\"");
    kvz_close(k);
    // Which of them?
    k = index_text("minutes.txt", "The meeting began at 7:30. The meeting ended at 9:15.\n\n"
                                  "The meeting began at 8:30. The meeting ended at 9:45.\n");
    asked(&k, 1, "How long was the meeting?", NULL);
    kvz_close(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_meeting)};
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
