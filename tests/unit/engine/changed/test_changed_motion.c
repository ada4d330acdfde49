// Motions that are changed before they are carried.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "tests/unit/engine/changed/changed_fixture.h"

#define MOVED    "Motion 5: Pay a credit of $9 a month to the poor. Moved Ada, second Bo.\n\n"
#define TALK     "BO: I'd rather see twelve.\n\n"
#define ACCEPTED "Ada accepted both changes.\n Carried. (So: $12 a month.)\n"

// Behind the first sentence of TEXT, which answers QUESTION, what is found begins with BEGINS;
// NULL: nothing is.
static void corrected(const char *text, const char *question, const char *answer,
                      const char *begins)
{
    const struct changed_said s = {.text = text,
                                   .n = strlen(text),
                                   .said = {0, strcspn(text, ".") + 1},
                                   .question = question,
                                   .answer = answer};
    finds_that(&s, begins);
}

static void test_motion(void **state)
{
    (void)state;
    static const char asked[] = "How much is the credit?",
                      answer[] = "Pay a credit of $9 a month to the poor.";
    corrected(MOVED TALK ACCEPTED, asked, answer, ACCEPTED);
    corrected(MOVED TALK "Carried as amended, with $12 a month.\n", asked, answer, "Carried as");
    // Not where it was carried as it was, where nothing of the kind is new, or of the next motion.
    corrected(MOVED TALK "Carried 5-0, with $12 a month to be saved.\n", asked, answer, NULL);
    corrected(MOVED TALK "Ada accepted the change for 12 people.\n", asked, answer, NULL);
    corrected(MOVED TALK "Ada accepted no change. ($12 was asked for.)\n", asked, answer, NULL);
    corrected(MOVED "Motion 6: Buy a van. Moved Bo, second Ada.\n\n" ACCEPTED, asked, answer, NULL);
    corrected(MOVED TALK ACCEPTED, asked, "$9, then $12", NULL);
    corrected(MOVED TALK ACCEPTED, "How much was the credit at first?", answer, NULL);
    corrected("Ada proposed a second credit of $9 a month.\n\n" ACCEPTED, asked, answer, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_motion)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
