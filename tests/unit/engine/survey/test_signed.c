// Questions about what two parties signed side by side.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/engine_fixture.h"
#include "tests/unit/survey_fixture.h"

#define LEASE                                                                                      \
    "The rent is due on the first day of the month, and the deposit within a week.\n\n"            \
    "Signed for                       Signed for\n"                                                \
    "ROOK MILLS LIMITED               THE FERRY TRUST\n\n"                                         \
    "Name:  Mary A. Stone             Name:  Dr. Adam Lowe\n\n"                                    \
    "Title: Director                  Title: Chair\n"                                              \
    "                                        (until 2030)\n\n"                                     \
    "Date:  3 May 2021                Date:  9 May 2021\n\n"                                       \
    "In the presence of:              In the presence of:\n\n"                                     \
    "       Ann Reed                         Bert Cole\n"

static void test_sides(void **state)
{
    (void)state;
    struct kvz *k = index_text("lease.txt", LEASE);
    asked(&k, 1, "Who is Mary Stone?",
          "Signed for ROOK MILLS LIMITED; Name: Mary A. Stone; Title: Director; Date: 3 May 2021");
    asked(&k, 1, "What is the title of Adam Lowe?", "Title: Chair (until 2030) (Dr. Adam Lowe)");
    asked(&k, 1, "When did Dr Lowe sign the lease?", "Date: 9 May 2021 (Dr. Adam Lowe)");
    asked(&k, 1, "Who signed for the Ferry Trust?",
          "Signed for THE FERRY TRUST; Name: Dr. Adam Lowe; Title: Chair (until 2030); "
          "Date: 9 May 2021");
    asked(&k, 1, "Who signed the lease?",
          "Signed for ROOK MILLS LIMITED; Name: Mary A. Stone; Title: Director; Date: 3 May 2021\n"
          "Signed for THE FERRY TRUST; Name: Dr. Adam Lowe; Title: Chair (until 2030); "
          "Date: 9 May 2021");
    asked(&k, 1, "Who signed the petition?", NULL);
    asked(&k, 1, "Where did Adam Lowe sign?", NULL); // no line says so
    asked(&k, 1, "Who is Mary Lowe?", NULL);
    asked(&k, 1, "Who is Mary Stone's brother?", NULL);
    kvz_close(k);
}

// One name on a line, or other labels beside it, are no such block.
static void test_no_sides(void **state)
{
    (void)state;
    struct kvz *k =
        index_text("card.txt", "The card is kept by the warden of the house, as ever.\n\n"
                               "Name:  Mary A. Stone\nTitle: Director\n\n"
                               "Name:  Adam Lowe         House: Rook Mills\n"
                               "Title: Chair             Floor: 2\n");
    asked(&k, 1, "Who signed the lease?", NULL);
    kvz_close(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sides),
                                       cmocka_unit_test(test_no_sides)};
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
