// The row that begins with a day.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/engine_fixture.h"
#include "tests/unit/survey_fixture.h"

static void test_rows(void **state)
{
    (void)state;
    struct kvz *k =
        index_text("drills.txt", "RULES\n\n3.1 Drills\n\nThere are two drills a year. Results of "
                                 "the last four:\n"
                                 "   9 Mar 2023    daytime, 41 people      3 min 50 s\n"
                                 "   5 Oct 2023    evening, 112 people     5 min 15 s   gate shut\n"
                                 "   17 Oct 2024   evening, 96 people      4 min 05 s\n"
                                 "The target is four minutes.\n\n"
                                 "On 5 Oct 2023 the gate was found shut.\n\n"
                                 "3.2 Deliveries\n\n"
                                 "| 2024-05-02 | coal | 4 t |\n"
                                 "| 2024-05-03 | sand | Ada |\n"
                                 "| 2024-05-03 | coal | 5 t |\n");
    asked(&k, 1, "What was the result of the evening drill on 17 Oct 2024?",
          "\"17 Oct 2024   evening, 96 people      4 min 05 s\"");
    asked(&k, 1, "What was the result of the drill on October 5, 2023?",
          "\"5 Oct 2023    evening, 112 people     5 min 15 s   gate shut\"");
    asked(&k, 1, "How much coal came on 2 May 2024?", "\"| 2024-05-02 | coal | 4 t |\"");
    asked(&k, 1, "How much coal came on 3 May 2024?", "\"| 2024-05-03 | coal | 5 t |\"");
    asked(&k, 1, "How much sand came on 3 May 2024?", NULL); // it does not say
    asked(&k, 1, "What was delivered on 3 May 2024?", NULL); // two things were
    asked(&k, 1, "What was the result of the morning drill on 17 Oct 2024?", NULL);
    asked(&k, 1, "What was the result of the drill on 18 Oct 2024?", NULL);
    asked(&k, 1, "What was the result between 17 Oct 2024 and 5 Oct 2023?", NULL);
    asked(&k, 1, "When was the drill with 96 people?", NULL);
    kvz_close(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows)};
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
